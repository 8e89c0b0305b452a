"""Problem documents: every code is listed, has its sentence in each language, and is told in the caller's."""

import gettext
import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import DataError, InterfaceError, OperationalError
from django.utils import translation

from config.problem_texts import PROBLEMS, REFUSALS
from config.problems import problem_list
from games.errors import WRONG_PHASE_CODES
from games.rules.refusals import Refusal
from players.api.texts import FIELD_TEXTS
from tests.api.http import Caller, problem
from tests.api.tables import Table
from tournaments.rules import Refusal as TournamentRefusal
from tournaments.texts import REFUSAL_TEXTS

LANGUAGES = [code for code, _ in settings.LANGUAGES]
LOCALE = Path(settings.LOCALE_PATHS[0])
PLACEHOLDER = re.compile(r"%\(\w+\)s")


def sentences() -> list[str]:
    """Every sentence that a problem document can hold, in English."""
    with translation.override(None):
        told = [words for kind in PROBLEMS.values() for words in (kind.title, kind.detail)]
        refusals = (*REFUSALS.values(), *REFUSAL_TEXTS.values())
        return [str(words) for words in (*told, *FIELD_TEXTS.values(), *refusals)]


def catalogue(language: str) -> dict[str, str]:
    """The compiled catalogue of a language."""
    with (LOCALE / language / "LC_MESSAGES" / "django.mo").open("rb") as compiled:
        found: dict[str, str] = gettext.GNUTranslations(compiled)._catalog  # type: ignore[attr-defined]
        return {source: text for source, text in found.items() if source}


def source(language: str) -> dict[str, str]:
    """The catalogue as it is written."""
    text = (LOCALE / language / "LC_MESSAGES" / "django.po").read_text()
    pairs = re.findall(r'^msgid ((?:"[^\n]*"\n)+)msgstr ((?:"[^\n]*"\n?)+)', text, re.MULTILINE)
    joined = [tuple(eval("(" + part + ")") for part in pair) for pair in pairs]  # noqa: S307  # string literals
    return {source: translated for source, translated in joined if source}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_in_the_catalogue_of_every_language(language: str) -> None:
    """A code whose title, detail or refusal lacks a translation does not get in."""
    known = catalogue(language)
    assert not [sentence for sentence in sentences() if not known.get(sentence)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_compiled_catalogues_are_those_that_are_written(language: str) -> None:
    """Whoever changes a .po compiles it."""
    assert catalogue(language) == source(language)


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_translations_say_something_else_and_name_the_same_values(language: str) -> None:
    """A translation is not the English text again, and loses no number or name."""
    for english, translated in catalogue(language).items():
        assert english != translated
        assert sorted(PLACEHOLDER.findall(english)) == sorted(PLACEHOLDER.findall(translated))


def test_every_refusal_of_the_rules_and_every_phase_code_has_a_sentence() -> None:
    """Nothing that the game can refuse is without words."""
    assert set(REFUSALS) == set(Refusal)
    assert set(REFUSAL_TEXTS) == set(TournamentRefusal)
    assert set(PROBLEMS) >= WRONG_PHASE_CODES


def test_the_list_of_problems_is_public_and_complete(nobody: Caller) -> None:
    """A client can learn every code without a token."""
    listed = nobody.get("problems/").json()
    assert {entry["code"]: entry["status"] for entry in listed["problems"]} == {
        code: kind.status for code, kind in PROBLEMS.items()
    }
    assert {entry["code"] for entry in listed["fields"]} == set(FIELD_TEXTS)
    assert {entry["refusal"] for entry in listed["refusals"]} == {refusal.value for refusal in Refusal}


def test_problems_speak_the_language_that_is_asked_for(nobody: Caller) -> None:
    """`Accept-Language` chooses; a language that we lack gets English."""
    told: dict[str, Any] = {}
    for wanted in ("he", "he-IL, en;q=0.5", "en", "fr"):
        answer = nobody.get("players/me/", accept_language=wanted)
        told[wanted] = answer.json()["detail"]
        assert "Accept-Language" in answer.headers["Vary"]
    assert told["he"] == told["he-IL, en;q=0.5"] == catalogue("he")[told["en"]]
    assert told["fr"] == told["en"]


def test_problems_outside_of_endpoints_speak_it_too(nobody: Caller) -> None:
    """Also what is judged before any endpoint, after a request in another language on the same thread."""
    with translation.override("en"):
        he = nobody.get("nowhere/", accept_language="he").json()
        big = nobody.raw("players/guest/", b" " * 70_000, accept_language="he").json()
    assert he["title"] == catalogue("he")["Not found"]
    assert big["title"] == catalogue("he")["Body too large"]


def test_the_list_itself_can_be_had_in_hebrew() -> None:
    """Sentences are made when they are told, not when the program starts."""
    with translation.override("he"):
        told = problem_list()["refusals"]
    with translation.override("en"):
        assert told != problem_list()["refusals"]


@pytest.mark.parametrize(
    "path", ["nowhere/", "games/x/", "games/x/view/", "/api/", "/api/v2/", "/api/v1", "games/%FF/"]
)
def test_an_unknown_address_under_api_is_a_problem_document(nobody: Caller, path: str) -> None:
    """No HTML page ever answers a program."""
    assert problem(nobody.post(path, {})) == (404, "not_found")


def test_a_forgotten_slash_is_a_redirect_that_keeps_method_and_body(nobody: Caller) -> None:
    """308, not 301: a POST stays a POST."""
    answer = nobody.post("players/guest", {"name": "Dana"})
    assert (answer.status_code, answer.headers["Location"]) == (308, "/api/v1/players/guest/")


SECRET = "a detail that nobody outside may read"


@pytest.mark.django_db
@pytest.mark.parametrize("error", [RuntimeError(SECRET), KeyError(SECRET), DataError(SECRET)])
def test_what_nobody_expected_is_500_without_a_word_of_what_it_was(
    table: Table, monkeypatch: pytest.MonkeyPatch, error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    """The log has it; the caller has a code, and no event is written."""
    before = table.state()

    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("games.api.play.game_submit", fail)
    caller = table.host
    headers = {"authorization": f"Bearer {caller.token}"}
    answer = caller.client.post(
        f"/api/v1/{table.path('commands/')}", {"type": "draw"}, "application/json", headers=headers
    )
    assert problem(answer) == (500, "server_error")
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert SECRET not in answer.content.decode()
    assert type(error).__name__ in caplog.text
    assert table.state() == before


@pytest.mark.django_db
@pytest.mark.parametrize("error", [OperationalError("could not connect to 10.0.0.7"), InterfaceError("closed")])
def test_a_database_that_does_not_answer_is_503_with_a_time_to_come_back(
    table: Table, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """Wherever in a request it fails, also while looking up the token."""

    def fail(*_: object, **__: object) -> None:
        raise error

    for where in ("games.api.play.game_submit", "players.api.authentication.token_load"):
        monkeypatch.setattr(where, fail)
        answer = table.host.post(table.path("commands/"), {"type": "draw"})
        assert problem(answer) == (503, "unavailable")
        assert answer.headers["Retry-After"] == "2"
        assert "10.0.0.7" not in answer.content.decode()
