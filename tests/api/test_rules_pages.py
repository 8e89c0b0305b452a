"""`GET rules/` and `rules/deck/`: the rulebook and the cards in the caller's language, for anybody, to be cached."""

import json
from typing import Any

import pytest

from games.rulebook import LANGUAGES, rulebook
from games.rules.refusals import Refusal
from games.rules.ruleset import Deck, Ruleset, deck_cards
from tests.api.http import Caller, problem, wrong_fields
from tests.rules.test_cases import RULES

pytestmark = pytest.mark.django_db

every_page = pytest.mark.parametrize("path", ["rules/", "rules/deck/"])
every_language = pytest.mark.parametrize("language", LANGUAGES)


def rules_in(language: str) -> dict[str, Any]:
    answer = Caller().get("rules/", accept_language=language)
    assert answer.status_code == 200
    page: dict[str, Any] = answer.json()
    return page


@every_language
def test_every_rule_is_told_in_the_language_that_is_asked_for(language: str) -> None:
    """All ids in order, the texts of the rulebook, and the way in which the language is written."""
    page, book = rules_in(language), rulebook(language)
    assert (page["version"], page["language"]) == (book.version, language)
    assert page["direction"] == {"en": "ltr", "he": "rtl"}[language]
    assert tuple(rule["id"] for rule in page["rules"]) == RULES
    assert [rule["text"] for rule in page["rules"]] == [rule.text for rule in book.rules]
    assert [rule["choice"] for rule in page["rules"]] == [rule.choice for rule in book.rules]
    assert [section["title"] for section in page["sections"]] == [section.title for section in book.sections]


@every_language
def test_every_rule_has_the_example_of_the_rulebook(language: str) -> None:
    """Position, command, seat, outcome and a sentence; a command of the server has no seat."""
    book = rulebook(language)
    for told in rules_in(language)["rules"]:
        example, rule = told["example"], book.rule(told["id"])
        assert example == {
            "house_rules": example["house_rules"],
            "position": rule.example.position,
            "seat": rule.example.seat,
            "command": rule.example.command,
            "expect": rule.example.expect,
            "text": rule.example.text,
        }
        words = [f"{name}={value}" for name, value in example["house_rules"].items()]
        assert " ".join(words) == rule.example.house_rules
        Ruleset.from_mapping(example["house_rules"])
    seats = {told["id"]: told["example"]["seat"] for told in rules_in(language)["rules"]}
    assert [rule_id for rule_id, seat in seats.items() if seat is None] == ["Z5", "Z7"]


@every_language
def test_house_rules_and_refusals_are_explained(language: str) -> None:
    """Every house rule with plain values that `POST games/` takes, and every refusal in its order."""
    page = rules_in(language)
    defaults = {told["name"]: told["default"] for told in page["house_rules"]}
    assert defaults == Ruleset().as_mapping()
    for told in page["house_rules"]:
        values = [value["value"] for value in told["values"]] or [told["least"], told["most"]]
        for value in values:
            assert Ruleset.from_mapping({told["name"]: value})
        assert told["values"] == [] or (values[0], told["least"], told["most"]) == (told["default"], None, None)
    assert [told["refusal"] for told in page["refusals"]] == [refusal.value for refusal in Refusal]
    assert all(told["cause"] and told["cure"] for told in page["refusals"])


@every_language
def test_every_deck_is_listed_with_names(language: str) -> None:
    """The three decks, each card with code, colour, face, count and a name of its own."""
    page = Caller().get("rules/deck/", accept_language=language).json()
    assert {deck["deck"]: deck["cards"] for deck in page["decks"]} == {
        "super_116": 116,
        "king_112": 112,
        "classic_108": 108,
    }
    for deck in page["decks"]:
        codes = [kind["code"] for kind in deck["kinds"] for _ in range(kind["count"])]
        assert codes == [card.code for card in deck_cards(Deck(deck["deck"]))]
        assert len({kind["name"] for kind in deck["kinds"]}) == len(deck["kinds"])
    by_code = {kind["code"]: kind for kind in page["decks"][0]["kinds"]}
    names = {"en": ("red +2", "+3 Breaker"), "he": ("2+ אדום", "שובר 3+")}[language]
    assert by_code["R+2"] == {"code": "R+2", "color": "R", "face": "+2", "count": 2, "name": names[0]}
    assert by_code["X3"] == {"code": "X3", "color": None, "face": "X3", "count": 2, "name": names[1]}
    assert by_code["C"]["count"] == 4


@every_page
@pytest.mark.parametrize(
    ("asked", "told"), [("", "en"), ("fr", "en"), ("en-US", "en"), ("he-IL", "he"), ("fr, he;q=0.8, en;q=0.2", "he")]
)
def test_the_nearest_language_is_chosen(path: str, asked: str, told: str) -> None:
    """By `Accept-Language`, English when none of its languages is there; the answer says which it is."""
    answer = Caller().get(path, accept_language=asked)
    assert answer.json()["language"] == told
    assert answer.headers["Content-Language"] == told
    assert "Accept-Language" in answer.headers["Vary"]


@every_page
def test_anybody_may_keep_the_page(path: str) -> None:
    """It is public, has an ETag per language, and an `If-None-Match` that still holds gets 304 without a body."""
    first = Caller().get(path, accept_language="en")
    assert first.headers["Cache-Control"].startswith("public, max-age=")
    tag = first.headers["ETag"]
    assert Caller().get(path, accept_language="en").headers["ETag"] == tag
    for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = Caller().get(path, accept_language="en", if_none_match=known)
        assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", tag)
        assert again.headers["Cache-Control"] == first.headers["Cache-Control"]
        assert "Accept-Language" in again.headers["Vary"]
    hebrew = Caller().get(path, accept_language="he", if_none_match=tag)
    assert (hebrew.status_code, hebrew.headers["ETag"] == tag) == (200, False)
    assert Caller().get(path, accept_language="en", if_none_match="nonsense").content == first.content


@every_page
def test_a_token_changes_nothing(path: str) -> None:
    """The page is for everybody: a wrong token is no reason to refuse it, and it sets no cookie."""
    plain, bearing = Caller().get(path), Caller(token="nobody's").get(path)
    assert plain.content == bearing.content
    assert not bearing.cookies


@every_page
def test_bad_requests_are_refused_as_everywhere(path: str) -> None:
    """An unknown query parameter is named, another method is not allowed, another format not acceptable."""
    assert wrong_fields(Caller().get(f"{path}?deck=x")) == {"deck": "unknown"}
    assert problem(Caller().post(path, {})) == (405, "method_not_allowed")
    assert problem(Caller().get(path, accept="text/csv")) == (406, "not_acceptable")


@every_page
def test_the_page_is_json_in_utf_8(path: str) -> None:
    """Hebrew stands in it as it is, not as escapes."""
    answer = Caller().get(path, accept_language="he")
    assert answer.headers["Content-Type"] == "application/json"
    text = answer.content.decode("utf-8")
    assert "טאקי" in text
    assert json.loads(text)["direction"] == "rtl"
