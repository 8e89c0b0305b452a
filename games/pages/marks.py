"""Cards and colours within a line: a shape for the colour, a sign for the card, and their name for the ear."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later

from games.rulebook import LANGUAGES, Rulebook, rulebook
from games.rules.cards import HIDDEN, Card, Color

COLORS: Final[Mapping[Color, str | Promise]] = {
    Color.RED: later("red"),
    Color.GREEN: later("green"),
    Color.BLUE: later("blue"),
    Color.YELLOW: later("yellow"),
}


def book() -> Rulebook:
    """The rulebook of the language that is spoken now."""
    language = (get_language() or "en").split("-")[0]
    return rulebook(language if language in LANGUAGES else "en")


def card_name(card: Card) -> str:
    """ "red 5"; a card that the viewer may not know is a hidden one."""
    return _("a hidden card") if card is HIDDEN else book().card_names[card]


def color_name(color: Color) -> str:
    """The colour as a word."""
    return str(COLORS[color])


def mark(card: Card) -> SafeString:
    """A card within a line: its colour's shape, its sign, and its name for who cannot see it."""
    return _mark(card, get_language())


@lru_cache(maxsize=256)  # every card in every language
def _mark(card: Card, language: str | None) -> SafeString:
    name = card_name(card)
    if card is HIDDEN:
        return format_html('<i class="k Q" role="img" aria-label="{}">?</i>', name)
    color = card.color.value if card.color else "N"
    sign = card.code.removeprefix(color)
    return format_html('<i class="k {}" role="img" aria-label="{}" title="{}">{}</i>', color, name, name, sign)


def marks(cards: Iterable[Card]) -> SafeString:
    """Cards in a line."""
    return format_html_join(" ", "{}", ((mark(card),) for card in cards))


def color_mark(color: Color) -> SafeString:
    """A colour within a line."""
    name = color_name(color)
    return format_html('<i class="k {}" role="img" aria-label="{}" title="{}"></i>', color.value, name, name)
