"""Which texts are a player's name, and when two names are the same."""

import re
import unicodedata
from typing import Final

LEAST: Final = 2
MOST: Final = 24
_PUNCTUATION: Final = frozenset("_-.")
# Letters and marks that show nothing, so that two names would look alike.
_INVISIBLE: Final = frozenset("\u115f\u1160\u3164\uffa0\u17b4\u17b5\u034f")
_INVISIBLE_RANGES: Final = re.compile("[\ufe00-\ufe0f\u180b-\u180f\U000e0100-\U000e01ef]")

DELETED: Final = "deleted player"
"""What is shown where the player of a name was erased."""


class BadName(ValueError):
    """The text cannot be a name: 2–24 characters, letters, digits, single spaces, `_`, `-` and `.`, not these alone."""


def name_normal(text: str) -> str:
    """The name in NFC. Raises BadName when it is none."""
    name = unicodedata.normalize("NFC", text)
    if not LEAST <= len(name) <= MOST or name != name.strip(" ") or "  " in name:
        raise BadName(text)
    if _INVISIBLE & set(name) or _INVISIBLE_RANGES.search(name):
        raise BadName(text)
    before = ""
    for character in name:
        if not _allowed(character, before):
            raise BadName(text)
        before = character
    if not any(_is_letter_or_digit(character) for character in name):
        raise BadName(text)  # in an address “..” is somewhere else, and “--” looks like nobody
    return name


def name_key(name: str) -> str:
    """Equal for two names that differ in case only."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


# Nobody is called like an erased player, in any of our languages, nor like a part of an address of the API.
RESERVED: Final = frozenset(map(name_key, (DELETED, "שחקן שנמחק", "שחקנית שנמחקה", "guest", "me")))


def is_reserved(name: str) -> bool:
    """Nobody may take this name."""
    return name_key(name) in RESERVED


def _allowed(character: str, before: str) -> bool:
    kind = unicodedata.category(character)
    if kind.startswith("M"):  # a vowel sign or accent belongs to a letter
        return bool(before) and unicodedata.category(before)[0] in "LM"
    return _is_letter_or_digit(character) or character == " " or character in _PUNCTUATION


def _is_letter_or_digit(character: str) -> bool:
    kind = unicodedata.category(character)
    return kind.startswith("L") or kind == "Nd"
