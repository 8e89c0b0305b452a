"""The rulebook and the cards over HTTP, in the caller's language."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any, Final

from django.http import HttpResponse
from django.utils.translation import get_language
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from games.api.rules_shapes import DeckPageShape, RulebookShape
from games.rulebook import LANGUAGES, Example, HouseRule, Rulebook, card_kinds, rulebook
from games.rules.ruleset import Deck, house_rule_from_text
from players.api.answers import JSON, json_bytes, unchanged
from players.api.door import Endpoint
from players.api.schema import IF_NONE_MATCH, reading

CACHE: Final = "public, max-age=300"


@dataclass(frozen=True, slots=True)
class Page:
    """An answer that is the same for everybody who reads this language; `tag` without its quotation marks."""

    body: bytes
    tag: str


def _page(value: object) -> Page:
    body = json_bytes(value)
    return Page(body, sha256(body).hexdigest()[:32])


def _language() -> str:
    asked = (get_language() or "").partition("-")[0]
    return asked if asked in LANGUAGES else LANGUAGES[0]


def _answer(request: Request, page_in: Callable[[str], Page]) -> HttpResponse:
    page = page_in(_language())
    headers = {"Cache-Control": CACHE, "ETag": f'"{page.tag}"'}
    if_none_match = str(request.META.get("HTTP_IF_NONE_MATCH", ""))
    if if_none_match and unchanged(if_none_match, page.tag):
        return HttpResponse(status=304, headers=headers)
    return HttpResponse(page.body, content_type=JSON, headers=headers)


class RulesView(Endpoint):
    """The rules of the game."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @reading("rules", "The rulebook", RulebookShape, IF_NONE_MATCH, without=(401, 403, 404))
    def get(self, request: Request) -> HttpResponse:
        """Every rule, house rule and refusal in the language of `Accept-Language`, each rule with an example.

        Texts are Markdown of one paragraph (`` `code` `` and `*stress*` only).
        """
        return _answer(request, rules_page)


class DeckView(Endpoint):
    """The cards."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @reading("rules_deck", "The cards of each deck", DeckPageShape, IF_NONE_MATCH, without=(401, 403, 404))
    def get(self, request: Request) -> HttpResponse:
        """Every kind of card of each deck (house rule `deck`): code, count, and name in the caller's language."""
        return _answer(request, deck_page)


@cache
def rules_page(language: str) -> Page:
    """The rulebook in one language."""
    book = rulebook(language)
    return _page({**_head(book), **_opening(book), "rules": _rules(book), **_tables(book)})


@cache
def deck_page(language: str) -> Page:
    """The decks in one language."""
    book = rulebook(language)
    return _page({**_head(book), "decks": [_deck(deck, book) for deck in Deck]})


def _head(book: Rulebook) -> dict[str, Any]:
    return {"version": book.version, "language": book.language, "direction": book.direction}


def _opening(book: Rulebook) -> dict[str, Any]:
    return {
        "title": book.title,
        "introduction": book.introduction,
        "notation": book.notation,
        "words": list(book.words),
        "sections": [{"name": section.name, "title": section.title} for section in book.sections],
    }


def _rules(book: Rulebook) -> list[dict[str, Any]]:
    return [
        {
            "id": rule.id,
            "section": rule.section,
            "title": rule.title,
            "text": rule.text,
            "choice": rule.choice,
            "house_rules": list(rule.house_rules),
            "example": _example(rule.example),
        }
        for rule in book.rules
    ]


def _example(example: Example) -> dict[str, Any]:
    words = [word.partition("=") for word in example.house_rules.split()]
    return {
        "house_rules": {name: house_rule_from_text(name, value) for name, _, value in words},
        "position": example.position,
        "seat": example.seat,
        "command": example.command,
        "expect": example.expect,
        "text": example.text,
    }


def _tables(book: Rulebook) -> dict[str, Any]:
    return {
        "house_rules": [_house_rule(house_rule) for house_rule in book.house_rules],
        "refusals": [
            {"refusal": entry.refusal.value, "cause": entry.cause, "cure": entry.cure} for entry in book.refusals
        ],
    }


def _house_rule(house_rule: HouseRule) -> dict[str, Any]:
    least, most = house_rule.bounds or (None, None)
    return {
        "name": house_rule.name,
        "title": house_rule.title,
        "text": house_rule.text,
        "default": house_rule_from_text(house_rule.name, house_rule.default),
        "values": [
            {"value": house_rule_from_text(house_rule.name, value), "text": text} for value, text in house_rule.values
        ],
        "least": least,
        "most": most,
    }


def _deck(deck: Deck, book: Rulebook) -> dict[str, Any]:
    kinds = card_kinds(deck, book)
    return {
        "deck": deck.value,
        "cards": sum(kind.count for kind in kinds),
        "kinds": [
            {
                "code": kind.card.code,
                "color": kind.card.color and kind.card.color.value,
                "face": kind.card.face and kind.card.face.value,
                "count": kind.count,
                "name": kind.name,
            }
            for kind in kinds
        ],
    }
