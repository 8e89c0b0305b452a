"""What happened: every event, with its outcome, so that an old game keeps its meaning (docs/events.md)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from games.rules.cards import Card, Color, Lead, Seat
from games.rules.ruleset import Ruleset
from games.rules.state import Again, Direction


class DrawReason(Enum):
    """Why cards were drawn."""

    TURN = "turn"
    STACK = "stack"
    PLUS = "plus"
    PLUS_THREE = "plus_three"
    BREAKER = "breaker"
    LAST_CARD = "last_card"
    STAGE = "stage"


class WindowOutcome(Enum):
    """How a +3 was settled."""

    ACCEPTED = "accepted"
    TIMEOUT = "timeout"
    BREAKER = "breaker"
    KING = "king"
    CANCELLED = "cancelled"


class EndReason(Enum):
    """Why the game ended."""

    WON = "won"
    LAST_SEAT = "last_seat"
    STALLED = "stalled"
    MAX_TURNS = "max_turns"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Placing:
    """One seat in the final ranking (E2, G5); ``stage`` is 0 in single mode. Equals share a rank."""

    rank: int
    seat: Seat
    cards: int
    stage: int


# ---- from the rules: these change the state


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The first event: under which rules, how many seats, who begins (S4)."""

    rules_version: str
    rules: Ruleset
    seats: int
    first: Seat


@dataclass(frozen=True, slots=True)
class CardsDealt:
    """The deal (S2) and the opening card (S3); ``turned`` are the cards turned up before it and put under."""

    hands: tuple[tuple[Card, ...], ...]
    draw: tuple[Card, ...]
    opening: Card
    turned: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card went from hand to the top of the discard pile; ``color`` is the one named, ``lead`` the new lead."""

    seat: Seat
    card: Card
    color: Color | None
    lead: Lead


@dataclass(frozen=True, slots=True)
class CardsDrawn:
    """Cards went from the draw pile to a hand, first drawn first; none, if there was nothing to draw.

    ``locked``: the card is a Breaker that cannot be played before that seat's next turn (T4).
    """

    seat: Seat
    cards: tuple[Card, ...]
    reason: DrawReason
    locked: bool = False


@dataclass(frozen=True, slots=True)
class PileReshuffled:
    """All discards but the top went under the draw pile in this order (Z1); shuffle number ``shuffle`` (H1)."""

    order: tuple[Card, ...]
    shuffle: int


@dataclass(frozen=True, slots=True)
class StageCleared:
    """An emptied hand: the seat enters ``stage`` (G2)."""

    seat: Seat
    stage: int


@dataclass(frozen=True, slots=True)
class RunStarted:
    """The seat on turn is now in a run of this colour, by its own TAKI (U1) or by going on with an open one (U7)."""

    seat: Seat
    color: Color


@dataclass(frozen=True, slots=True)
class TakiLeftOpen:
    """The run has ended, and its TAKI lies open for the next seat (U5)."""

    color: Color


@dataclass(frozen=True, slots=True)
class TakiClosed:
    """The TAKI is over, whether it was run or lay open (U4, U5, U8)."""


@dataclass(frozen=True, slots=True)
class StackCancelled:
    """Nobody draws the stack of ``owe`` cards (K1, Z4)."""

    owe: int


@dataclass(frozen=True, slots=True)
class FurtherCard:
    """The seat on turn owes (Plus) or may play (King) a further card."""

    seat: Seat
    again: Again


@dataclass(frozen=True, slots=True)
class TurnIdled:
    """The turn ended without a card being played or drawn, the ``idle``-th in a row (Z3)."""

    idle: int


@dataclass(frozen=True, slots=True)
class TurnPassed:
    """A new turn: whose, the direction of play, and the stack it faces (cards)."""

    to: Seat
    direction: Direction
    owe: int


@dataclass(frozen=True, slots=True)
class WindowOpened:
    """A +3 awaits the answers of the seats ``asked`` (W1)."""

    seat: Seat
    asked: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class WindowAccepted:
    """A seat does not answer (W2); others see that somebody did, not who (W8): ``seat`` is then None."""

    seat: Seat | None


@dataclass(frozen=True, slots=True)
class WindowClosed:
    """The window of this seat's +3 is settled."""

    seat: Seat
    outcome: WindowOutcome


@dataclass(frozen=True, slots=True)
class LastCardDue:
    """The seat came down to one card and has not said so yet (L1)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class LastCardDeclared:
    """The seat said "last card" in time (L1)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class LastCardMissed:
    """The seat did not say it in time and draws the penalty (L3)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """The seat is out; its cards went under the draw pile in this order (Z4); ``shuffle`` is −1 if it held none."""

    seat: Seat
    cards: tuple[Card, ...]
    shuffle: int


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over, with or without a winner; effects still open do not take place (E1)."""

    winner: Seat | None
    reason: EndReason
    ranking: tuple[Placing, ...]


# ---- from the table: facts about the game that the rules do not know; they leave the state as it is


@dataclass(frozen=True, slots=True)
class SeedCommitted:
    """What the server bound itself to before the deal: SHA-256 commitment, and SHA-256 of each seat's entropy (hex)."""

    commitment: str
    entropy: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DeadlineSet:
    """Until when the seat on turn, or the window, has time: milliseconds since 1970 UTC; None for no limit."""

    at: int | None


@dataclass(frozen=True, slots=True)
class BankChanged:
    """A seat overdrew its turn, or got an increment back: ``left`` milliseconds are now in its bank."""

    seat: Seat
    left: int


@dataclass(frozen=True, slots=True)
class ClockCredited:
    """Nobody looked at the clocks for so many seconds; the running one is given them back."""

    seconds: int


@dataclass(frozen=True, slots=True)
class TurnMissed:
    """The seat let the time of its turn pass, for the ``in_a_row``-th time running."""

    seat: Seat
    in_a_row: int


@dataclass(frozen=True, slots=True)
class SeatAway:
    """Nobody plays for this seat any more: from now on a bot does, or the seat leaves (the table's choice)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SeatReturned:
    """The seat's player is back and plays for itself again."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class GameAborted:
    """The game was ended by staff and does not count."""


@dataclass(frozen=True, slots=True)
class SeedRevealed:
    """The last event: the server's seed (hex), by which everything before can be checked."""

    server_seed: str


Event = (
    GameStarted
    | CardsDealt
    | CardPlayed
    | CardsDrawn
    | PileReshuffled
    | StageCleared
    | RunStarted
    | TakiLeftOpen
    | TakiClosed
    | StackCancelled
    | FurtherCard
    | TurnIdled
    | TurnPassed
    | WindowOpened
    | WindowAccepted
    | WindowClosed
    | LastCardDue
    | LastCardDeclared
    | LastCardMissed
    | SeatLeft
    | GameEnded
    | SeedCommitted
    | DeadlineSet
    | BankChanged
    | ClockCredited
    | TurnMissed
    | SeatAway
    | SeatReturned
    | GameAborted
    | SeedRevealed
)
