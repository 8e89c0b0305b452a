"""The rules in our own words, for people: numbered like the engine's, in several languages, with examples.

Plain Python without Django. ``rules.toml`` says which rules there are and gives each its example; ``en.toml`` and
``he.toml`` hold the words. ``python -m games.rulebook`` writes the pages under ``docs/``.

>>> from games.rulebook import rulebook
>>> rulebook("en").rule("U6").example.command
'play RT close'
"""

from games.rulebook.book import Example, HouseRule, RefusalText, Rule, Rulebook, Section
from games.rulebook.deck import CardKind, card_kinds
from games.rulebook.reading import LANGUAGES, RulebookBroken, read_rulebook, rulebook

__all__ = [
    "LANGUAGES",
    "CardKind",
    "Example",
    "HouseRule",
    "RefusalText",
    "Rule",
    "Rulebook",
    "RulebookBroken",
    "Section",
    "card_kinds",
    "read_rulebook",
    "rulebook",
]
