"""The state of a game: every key of section 15, immutable."""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple, NewType

from games.rules.cards import ANY_LEAD, Card, Color, Face, Lead, Seat
from games.rules.ruleset import DEFAULT_RULES, RULES_VERSION, Ruleset

Direction = NewType("Direction", int)
"""1 is clockwise (seat+1), −1 the other way."""
CLOCKWISE: Final = Direction(1)
COUNTERCLOCKWISE: Final = Direction(-1)

NO_SEED: Final = bytes(32)
Hand = tuple[Card, ...]


class Again(Enum):
    """Why the seat on turn may or must lay a further card."""

    PLUS = "plus"
    KING = "king"


class State(NamedTuple):
    """A position. A NamedTuple, because ``_replace`` is the hot path of ``evolve`` (tests/bench).

    ``hands[seat]`` is in canonical order; ``draw`` and ``pile`` have their top card first. ``answer`` are the
    seats not yet heard in the window of ``plus3``; ``last`` those with an unsaid last card; ``locked`` those
    holding a locked Breaker; all three ascending. ``left`` are the seats that left, in the order of leaving.
    ``stages`` is empty in single mode. ``owe`` counts cards. ``winner`` is None while the game runs and when it
    ended (``over``) without one. ``seed`` is the game's 32 bytes (H1). ``rules_version`` is the one that the game
    began with, and keeps.
    """

    rules: Ruleset = DEFAULT_RULES
    hands: tuple[Hand, ...] = ()
    draw: tuple[Card, ...] = ()
    pile: tuple[Card, ...] = ()
    lead: Lead = ANY_LEAD
    turn: Seat = Seat(0)
    direction: Direction = CLOCKWISE
    owe: int = 0
    taki: Color | None = None
    run: Color | None = None
    again: Again | None = None
    plus3: Seat | None = None
    answer: tuple[Seat, ...] = ()
    last: tuple[Seat, ...] = ()
    locked: tuple[Seat, ...] = ()
    stages: tuple[int, ...] = ()
    idle: int = 0
    turns: int = 0
    shuffles: int = 0
    seed: bytes = NO_SEED
    over: bool = False
    winner: Seat | None = None
    left: tuple[Seat, ...] = ()
    rules_version: str = RULES_VERSION

    def __str__(self) -> str:
        from games.rules.notation import format_position  # noqa: PLC0415  # the notation needs the state first

        return format_position(self)

    @staticmethod
    def parse(line: str, rules: Ruleset = DEFAULT_RULES) -> State:
        """The state of a position line (section 15). ValueError names the word that is wrong."""
        from games.rules.notation import parse_position  # noqa: PLC0415  # the notation needs the state first

        return parse_position(line, rules)

    @property
    def seats(self) -> int:
        """How many seats the table has, those that left included."""
        return len(self.hands)


NOT_STARTED: Final = State()
"""The state before the first event."""


def is_dry(state: State) -> bool:
    """Both piles are dry: nothing can be drawn (Z2)."""
    return not state.draw and len(state.pile) <= 1


def first_of_turn(state: State) -> bool:
    """The next command of the seat on turn is the first of its turn (L3)."""
    return state.run is None and state.again is None


def seats_in(state: State) -> int:
    """How many seats are still in the game."""
    return len(state.hands) - len(state.left)


def taki_on_top(state: State) -> bool:
    """A TAKI or Super TAKI lies on top (U6)."""
    face = state.pile[0].face
    return face is Face.TAKI or face is Face.SUPER_TAKI


def turn_order(state: State, first: Seat) -> tuple[Seat, ...]:
    """The seats still in the game in the direction of play, beginning at ``first``."""
    count, step = len(state.hands), state.direction
    around = (Seat((first + step * place) % count) for place in range(count))
    return tuple(seat for seat in around if seat not in state.left)


def next_seat(state: State, seat: Seat, direction: Direction) -> Seat:
    """Who comes on turn after ``seat``: seats that left (T6) or wait (G4) are passed over.

    It is ``seat`` itself when no other seat can take a turn.
    """
    count, hands = len(state.hands), state.hands
    for distance in range(1, count):
        candidate = (seat + direction * distance) % count
        if hands[candidate]:  # a seat that left, or waits for cards, holds none
            return Seat(candidate)
    return seat
