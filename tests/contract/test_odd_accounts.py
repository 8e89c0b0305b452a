"""django-allauth's own routes, which our document does not describe: nothing that is sent there is a 500."""

import json
import re
from collections.abc import Iterator

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from players.models import Player
from tests.api.test_bad_input import BODIES

pytestmark = pytest.mark.django_db
PREFIX = "/_allauth/"
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
TEXTS = ("", "x", "x@example.org", "\x00", "שלום", "a" * 5_000, "' OR 1=1 --", "{{7*7}}", "\u202e")
VALUES: tuple[object, ...] = (*TEXTS, None, True, -1, 10**30, 1.5, [], {}, ["x"], {"x": {}})
NAMES = (
    "username", "email", "login", "password", "key", "code", "new_password", "current_password", "provider", "process",
    "token", "callback_url", "id", "account", "credential",
)  # fmt: skip


def paths(patterns: list[URLPattern | URLResolver], prefix: str = "/") -> Iterator[str]:
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from paths(pattern.url_patterns, route)
        elif route.startswith(PREFIX):
            yield re.sub(r"<(?:\w+:)?(\w+)>", "1", route)


PATHS = sorted({*paths(get_resolver().url_patterns)})


def bodies(place: int, share: int) -> list[bytes]:
    """Well-formed ones with a value of any kind in every field, then those that are no JSON at all."""
    odd = [json.dumps(dict.fromkeys(NAMES, value)).encode() for value in VALUES]
    odd += [body for body, _, _ in BODIES.values() if len(body) < 60_000]
    return odd[place % share :: share]


def test_there_are_such_routes() -> None:
    """Log-in and sign-up for programs and for pages."""
    for client in ("app", "browser"):
        assert {f"{PREFIX}{client}/v1/auth/login", f"{PREFIX}{client}/v1/auth/signup"} <= {*PATHS}


@pytest.mark.parametrize("path", PATHS)
def test_nothing_that_is_sent_there_is_a_500(path: str, request: pytest.FixtureRequest) -> None:
    """By nobody, and by somebody who is logged in."""
    share = 1 if request.config.getoption("--deep") else 16
    member = Player.objects.create_user("Odd one", "a tram in the rain", email="odd@example.org")
    client = Client(raise_request_exception=False)
    for logged_in in (False, True):
        if logged_in:
            client.force_login(member)
        for place, method in enumerate(METHODS):
            for body in bodies(place, share) if method != "GET" else [b""]:
                with transaction.atomic():
                    answer = client.generic(method, path, body, content_type="application/json")
                    transaction.set_rollback(True)
                assert answer.status_code < 500, (method, path, body, answer.content)
