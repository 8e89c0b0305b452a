"""The cards (rules D1–D5) and the lead that the next card must match (T2)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from operator import attrgetter
from typing import Final, NewType, final

Seat = NewType("Seat", int)
"""A place at the table, 0…n−1, clockwise. The engine knows seats, never players."""


class Color(Enum):
    """A colour, by its letter. Declared in canonical order (D5)."""

    RED = "R"
    GREEN = "G"
    BLUE = "B"
    YELLOW = "Y"

    __hash__ = object.__hash__  # members are singletons; Enum's own hash is a Python call


class Face(Enum):
    """What stands on a card beside its colour, by its code (D4). Declared in canonical order (D5)."""

    ONE = "1"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    STOP = "S"
    PLUS_TWO = "+2"
    CHANGE_DIRECTION = "D"
    PLUS = "+"
    TAKI = "T"
    SUPER_TAKI = "ST"
    KING = "K"
    PLUS_THREE = "+3"
    BREAKER = "X3"
    CHANGE_COLOR = "C"

    __hash__ = object.__hash__


NUMBERS: Final = (Face.ONE, Face.THREE, Face.FOUR, Face.FIVE, Face.SIX, Face.SEVEN, Face.EIGHT, Face.NINE)
ACTIONS: Final = (Face.STOP, Face.PLUS_TWO, Face.CHANGE_DIRECTION, Face.PLUS, Face.TAKI)
COLORLESS: Final = (Face.SUPER_TAKI, Face.KING, Face.PLUS_THREE, Face.BREAKER, Face.CHANGE_COLOR)


@final
class Card:
    """One of the 57 kinds of card, or the hidden card. There is one object a kind: compare with ``is``.

    ``code`` is the text of D4 (``"?"`` when hidden), ``index`` the place in canonical order (57 when hidden).
    ``color`` is None for a colourless card, ``face`` is None for the hidden one only.
    """

    __slots__ = ("code", "color", "face", "index")

    code: Final[str]
    color: Final[Color | None]
    face: Final[Face | None]
    index: Final[int]

    def __init__(self, code: str, color: Color | None, face: Face | None, index: int) -> None:
        self.code = code
        self.color = color
        self.face = face
        self.index = index

    @staticmethod
    def parse(code: str) -> Card:
        """The card with this code. ValueError names a code that is none; ``"?"`` is the hidden card."""
        card = _CARD_BY_CODE.get(code)
        if card is None:
            raise ValueError(f"not a card: {code!r}")
        return card

    def __repr__(self) -> str:
        return f"Card({self.code!r})"

    def __str__(self) -> str:
        return self.code

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return Card.parse, (self.code,)  # a copy or an unpickled card is the same object again

    def __deepcopy__(self, memo: object) -> Card:
        return self

    def __copy__(self) -> Card:
        return self


def _kinds() -> tuple[Card, ...]:
    colored = [(color.value + face.value, color, face) for color in Color for face in NUMBERS + ACTIONS]
    colorless = [(face.value, None, face) for face in COLORLESS]
    return tuple(Card(*kind, index) for index, kind in enumerate([*colored, *colorless]))


CARDS: Final = _kinds()
"""The 57 kinds in canonical order (D5)."""
HIDDEN: Final = Card("?", None, None, len(CARDS))
"""A card that the viewer may not know."""
_CARD_BY_CODE: Final = {card.code: card for card in (*CARDS, HIDDEN)}

SUPER_TAKI: Final = Card.parse("ST")
KING: Final = Card.parse("K")
PLUS_THREE: Final = Card.parse("+3")
BREAKER: Final = Card.parse("X3")
CHANGE_COLOR: Final = Card.parse("C")

_canonical = attrgetter("index")


def in_canonical_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards sorted as D5 says; hidden ones last."""
    return tuple(sorted(cards, key=_canonical))


def copies(card: Card) -> int:
    """How many of this kind the box holds (D1–D3)."""
    return 4 if card is CHANGE_COLOR else 2


@final
class Lead:
    """What the next card must match: a colour and a face, a colour alone, or anything. One object a kind.

    ``matches`` holds the coloured cards that may follow it (T2; TAKI and Super TAKI share one face, TAKI).
    """

    __slots__ = ("code", "color", "face", "matches")

    code: Final[str]
    color: Final[Color | None]
    face: Final[Face | None]
    matches: Final[frozenset[Card]]

    def __init__(self, color: Color | None, face: Face | None) -> None:
        self.color = color
        self.face = face
        self.code = (color.value if color else "any") + (face.value if face else "")
        self.matches = frozenset(
            card for card in CARDS if card.color and (color is None or card.color is color or card.face is face)
        )

    @staticmethod
    def of(color: Color | None, face: Face | None = None) -> Lead:
        """The lead of this colour and face; without either it is ANY_LEAD."""
        return _LEAD_BY_KIND[color, face]

    @staticmethod
    def parse(code: str) -> Lead:
        """The lead with this code (``"R7"``, ``"R"``, ``"any"``). ValueError names a code that is none."""
        lead = _LEAD_BY_CODE.get(code)
        if lead is None:
            raise ValueError(f"not a lead: {code!r}")
        return lead

    def __repr__(self) -> str:
        return f"Lead({self.code!r})"

    def __str__(self) -> str:
        return self.code

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return Lead.parse, (self.code,)

    def __deepcopy__(self, memo: object) -> Lead:
        return self

    def __copy__(self) -> Lead:
        return self


ANY_LEAD: Final = Lead(None, None)
LEADS: Final = (ANY_LEAD, *(Lead(color, face) for color in Color for face in (None, *NUMBERS, *ACTIONS)))
_LEAD_BY_KIND: Final = {(lead.color, lead.face): lead for lead in LEADS}
_LEAD_BY_CODE: Final = {lead.code: lead for lead in LEADS}
LEAD_OF_CARD: Final = {card: Lead.of(card.color, card.face) for card in CARDS if card.color}
"""The lead that a coloured card sets by lying on top."""
