"""What a seat, or the system, may ask: atomic commands (section 15), each with a stable integer id."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from games.rules.cards import CARDS, CHANGE_COLOR, SUPER_TAKI, Card, Color


@dataclass(frozen=True, slots=True)
class Play:
    """Lay one card; ``color`` is named for a card that takes one (A5, U2)."""

    card: Card
    color: Color | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw one card, or the stack (T4, A2, P2); with both piles dry: pass (Z2)."""


@dataclass(frozen=True, slots=True)
class CloseTaki:
    """End the run and the TAKI: "closed TAKI" (U5)."""


@dataclass(frozen=True, slots=True)
class EndTurn:
    """End the run and leave the TAKI open (U5), or decline the King's further card (K2)."""


@dataclass(frozen=True, slots=True)
class DeclareLastCard:
    """Say "last card" (L1)."""


@dataclass(frozen=True, slots=True)
class Accept:
    """Do not answer the +3 (W2)."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the game (Z4)."""


@dataclass(frozen=True, slots=True)
class Timeout:
    """The time is up; from the system, never from a seat (Z5)."""


@dataclass(frozen=True, slots=True)
class Stop:
    """The game ends with no winner; from the system, never from a seat (Z7)."""


Command = Play | Draw | CloseTaki | EndTurn | DeclareLastCard | Accept | Leave | Timeout | Stop
SystemCommand = Timeout | Stop

DRAW: Final = Draw()
CLOSE: Final = CloseTaki()
END: Final = EndTurn()
LAST: Final = DeclareLastCard()
ACCEPT: Final = Accept()
LEAVE: Final = Leave()
TIMEOUT: Final = Timeout()
STOP: Final = Stop()

PLAIN_PLAY: Final = {card: Play(card) for card in CARDS}
"""The play of each card without a colour."""
COLORED_PLAYS: Final = {card: tuple(Play(card, color) for color in Color) for card in (SUPER_TAKI, CHANGE_COLOR)}
"""The plays of the two cards that may name a colour, in the order R, G, B, Y."""

ALL_COMMANDS: Final[tuple[Command, ...]] = (
    *(PLAIN_PLAY[card] for card in CARDS if card is not CHANGE_COLOR),
    *COLORED_PLAYS[SUPER_TAKI],
    *COLORED_PLAYS[CHANGE_COLOR],
    *(DRAW, CLOSE, END, LAST, ACCEPT, LEAVE),
    *(TIMEOUT, STOP),
)
"""Every command that can ever be legal; a command's id is its place here. Ids never change their meaning."""
COMMAND_ID: Final = {command: number for number, command in enumerate(ALL_COMMANDS)}
