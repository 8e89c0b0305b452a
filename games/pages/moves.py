"""The list of moves: one line an event, in the reader's language, as one viewer may know it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.utils.safestring import SafeString

from games.clock import milliseconds
from games.fold import StoredEvent
from games.pages.facts import Sitter, spells
from games.pages.film import Viewer, redacted
from games.pages.words import QUIET, sentence
from games.rules.events import GameEnded, SeatLeft, StageCleared, TurnPassed, WindowClosed


@dataclass(frozen=True, slots=True)
class Line:
    """One event: ``clock`` is the time since the game began, ``kind`` how the line is drawn."""

    version: int
    text: SafeString
    clock: str
    kind: str


def lines(log: Iterable[StoredEvent], viewer: Viewer, sitters: tuple[Sitter, ...], seats: int) -> Iterator[Line]:
    """Every event's line, in order."""
    events = tuple(log)
    started = milliseconds(events[0].recorded_at)
    for first, last, names in spells(sitters, seats, len(events)):
        for stored in events[first - 1 : last]:
            text = sentence(redacted(stored.event, viewer), names)
            yield Line(stored.version, text, clock_text(milliseconds(stored.recorded_at) - started), _kind(stored))


def clock_text(ms: int) -> str:
    """ "1:02:03.456", without hours for less than one."""
    minutes, rest = divmod(ms, 60_000)
    hours, minutes = divmod(minutes, 60)
    seconds = f"{rest // 1_000:02}.{rest % 1_000:03}"
    return f"{hours}:{minutes:02}:{seconds}" if hours else f"{minutes}:{seconds}"


def _kind(stored: StoredEvent) -> str:
    match stored.event:
        case TurnPassed():
            return "turn"
        case StageCleared() | GameEnded() | SeatLeft() | WindowClosed():
            return "big"
        case _:
            return "quiet" if isinstance(stored.event, QUIET) else ""
