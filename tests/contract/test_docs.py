"""docs/api says what is so: blocks run, examples fit the schemas, lists are the server's, links lead on."""

import json
import re
from pathlib import Path

import pytest

from players.api.throttles import LIMITS
from tests.api import contract
from tests.contract.errors_page import PAGE, written
from tests.e2e.documented import blocks, blocks_run
from tests.e2e.system import ROOT, System

PAGES = sorted((ROOT / "docs" / "api").glob("*.md"))
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
_EXAMPLE = re.compile(r"<!-- schema: (\w+) -->\n```json\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\((?!https?:)([^)#]+)(#[^)]*)?\)")


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


# The page of accounts runs with its mails (tests/e2e/test_accounts.py), that of playing below.
TOLD_APART = {"docs/api/accounts.md", "docs/api/playing.md"}


@pytest.mark.parametrize("page", [name for name in NAMES if blocks(name) and name not in TOLD_APART])
def test_the_blocks_of_a_page_run(system: System, page: str) -> None:
    """Every shell block, one after the other, as a reader would paste them; no answer is a 500."""
    printed = blocks_run(system, page)
    assert '"status":500' not in printed
    assert EXPECTED.get(page, "") in printed


EXPECTED = {
    "docs/api/README.md": '"refusal":"NOT_LAST_CARD"',
    "docs/api/errors.md": '"field":"colour","code":"unknown"',
    "docs/api/limits.md": "413",
    "docs/api/streams.md": 'event: clock\ndata: {"turn":',
    "docs/api/tournaments.md": "cancelled",
}
"""What only a page whose blocks did their work prints."""


def test_the_same_move_twice_is_the_same_move(system: System) -> None:
    """What playing.md says of `Idempotency-Key`, as its blocks show it."""
    printed = blocks_run(system, "docs/api/playing.md")
    moves = re.findall(r'\{"version":\d+,"events":(\[.*?\]),"view":', printed)
    assert len(moves) == 2, printed
    assert json.loads(moves[0]) == json.loads(moves[1])
    assert '"server_seed":null' in printed, "the game goes on: nobody has left it"


def test_examples_in_json_are_as_their_schemas_say() -> None:
    """Those that are marked with a component's name."""
    found = [example for page in PAGES for example in _EXAMPLE.findall(text_of(page))]
    assert len(found) >= 3
    for name, example in found:
        contract.matches(name, json.loads(example))


def test_examples_in_the_document_are_as_their_schemas_say() -> None:
    """A reader of the pages sees what the server really says."""
    schemas = contract.document()["components"]["schemas"]
    shown = {name: schema["examples"] for name, schema in schemas.items() if "examples" in schema}
    assert {"Game", "View", "Legal", "Move", "EventList", "Guest", "Problem"} <= shown.keys()
    for name, examples in shown.items():
        for example in examples:
            contract.matches(name, example)


def test_the_page_of_errors_is_what_the_tables_say() -> None:
    """`python -m tests.contract.errors_page` writes it anew."""
    assert written(text_of(PAGE)) == text_of(PAGE)


def test_the_page_of_limits_has_every_limit_as_it_is() -> None:
    """Name, how many at once, how many in the long run."""
    page = text_of(ROOT / "docs" / "api" / "limits.md")
    spans = {1: "second", 60: "minute", 3600: "hour"}
    for limit in LIMITS:
        long_run = f"{limit.count} {'a' if limit.seconds < 3600 else 'an'} {spans[limit.seconds]}"
        assert f"| `{limit.name}` | {limit.burst} | {long_run} |" in page


def test_the_index_names_every_page() -> None:
    """And every page that it names is there."""
    index = text_of(ROOT / "docs" / "api" / "README.md")
    named = {name for name, _ in _LINK.findall(index) if name.endswith(".md") and "/" not in name}
    assert named == {page.name for page in PAGES if page.name != "README.md"}


@pytest.mark.parametrize("page", NAMES)
def test_links_lead_somewhere(page: str) -> None:
    """To files of the repository that are there."""
    here = (ROOT / page).parent
    assert not [link for link, _ in _LINK.findall(text_of(ROOT / page)) if not (here / link).exists()]
