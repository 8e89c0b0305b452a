"""A page's cookie: it lets in, changes nothing without proof of where it comes from, and is never another's."""

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client

from config.cors import cors_settings
from players.models import Player, Token
from tests.api.http import problem
from tests.players.people import PASSWORD, Person

SignUp = Callable[..., Person]
LOGIN = "/_allauth/browser/v1/auth/login"
pytestmark = pytest.mark.django_db


@pytest.fixture
def page(person: SignUp) -> Client:
    """A browser that has logged in, as Django's client that checks CSRF."""
    person("Dana")
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    client.get("/_allauth/browser/v1/config")
    answer = post(client, LOGIN, {"username": "Dana", "password": PASSWORD})
    assert answer.status_code == 200, answer.content
    return client


def post(client: Client, path: str, body: object, **headers: str) -> Any:
    """A POST with the cookie's token, as a page of this site sends it."""
    named = {"x-csrftoken": client.cookies["csrftoken"].value, **headers}
    return client.post(path, body, content_type="application/json", headers=named)


def test_the_cookie_lets_in_and_is_safe(page: Client) -> None:
    """Reading needs no more; scripts cannot read the session's cookie, and other sites' posts do not carry it."""
    assert page.get("/api/v1/players/me/").json()["name"] == "Dana"
    cookie = page.cookies["sessionid"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")


def test_a_change_by_cookie_needs_the_csrf_token(page: Client) -> None:
    """Without it 403 and nothing happens; with it the same request is carried out."""
    body = {"seats": 2}
    for refused in (
        page.post("/api/v1/games/", body, content_type="application/json"),
        page.post("/api/v1/tokens/", {}, content_type="application/json", headers={"x-csrftoken": "x" * 32}),
        page.patch("/api/v1/players/me/", {"name": "Eve"}, content_type="application/json"),
        page.delete("/api/v1/players/me/"),
    ):
        assert problem(refused) == (403, "csrf_failed")
    assert Player.objects.get().name == "Dana"
    assert not Token.objects.exists()
    assert post(page, "/api/v1/games/", body).status_code == 201


def test_a_page_of_another_site_gets_nothing_done(page: Client) -> None:
    """Also with the token: over https the origin must be one of ours, and an unnamed one never is."""
    refused = post(page, "/api/v1/games/", {"seats": 2}, origin="https://evil.example")
    assert problem(refused) == (403, "csrf_failed")


def test_a_named_page_of_the_same_site_can_do_it_all(person: SignUp, settings: LazySettings) -> None:
    """It cannot read this host's cookies, but the token in the answers; the old token is over after the log-in."""
    page = "https://play.taki.example"
    person("Dana")
    for name, value in cors_settings(("*", page)).items():
        setattr(settings, name, value)
    settings.CSRF_TRUSTED_ORIGINS = [page]
    client = Client(enforce_csrf_checks=True, headers={"origin": page})
    first = client.get("/_allauth/browser/v1/auth/session")
    assert first.headers["Access-Control-Allow-Credentials"] == "true"
    body, token = {"username": "Dana", "password": PASSWORD}, first.json()["meta"]["csrf_token"]
    answer = client.post(LOGIN, body, content_type="application/json", headers={"x-csrftoken": token})
    assert answer.status_code == 200
    fresh = answer.json()["meta"]["csrf_token"]
    for sent, status in ((token, 403), (fresh, 201)):
        headers = {"x-csrftoken": sent}
        made = client.post("/api/v1/games/", {"seats": 2}, content_type="application/json", headers=headers)
        assert made.status_code == status


def test_logging_in_needs_the_csrf_token_too(person: SignUp) -> None:
    """Nobody is logged in as somebody else by a foreign page (login CSRF)."""
    person("Dana")
    client = Client(enforce_csrf_checks=True)
    body = {"username": "Dana", "password": PASSWORD}
    assert problem(client.post(LOGIN, body, content_type="application/json")) == (403, "csrf_failed")


def test_a_log_in_gets_a_session_of_its_own(person: SignUp) -> None:
    """The cookie from before is not the one from after (session fixation)."""
    person("Dana")
    client = Client()
    session = client.session
    session["planted"] = True
    session.save()
    client.cookies["sessionid"] = str(session.session_key)
    client.get("/_allauth/browser/v1/config")
    assert post(client, LOGIN, {"username": "Dana", "password": PASSWORD}).status_code == 200
    assert client.cookies["sessionid"].value != session.session_key


def test_a_bearer_token_counts_before_the_cookie(page: Client) -> None:
    """A page may hold both; what is said in the request counts, and it needs no CSRF token."""
    guest = Client().post("/api/v1/players/guest/", {}, content_type="application/json").json()
    headers = {"authorization": f"Bearer {guest['token']}"}
    assert page.get("/api/v1/players/me/", headers=headers).json()["id"] == guest["player"]["id"]
    assert page.post("/api/v1/games/", {}, content_type="application/json", headers=headers).status_code == 201


def test_a_cookie_that_is_over_is_no_cookie(page: Client) -> None:
    """Public pages work, private ones say who is wanted."""
    Player.objects.get().sessions.all().delete()
    assert problem(page.get("/api/v1/players/me/")) == (401, "not_authenticated")
    assert page.get("/api/v1/players/Dana/").status_code == 200


@pytest.mark.parametrize("token", ["", "x" * 32, "a" * 32, "A" * 400, "é" * 32])
def test_a_session_token_that_is_none_is_401(person: SignUp, token: str) -> None:
    """Unknown, too long, or no token at all; empty is as if it were not there."""
    person("Dana")
    answer = Client().get("/api/v1/players/me/", headers={"x-session-token": token})
    assert problem(answer) == (401, "session_invalid" if token else "not_authenticated")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")
