"""Whatever any endpoint is sent (bodies, headers, queries, paths that nobody would write), its answer is documented."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, TypeVar

import pytest
from django.db import transaction
from pytest_django.plugin import DjangoDbBlocker

from tests.api import contract
from tests.api.test_bad_input import BODIES
from tests.contract.test_authorisation import API, CLIENT, Row, rows
from tests.contract.world import World, made_world

Kind = TypeVar("Kind")
pytestmark = pytest.mark.django_db
# What is far too large is tried where the size is judged: before any endpoint (tests/api/test_bad_input.py).
ODD_BODIES = {kind: case for kind, case in BODIES.items() if len(case[0]) < 60_000}
ODD_HEADERS: dict[str, dict[str, str]] = {
    "accept nothing": {"accept": ""},
    "accept nonsense": {"accept": ";;q=x/,,"},
    "accept far too much": {"accept": "text/html," * 500},
    "an unknown language": {"accept-language": "xx-\ud800".encode("utf-8", "replace").decode() + ";q=9"},
    "many languages": {"accept-language": "he;q=0.1," * 500},
    "a key that is none": {"idempotency-key": "\x00"},
    "a key in braces": {"idempotency-key": "{0192f6a0-5b1e-7c3d-8e4f-1a2b3c4d5e6f}"},
    "a tag that is none": {"if-match": '"', "if-none-match": "W/"},
    "many tags": {"if-match": '"a", ' * 500, "if-none-match": '"a", ' * 500},
    "a tag in Hebrew": {"if-match": '"ש"', "if-none-match": '"ש"'},
    "another host": {"host": "exa mple.org:x"},
    "a forwarded address": {"x-forwarded-for": "1.2.3.4, ::, x", "x-forwarded-host": "evil.example"},
    "a request id": {"x-request-id": "a\tb" * 40},
    "another method": {"x-http-method-override": "DELETE"},
    "a range": {"range": "bytes=0-1"},
    "an origin": {"origin": "null"},
}
ODD_QUERIES = (
    "?",
    "?=",
    "?%00=%00",
    "?limit=%00&after=-1",
    "?limit=1&limit=2",
    "?cursor=%F0%9F%83%8F",
    "?as=%ED%A0%80",
    "?after=99999999999999999999",
    "?" + "a=1&" * 300,
    "?player=%2e%2e%2f",
)


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """Made once; each request leaves it as it was."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield made_world()
        transaction.set_rollback(True)


@cache
def requests() -> list[Row]:
    """One of each method and route below the API."""
    found: dict[tuple[str, str], Row] = {}
    for row in rows():
        if row.url.startswith(API):
            found.setdefault((row.method, re.sub(r"\{\w+\}|\d+", "*", row.url)), row)
    return list(found.values())


def _sent(world: World, row: Row, *, query: str = "", body: bytes | None = None, **headers: str) -> Any:
    path = re.sub(r"\{(\w+)\}", lambda name: world.ids[name[1]], row.url).partition("?")[0]
    token = world.tokens["organiser" if "tournaments/" in path else "host"]
    with transaction.atomic():
        CLIENT.cookies.clear()
        sent = {"authorization": f"Bearer {token}", **headers}
        answer = CLIENT.generic(row.method, path + query, body or b"", content_type="application/json", headers=sent)
        transaction.set_rollback(True)
    _as_documented(row, path, answer)
    return answer


def _as_documented(row: Row, path: str, answer: Any) -> None:
    body = b"" if answer.streaming else answer.content
    assert answer.status_code < 500, (row.method, path, body)
    if not answer.streaming:
        contract.check(row.method, path, answer.status_code, answer.headers.get("Content-Type", ""), body)


def some(kinds: Iterable[Kind], row: Row, share: int) -> list[Kind]:
    """Every so many of the kinds, others for each endpoint, so that together all are tried."""
    first = requests().index(row) % share
    return list(kinds)[first::share]


@pytest.fixture
def share(request: pytest.FixtureRequest) -> int:
    """All kinds at every endpoint with --deep, else a few at each."""
    return 1 if request.config.getoption("--deep") else 8


@pytest.mark.parametrize("row", [row for row in requests() if row.method != "GET"], ids=lambda row: row.path)
def test_odd_bodies_are_answered_as_documented(world: World, row: Row, share: int) -> None:
    """With the status of this kind of body, unless something else is wrong first."""
    for kind, (body, status, code) in some(ODD_BODIES.items(), row, share):
        answer = _sent(world, row, body=body)
        told = answer.json() if answer.status_code >= 400 else {}
        as_ever = (answer.status_code, told.get("code")) == (status, code)
        assert as_ever or answer.status_code in (403, 404, 409), (kind, answer.status_code, told)


@pytest.mark.parametrize("row", requests(), ids=lambda row: f"{row.method} {row.path}")
def test_odd_headers_and_queries_are_answered_as_documented(world: World, row: Row, share: int) -> None:
    """Never 500, never HTML, never a status that the document does not have."""
    for headers in some(ODD_HEADERS.values(), row, share):
        _sent(world, row, body=b"{}" if row.method != "GET" else None, **headers)
    for query in some(ODD_QUERIES, row, share):
        _sent(world, row, query=query)
