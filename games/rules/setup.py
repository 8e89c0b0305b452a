"""The deal and the opening card (section 3)."""

from __future__ import annotations

from typing import Final

from games.rules.cards import NUMBERS, Card, Seat, in_canonical_order
from games.rules.events import CardsDealt, Event, GameStarted
from games.rules.ruleset import RULES_VERSION, OpeningCard, Ruleset, deck_cards
from games.rules.shuffle import SEED_BYTES, shuffled

SEATS_LEAST: Final = 2
SEATS_MOST: Final = 10


def start(*, rules: Ruleset, seats: int, first: Seat, seed: bytes) -> tuple[Event, ...]:
    """The first events of a game: GameStarted and CardsDealt (S1–S4). The 32-byte seed decides the shuffle (H1).

    ValueError if the number of seats, the seat that begins or the seed is out of bounds.
    """
    if not SEATS_LEAST <= seats <= SEATS_MOST:
        raise ValueError(f"a table has {SEATS_LEAST} to {SEATS_MOST} seats, not {seats}")
    if not 0 <= first < seats:
        raise ValueError(f"no such seat: {first}")
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
    return GameStarted(RULES_VERSION, rules, seats, first), _deal(rules, seats, seed)


def _deal(rules: Ruleset, seats: int, seed: bytes) -> CardsDealt:
    deck = shuffled(seed, 0, deck_cards(rules.deck))
    dealt = seats * rules.hand_size
    hands = tuple(in_canonical_order(deck[seat:dealt:seats]) for seat in range(seats))
    rest = deck[dealt:]
    place = _opening_place(rules, rest)
    turned = rest[:place]
    return CardsDealt(hands, rest[place + 1 :] + turned, rest[place], turned)


def _opening_place(rules: Ruleset, rest: tuple[Card, ...]) -> int:
    """Where in the rest of the deck the opening card lies (S3, house rule opening_card).

    At most 100 cards are dealt, and no deck's other cards are all colourless: there is always a coloured one.
    """
    if rules.opening_card is OpeningCard.NUMBER:
        numbers = (place for place, card in enumerate(rest) if card.face in NUMBERS)
        if (number := next(numbers, None)) is not None:
            return number
    return next(place for place, card in enumerate(rest) if card.color is not None)
