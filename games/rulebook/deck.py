"""The cards of each deck, named in a language."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from games.rulebook.book import Rulebook
from games.rules.cards import Card
from games.rules.ruleset import Deck, deck_cards


@dataclass(frozen=True, slots=True)
class CardKind:
    """A kind of card, how often the deck holds it, and its name."""

    card: Card
    count: int
    name: str


def card_kinds(deck: Deck, book: Rulebook) -> tuple[CardKind, ...]:
    """The kinds in this deck, in canonical order (D5)."""
    counted = Counter(deck_cards(deck))
    return tuple(CardKind(card, count, book.card_names[card]) for card, count in counted.items())
