"""One game in figures, counted from its log. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from games.clock import milliseconds
from games.fold import StoredEvent
from games.rules.events import (
    CardPlayed,
    CardsDrawn,
    Event,
    GameEnded,
    GameStarted,
    LastCardDeclared,
    LastCardMissed,
    PileReshuffled,
    StageCleared,
    TurnPassed,
    WindowAccepted,
    WindowClosed,
    WindowOpened,
)
from games.rules.evolve import evolve
from games.rules.state import NOT_STARTED

EDITION: Final = 1
"""Goes up when something is counted otherwise: figures of an older edition are counted anew."""


@dataclass(slots=True)
class Counted:
    """The figures of a game, by the names of `GameFigures`; those by seat are lists, those by name counters.

    ``house_rules`` are those that differ from the default; ``answers`` are asked and accepted, other answers are
    outcomes in ``windows``; ``people`` (seats that no built-in bot held at the end) is not the log's to say;
    ``turns`` have begun, the first one included; ``duration_ms`` is from the deal to the end.
    """

    mode: str = ""
    seats: int = 0
    people: int = 0
    house_rules: dict[str, str | int | bool] = field(default_factory=dict)
    first: int = 0
    winner: int | None = None
    reason: str = ""
    events: int = 0
    turns: int = 0
    duration_ms: int = 0
    reshuffles: int = 0
    drawn: list[int] = field(default_factory=list)
    laid: list[int] = field(default_factory=list)
    clears: list[int] = field(default_factory=list)
    declared: int = 0
    missed: int = 0
    played: dict[str, int] = field(default_factory=Counter)
    held: dict[str, int] = field(default_factory=Counter)
    windows: dict[str, int] = field(default_factory=Counter)
    answers: dict[str, int] = field(default_factory=Counter)
    drawn_for: dict[str, int] = field(default_factory=Counter)


def count(log: Iterable[StoredEvent]) -> Counted:
    """The figures of a whole log. ValueError unless it begins with GameStarted and comes to GameEnded."""
    counted, state, began, ended = Counted(), NOT_STARTED, 0, 0
    for stored in log:
        at = milliseconds(stored.recorded_at)
        began = began or at
        if isinstance(stored.event, GameEnded):
            ended = at
            counted.held = Counter(card.code for hand in state.hands for card in hand)
        counted.events += 1
        _note(counted, stored.event)
        state = evolve(state, stored.event)
    if not counted.seats or not counted.reason:
        raise ValueError("not the log of a finished game")
    counted.duration_ms = ended - began
    return counted


def _note(counted: Counted, event: Event) -> None:  # noqa: C901  # one case an event
    match event:
        case CardPlayed(seat=seat, card=card):
            counted.laid[seat] += 1
            counted.played[card.code] += 1
        case CardsDrawn(seat=seat, cards=cards, reason=reason):
            counted.drawn[seat] += len(cards)
            counted.drawn_for[reason.value] += len(cards)
        case TurnPassed():
            counted.turns += 1
        case WindowOpened() | WindowAccepted() | WindowClosed():
            _note_window(counted, event)
        case StageCleared(seat=seat):
            counted.clears[seat] += 1
        case LastCardDeclared():
            counted.declared += 1
        case LastCardMissed():
            counted.missed += 1
        case PileReshuffled():
            counted.reshuffles += 1
        case GameStarted():
            _begin(counted, event)
        case GameEnded(winner=winner, reason=end):
            counted.winner, counted.reason = winner, end.value
        case _:
            pass


def _note_window(counted: Counted, event: WindowOpened | WindowAccepted | WindowClosed) -> None:
    match event:
        case WindowOpened(asked=asked):
            counted.answers["asked"] += len(asked)
        case WindowAccepted():
            counted.answers["accepted"] += 1
        case WindowClosed(outcome=outcome):
            counted.windows[outcome.value] += 1


def _begin(counted: Counted, event: GameStarted) -> None:
    chosen = event.rules.chosen()
    counted.mode = event.rules.mode.value
    counted.house_rules = {name: value for name, value in chosen.items() if name != "mode"}
    counted.seats, counted.first, counted.turns = event.seats, event.first, 1
    counted.drawn, counted.laid, counted.clears = ([0] * event.seats for _ in range(3))
