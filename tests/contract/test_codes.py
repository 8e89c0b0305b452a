"""Every code that can be raised is listed with cause and cure, in each language, at the address that it names."""

import ast
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation

from config.problem_cures import CURES
from config.problem_texts import PROBLEMS
from config.problems import problem_list
from players.api.texts import FIELD_TEXTS
from tests.api.test_problems import LANGUAGES, catalogue

ROOT = Path(__file__).parents[2]
# Calls that raise or make a problem by a literal code: which argument it is, and among which codes it must be.
RAISING = {
    "Found": (0, PROBLEMS),
    "Unreadable": (0, PROBLEMS),
    "WrongPhase": (0, PROBLEMS),
    "field_error": (0, FIELD_TEXTS),
    "invalid": (1, FIELD_TEXTS),
    "_entry": (1, FIELD_TEXTS),
    "BadSettings": (1, FIELD_TEXTS),
}
# The first two are made of a refusal's own name, the others come from the framework.
MADE_ELSEWHERE = {
    "bad_seeding",
    "bad_result",
    "null",
    "password_too_common",
    "password_too_short",
    "password_too_similar",
}


def _sources() -> Iterator[Path]:
    """What answers programs; pages, the admin and the verifier have words of their own."""
    for room in ("config", "players", "games", "tournaments"):
        yield from (path for path in (ROOT / room).rglob("*.py") if not {"admin", "pages", "audit"} & {*path.parts})


def raised() -> list[tuple[str, str, bool]]:
    """Each code that is written where a problem is made: file and line, code, whether it is listed."""
    found = []
    for path in _sources():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or _name(node) not in RAISING:
                continue
            place, listed = RAISING[_name(node)]
            code = node.args[place] if len(node.args) > place else None
            if isinstance(code, ast.Constant) and isinstance(code.value, str):
                where = f"{path.relative_to(ROOT)}:{node.lineno}"
                found.append((where, code.value, code.value in listed))
    return found


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def test_every_code_that_is_raised_is_listed() -> None:
    """A client never meets a code that it cannot look up."""
    codes = raised()
    assert len(codes) > 60
    assert not [(where, code) for where, code, listed in codes if not listed]


def test_every_code_that_is_listed_is_told_somewhere() -> None:
    """The list holds nothing that no longer happens."""
    written = {
        node.value
        for path in _sources()
        if path.name not in ("problem_texts.py", "problem_cures.py", "texts.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    silent = {*PROBLEMS, *FIELD_TEXTS} - written - MADE_ELSEWHERE
    assert not silent


def test_every_code_has_its_cause_and_its_cure() -> None:
    """None is left out, and there is no explanation of a code that is none."""
    assert set(CURES) == set(PROBLEMS)
    with translation.override(None):
        for code, kind in CURES.items():
            assert len({str(kind.cause), str(kind.cure), str(PROBLEMS[code].title)}) == 3, code


@pytest.mark.parametrize("language", LANGUAGES)
def test_causes_and_cures_are_in_the_catalogue_of_every_language(language: str) -> None:
    """Whoever adds a code translates what it means too."""
    known = catalogue(language)
    with translation.override(None):
        told = [str(words) for kind in CURES.values() for words in (kind.cause, kind.cure)]
    assert not [words for words in told if not known.get(words)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_address_of_every_problem_leads_to_its_explanation(client: Client, language: str) -> None:
    """`type` is a page for programs and people, in the caller's language, and says which way that is written."""
    direction = "rtl" if language in settings.LANGUAGES_BIDI else "ltr"
    listed = client.get("/api/v1/problems/", headers={"accept-language": language}).json()
    assert (listed["language"], listed["direction"]) == (language, direction)
    for kind in listed["problems"]:
        answer = client.get(urlsplit(kind["type"]).path, headers={"accept-language": language})
        assert answer.status_code == 200, kind["code"]
        assert answer.headers["Content-Language"] == language
        assert answer.json() == {**kind, "language": language, "direction": direction}


def test_a_code_that_is_none_is_not_found(client: Client) -> None:
    """And says so in the caller's language, from right to left where that is so written."""
    answer = client.get("/api/v1/problems/nonsense/", headers={"accept-language": "he"})
    told = answer.json()
    assert (answer.status_code, told["code"]) == (404, "not_found")
    assert (told["language"], told["direction"]) == ("he", "rtl")


def test_refusals_name_rules_that_there_are() -> None:
    """The ids that an explanation names lead into the rulebook."""
    from games.rulebook import rulebook

    known = {rule.id for rule in rulebook("en").rules}
    for language in LANGUAGES:
        with translation.override(language):
            refusals = problem_list()["refusals"]
        assert isinstance(refusals, list)
        assert not [entry for entry in refusals if not set(entry["rules"]) <= known]
        assert sum(bool(entry["rules"]) for entry in refusals) >= 12
