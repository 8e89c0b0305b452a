"""Every route × method × role gives the status that the table says (authorisation.txt)."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, resolve
from pytest_django.plugin import DjangoDbBlocker

from tests.contract.world import ROLES, World, made_world

pytestmark = pytest.mark.django_db
TABLE = Path(__file__).with_name("authorisation.txt")
API = "/api/v1/"
CLIENT = Client(raise_request_exception=False)
METHODS = ("get", "post", "put", "patch", "delete")
# The admin has a table of its own (tests/desk/test_roles.py), allauth's routes come with that library.
ELSEWHERE = ("/admin/", "/_allauth/")


@dataclass(frozen=True)
class Row:
    """One request, and the status that each role gets for it."""

    method: str
    path: str
    statuses: dict[str, int]
    body: Any

    @property
    def url(self) -> str:
        """The address with its placeholders."""
        return self.path if self.path.startswith("/") else API + self.path


@cache
def rows() -> tuple[Row, ...]:
    """The table, read."""
    lines = (line for line in TABLE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#"))
    return tuple(map(_row, lines))


def _row(line: str) -> Row:
    method, path, *rest = line.split(maxsplit=1 + len(ROLES) + 1)
    statuses, body = rest[: len(ROLES)], rest[len(ROLES) :]
    assert len(statuses) == len(ROLES), f"a row needs {len(ROLES)} statuses: {line}"
    return Row(method, path, dict(zip(ROLES, map(int, statuses), strict=True)), json.loads(body[0]) if body else None)


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """Made once for all rows, each of which leaves it as it was."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield made_world()
        transaction.set_rollback(True)


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row.method} {row.path}")
def test_a_role_may_do_this_and_no_more(world: World, row: Row) -> None:
    """What the table says, for every role."""
    got = {role: _status(world, role, row) for role in ROLES}
    assert got == row.statuses


def _status(world: World, role: str, row: Row) -> int:
    """The status of the request; whatever it did is undone."""
    url = re.sub(r"\{(\w+)\}", lambda name: world.ids[name[1]], row.url)
    token = world.token(role, row.path)
    headers = {"authorization": f"Bearer {token}"} if token else {}
    body = b"" if row.body is None else json.dumps(row.body).encode()
    with transaction.atomic():
        CLIENT.cookies.clear()
        answer = CLIENT.generic(row.method, url, body, content_type="application/json", headers=headers)
        transaction.set_rollback(True)
    if answer.status_code >= 400 and url.startswith("/api/"):
        _is_a_problem(answer)
    return int(answer.status_code)


def _is_a_problem(answer: Any) -> None:
    told = answer.json()
    assert told["status"] == answer.status_code < 500, told
    assert (answer.status_code == 401) == (told["code"] in ("not_authenticated", "token_invalid"))


# ---- nothing is left out


def _routes(patterns: list[URLPattern | URLResolver], prefix: str = "/") -> Iterator[tuple[str, Any]]:
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern.url_patterns, route)
        else:
            yield route, pattern.callback


def _methods(view: Any) -> set[str]:
    """What an endpoint answers; a page is for reading."""
    endpoint: Any = getattr(view, "cls", None) or view.view_class
    return {method for method in METHODS if method in endpoint.http_method_names and hasattr(endpoint, method)}


def test_no_route_is_without_a_row() -> None:
    """Whoever adds an endpoint says who may use it."""
    routes = {
        (method.upper(), route)
        for route, view in _routes(get_resolver().url_patterns)
        if not route.startswith(ELSEWHERE)
        for method in (_methods(view) if route.startswith(API) else {"get"})
    }
    told = {(row.method, "/" + resolve(_sample(row.url)).route) for row in rows()}
    assert sorted(routes - told) == []
    assert sorted(told - routes) == []


def _sample(url: str) -> str:
    """The path with an id for each placeholder, as it is resolved."""
    url = unquote(url.partition("?")[0])
    return re.sub(r"\{\w+\}", "01890000-0000-7000-8000-000000000000", url)


def test_a_method_that_is_none_is_405_for_who_may_ask_at_all(world: World) -> None:
    """And names those that there are."""
    known: dict[str, set[str]] = {}
    for row in rows():
        if row.url.startswith(API):
            known.setdefault(row.url.partition("?")[0], set()).add(row.method)
    for url, methods in known.items():
        for method in {"PUT", "PATCH", "DELETE", "POST"} - methods:
            row = Row(method, url, {}, None)
            resolved = getattr(resolve(_sample(url)).func, "cls", None)
            if resolved is None or hasattr(resolved, method.lower()):
                continue
            assert (url, method, _status(world, "organiser", row)) == (url, method, 405)


def test_the_table_is_in_order_and_says_nothing_twice() -> None:
    """One row for one request."""
    seen = [(row.method, row.path, json.dumps(row.body)) for row in rows()]
    assert len(set(seen)) == len(seen)
