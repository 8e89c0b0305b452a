"""The photo-finish of a +3: who answered its window, how, and how many milliseconds after it opened. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from games.clock import milliseconds
from games.fold import StoredEvent
from games.rules.cards import BREAKER, KING, Seat
from games.rules.events import CardPlayed, SeatLeft, WindowAccepted, WindowClosed, WindowOpened, WindowOutcome

_ANSWERS: Final = (WindowAccepted, CardPlayed, SeatLeft)


@dataclass(slots=True)
class _Window:
    """A window while its answers are collected; ``awaited`` are the seats not heard."""

    opened: StoredEvent
    seat: Seat
    awaited: list[Seat]
    answers: list[dict[str, Any]] = field(default_factory=list)


def finishes(log: Sequence[StoredEvent], viewer: Seat | Literal["spectator", "all"], seconds: int) -> list[Any]:
    """Every window, in order: ``{open, close, seat, outcome, ms, limit, answers}``.

    ``open`` and ``close`` are versions, ``ms`` how long it stood open, ``limit`` how long it could (milliseconds).
    An answer is ``{seat, kind, ms, version, bot}``; kinds: accept, breaker, king, left, and with neither time nor
    version late (the time was up) and spared (somebody else settled it first). Where the viewer was not told who
    answered (W8), ``seat`` is −1 and ``bot`` is absent; what was not answered is told with every hand open only.
    """
    found: list[Any] = []
    window: _Window | None = None
    for place, stored in enumerate(log):
        event = stored.event
        if isinstance(event, WindowOpened):
            window = _Window(stored, event.seat, list(event.asked))
        elif window is not None and isinstance(event, WindowClosed):
            _hear_king(window, event, log[place:])
            found.append(_told(window, stored, event.outcome, viewer, seconds * 1_000))
            window = None
        elif window is not None and isinstance(event, _ANSWERS):
            _hear(window, stored)
    return found


def _hear(window: _Window, stored: StoredEvent) -> None:
    event = stored.event
    match event:
        case WindowAccepted(seat=seat) if seat is not None:
            _answer(window, stored, seat, "accept")
        case CardPlayed(card=card, seat=seat) if card in (BREAKER, KING):
            _answer(window, stored, seat, "breaker" if card is BREAKER else "king")
        case SeatLeft(seat=seat):
            _answer(window, stored, seat, "left")
        case _:
            pass


def _hear_king(window: _Window, closed: WindowClosed, rest: Sequence[StoredEvent]) -> None:
    """A King that answers is laid after the window has closed (W4)."""
    if closed.outcome is not WindowOutcome.KING or any(answer["kind"] == "king" for answer in window.answers):
        return
    laid = next((one for one in rest if isinstance(one.event, CardPlayed) and one.event.card is KING), None)
    if laid is not None:
        _hear(window, laid)


def _answer(window: _Window, stored: StoredEvent, seat: Seat, kind: str) -> None:
    if seat in window.awaited:
        window.awaited.remove(seat)
    window.answers.append(
        {
            "seat": int(seat),
            "kind": kind,
            "ms": _since(window, stored),
            "version": stored.version,
            "bot": stored.actor.startswith("bot:"),
        }
    )


def _since(window: _Window, stored: StoredEvent) -> int:
    return milliseconds(stored.recorded_at) - milliseconds(window.opened.recorded_at)


def _told(window: _Window, closed: StoredEvent, outcome: WindowOutcome, viewer: object, limit: int) -> dict[str, Any]:
    answers = [_as_seen(answer, viewer) for answer in window.answers]
    if viewer == "all":
        kind = "late" if outcome is WindowOutcome.TIMEOUT else "spared"
        answers += [{"seat": int(seat), "kind": kind} for seat in window.awaited]
    return {
        "open": window.opened.version,
        "close": closed.version,
        "seat": int(window.seat),
        "outcome": outcome.value,
        "ms": _since(window, closed),
        "limit": limit,
        "answers": answers,
    }


def _as_seen(answer: dict[str, Any], viewer: object) -> dict[str, Any]:
    if viewer == "all" or answer["kind"] != "accept" or answer["seat"] == viewer:
        return answer
    return {"seat": -1, "kind": "accept", "ms": answer["ms"], "version": answer["version"]}
