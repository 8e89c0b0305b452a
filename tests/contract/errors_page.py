"""The lists in docs/api/errors.md, written from the tables themselves: `python -m tests.contract.errors_page`."""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "api" / "errors.md"
_LISTS = re.compile(r"<!-- (\w+): written by tests/contract/errors_page.py -->\n.*?<!-- end -->", re.DOTALL)


def written(page: str) -> str:
    """The page with its lists as they are now, in English whatever language the last request spoke."""
    from django.utils import translation

    with translation.override("en"):
        return _LISTS.sub(lambda found: _list(found[1]), page)


def _list(name: str) -> str:
    rows = {"problems": _problems, "fields": _fields, "refusals": _refusals, "tournament_refusals": _tournaments}[
        name
    ]()
    return "\n".join([f"<!-- {name}: written by tests/contract/errors_page.py -->", *rows, "<!-- end -->"])


def _table(*columns: str, rows: Iterable[Iterable[object]]) -> Iterator[str]:
    yield "| " + " | ".join(columns) + " |"
    yield "|---" * len(columns) + "|"
    for row in rows:
        yield "| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |"


def _problems() -> Iterator[str]:
    from config.problem_cures import CURES
    from config.problem_texts import PROBLEMS

    ordered = sorted(PROBLEMS.items(), key=lambda entry: entry[1].status)
    rows = ((kind.status, f"`{code}`", CURES[code].cause, CURES[code].cure) for code, kind in ordered)
    return _table("status", "`code`", "cause", "cure", rows=rows)


def _fields() -> Iterator[str]:
    from players.api.texts import FIELD_TEXTS

    rows = ((f"`{code}`", re.sub(r"%\((\w+)\)s", r"*\1*", str(words))) for code, words in FIELD_TEXTS.items())
    return _table("`code`", "it says", rows=rows)


def _refusals() -> Iterator[str]:
    from games.rulebook import rulebook

    rows = ((f"`{text.refusal.value}`", text.cause, text.cure) for text in rulebook("en").refusals)
    return _table("`refusal`", "cause", "cure", rows=rows)


def _tournaments() -> Iterator[str]:
    from tournaments.texts import REFUSAL_TEXTS

    return _table("`refusal`", "it says", rows=((f"`{one.value}`", words) for one, words in REFUSAL_TEXTS.items()))


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    import django

    django.setup()
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
