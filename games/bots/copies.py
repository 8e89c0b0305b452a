"""The copies of the cards as bits, so that a hand is one whole number: what a search plays its worlds with.

Bit ``2 * kind`` and the next are the two copies of a kind in canonical order (D5); Change Color, the last kind, has
four. A hand is the sum of its bits, so a colour, a lead or a count is one operation on it.
"""

from collections.abc import Iterable
from typing import Final

from games.rules.cards import ANY_LEAD, CARDS, LEADS, Card, Color, Face, Lead, copies
from games.rules.ruleset import Deck, deck_cards

COLORS: Final = 4
FACES: Final = 13
"""Faces of a coloured card; those of colourless cards follow."""
NO_COLOR: Final = -1

STOP, PLUS_TWO, CHANGE_DIRECTION, PLUS, TAKI, SUPER_TAKI, KING, PLUS_THREE, BREAKER, CHANGE_COLOR = range(8, 18)
"""The faces that are no numbers, in canonical order; 0 to 7 are the numbers."""

_FACE_NUMBER: Final = {face: number for number, face in enumerate(Face)}
_COLOR_NUMBER: Final = {color: number for number, color in enumerate(Color)}

CARD_OF: Final = tuple(card for card in CARDS for _ in range(copies(card)))
"""The card that a bit is a copy of."""
BITS: Final = len(CARD_OF)
ONE: Final = tuple(1 << bit for bit in range(BITS))
FACE_OF: Final = tuple(_FACE_NUMBER[card.face] for card in CARD_OF if card.face is not None)
COLOR_OF: Final = tuple(_COLOR_NUMBER[card.color] if card.color else NO_COLOR for card in CARD_OF)

ANY: Final = COLORS * (FACES + 1) + FACES
"""The lead that any card follows."""


def lead_number(color: int, face: int = FACES) -> int:
    """The lead of a colour (0…3) and a face (0…12); without a face, of the colour alone."""
    return color * (FACES + 1) + face


LEAD_COLOR: Final = tuple(number // (FACES + 1) if number < COLORS * (FACES + 1) else NO_COLOR for number in range(70))
LEAD_OF: Final = tuple(
    lead_number(color, face) if color >= 0 else ANY for color, face in zip(COLOR_OF, FACE_OF, strict=True)
)
"""The lead that a coloured copy sets."""


def mask(bits: Iterable[int]) -> int:
    """The hand of these copies."""
    return sum(ONE[bit] for bit in bits)


_EVERY: Final = range(BITS)
OF_COLOR: Final = tuple(mask(bit for bit in _EVERY if COLOR_OF[bit] == color) for color in range(COLORS))
OF_FACE: Final = tuple(mask(bit for bit in _EVERY if FACE_OF[bit] == face) for face in range(len(Face)))
COLORED: Final = sum(OF_COLOR)
COLORLESS: Final = mask(_EVERY) - COLORED


def number_of_lead(lead: Lead) -> int:
    """The engine's lead as a number."""
    if lead.color is None:
        return ANY
    return lead_number(_COLOR_NUMBER[lead.color], FACES if lead.face is None else _FACE_NUMBER[lead.face])


def number_of_color(color: Color | None) -> int:
    """The engine's colour as a number, NO_COLOR for none."""
    return NO_COLOR if color is None else _COLOR_NUMBER[color]


def _matches() -> tuple[int, ...]:
    found = [0] * 70
    for lead in LEADS:
        found[number_of_lead(lead)] = mask(bit for bit in _EVERY if CARD_OF[bit] in lead.matches)
    return tuple(found)


MATCHES: Final = _matches()
"""The coloured copies that may follow a lead (T2)."""
FIRST_BIT: Final = {card: CARD_OF.index(card) for card in CARDS}


def bits_of(cards: Iterable[Card]) -> list[int]:
    """Distinct copies for these cards, of which none may be hidden."""
    used: dict[Card, int] = {}
    bits = []
    for card in cards:
        place = used.get(card, 0)
        used[card] = place + 1
        bits.append(FIRST_BIT[card] + place)
    return bits


def deck_bits(deck: Deck) -> list[int]:
    """Every copy in the deck."""
    return bits_of(deck_cards(deck))


assert MATCHES[ANY] == COLORED and number_of_lead(ANY_LEAD) == ANY  # noqa: PT018, S101  # the layout that all rests on
