"""A finished game as a film: every position as one viewer saw it, each told by what changed. Pure.

Positions come from the rules' own `evolve` and go through `view_for`; the page that shows them knows no rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, Literal
from uuid import UUID

from games.clock import Clock, Limits, bank_of, milliseconds, tick
from games.fold import StoredEvent
from games.pages.finish import finishes
from games.rules.cards import Card, Seat
from games.rules.events import Event, TurnPassed
from games.rules.evolve import evolve
from games.rules.state import NOT_STARTED, State
from games.rules.views import redact, view_for

Viewer = Seat | Literal["spectator", "all"]
"""Through whose eyes: a seat's, a spectator's, or with every hand open."""
Position = dict[str, Any]

FORMAT: Final = 1
"""Goes up with every change of the film's form: a film is kept by browsers for long."""
TOPS: Final = 4
"""So many cards of the discard pile are shown, the top first."""


def film(game_id: UUID, events: Iterable[StoredEvent], viewer: Viewer, limits: Limits) -> dict[str, Any]:
    """The film of a whole log: ``{format, game, viewer, seats, types, who, at, steps, finishes}``.

    ``types``, ``who`` (the seat that an event is about, −1 for none), ``at`` (milliseconds since ``started``, itself
    milliseconds since 1970 UTC) and ``steps`` have one entry an event; a step holds the keys of `position` that
    changed, ``hands`` only the seats whose hand did. ``finishes`` are the windows of each +3 (`finish.finishes`).
    """
    log = tuple(events)
    told = tuple(redacted(stored.event, viewer) for stored in log)
    started = milliseconds(log[0].recorded_at)
    steps = list(changes(positions(log, viewer, limits)))
    return {
        "format": FORMAT,
        "game": str(game_id),
        "viewer": viewer,
        "seats": len(steps[0]["hands"]),
        "started": started,
        "types": [stored.type for stored in log],
        "who": [about(event) for event in told],
        "at": [milliseconds(stored.recorded_at) - started for stored in log],
        "steps": steps,
        "finishes": finishes(log, viewer, limits.reaction_seconds),
    }


def redacted(event: Event, viewer: Viewer) -> Event:
    """The event as this viewer may know it; with every hand open, as it is."""
    return event if viewer == "all" else redact(event, _seat(viewer))


def positions(log: Iterable[StoredEvent], viewer: Viewer, limits: Limits) -> Iterator[Position]:
    """The position after each event."""
    state, clock = NOT_STARTED, Clock()
    for stored in log:
        state = evolve(state, stored.event)
        clock = tick(clock, stored.event, stored.version, milliseconds(stored.recorded_at), stored.actor)
        yield position(state, clock, viewer, limits)


def position(state: State, clock: Clock, viewer: Viewer, limits: Limits) -> Position:
    """One position in plain values: hands as lists of codes, or as counts where the viewer may not look.

    ``deadline`` is in milliseconds since 1970 UTC, ``banks`` in milliseconds (empty without a turn clock).
    """
    seen = state if viewer == "all" else view_for(state, _seat(viewer)).state
    return {
        "hands": {seat: _codes(hand) if viewer in ("all", seat) else len(hand) for seat, hand in enumerate(seen.hands)},
        "draw": len(seen.draw),
        "pile": len(seen.pile),
        "top": _codes(seen.pile[:TOPS]),
        "lead": seen.lead.code,
        "turn": seen.turn,
        "turns": seen.turns,
        "direction": seen.direction,
        "owe": seen.owe,
        "taki": seen.taki.value if seen.taki else None,
        "run": seen.run.value if seen.run else None,
        "again": seen.again.value if seen.again else None,
        "plus3": seen.plus3,
        "answer": list(seen.answer),
        "last": list(seen.last),
        "locked": list(seen.locked),
        "stages": list(seen.stages),
        "left": list(seen.left),
        "over": seen.over,
        "winner": seen.winner,
        "away": list(clock.away),
        "deadline": None if seen.over else clock.deadline,
        "banks": _banks(state, clock, limits),
    }


def changes(found: Iterable[Position]) -> Iterator[Position]:
    """For each position the keys whose values differ from the one before; all of the first."""
    before: Position = {}
    for now in found:
        step = {key: value for key, value in now.items() if key not in before or before[key] != value}
        if "hands" in step and before:
            hands = before["hands"]
            step["hands"] = {seat: hand for seat, hand in now["hands"].items() if hands.get(seat) != hand}
        yield step
        before = now


def about(event: Event) -> int:
    """The seat that an event is about, as far as its viewer may know; −1 for none."""
    seat = event.to if isinstance(event, TurnPassed) else getattr(event, "seat", None)
    return -1 if seat is None else int(seat)


def _seat(viewer: Viewer) -> Seat | None:
    return viewer if isinstance(viewer, int) else None


def _codes(cards: Iterable[Card]) -> list[str]:
    return [card.code for card in cards]


def _banks(state: State, clock: Clock, limits: Limits) -> list[int]:
    if limits.turn_seconds is None or not limits.bank_seconds:
        return []
    return [bank_of(clock, Seat(seat), limits) for seat in range(state.seats)]
