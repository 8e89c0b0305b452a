"""Whose pages may call, and what a browser may do with an answer."""

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from config.cors import cors_settings
from config.env import BadEnvironment, read
from config.mails import mail_way
from tests.api.http import Caller

PAGE, NAMED = "https://anywhere.example", "https://play.example"
PREFLIGHT = {
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization,idempotency-key,content-type",
}


@pytest.fixture
def named(settings: LazySettings) -> None:
    """A server that names one page beside any."""
    for name, value in cors_settings(("*", NAMED)).items():
        setattr(settings, name, value)


@pytest.mark.django_db
def test_any_page_may_call_with_a_token_and_none_with_a_cookie(nobody: Caller) -> None:
    """The default; what a client needs is readable."""
    answer = nobody.get("problems/", origin=PAGE)
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer.headers
    exposed = answer.headers["Access-Control-Expose-Headers"].split(", ")
    assert {"ETag", "Location", "Retry-After", "X-Request-Id", "WWW-Authenticate"} <= set(exposed)


def test_a_preflight_costs_nothing(db: None) -> None:
    """No statement, no token wanted, and the headers that a client sends are allowed."""
    with CaptureQueriesContext(connection) as queries:
        answer = Client().options("/api/v1/games/", headers={"origin": PAGE, **PREFLIGHT})
    assert not len(queries)
    assert answer.status_code == 200
    assert answer.headers["Access-Control-Max-Age"] == "7200"
    allowed = answer.headers["Access-Control-Allow-Headers"].split(", ")
    assert {"authorization", "idempotency-key", "if-match", "if-none-match", "x-session-token"} <= set(allowed)
    assert {"GET", "POST", "PATCH", "DELETE"} <= set(answer.headers["Access-Control-Allow-Methods"].split(", "))


def test_a_named_page_may_send_cookies_and_another_may_not(named: None) -> None:
    """Each is answered by itself, so that no cache mixes them up."""
    for path in ("/api/v1/games/", "/_allauth/browser/v1/config"):
        own = Client().options(path, headers={"origin": NAMED, **PREFLIGHT})
        assert own.headers["Access-Control-Allow-Origin"] == NAMED
        assert own.headers["Access-Control-Allow-Credentials"] == "true"
        other = Client().options(path, headers={"origin": PAGE, **PREFLIGHT})
        assert other.headers["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in other.headers
        assert "origin" in own.headers["Vary"].lower()


def test_only_named_pages_when_no_star_is_there(settings: LazySettings) -> None:
    """`TAKI_CORS_ORIGINS` without `*` lets in those alone."""
    for name, value in cors_settings((NAMED,)).items():
        setattr(settings, name, value)
    other = Client().options("/api/v1/games/", headers={"origin": PAGE, **PREFLIGHT})
    assert "Access-Control-Allow-Origin" not in other.headers
    own = Client().options("/api/v1/games/", headers={"origin": NAMED, **PREFLIGHT})
    assert own.headers["Access-Control-Allow-Origin"] == NAMED


@pytest.mark.parametrize(
    ("given", "origins"),
    [
        ("", ("*",)),
        ("none", ()),
        ("https://a.example, http://B.example:8080/", ("https://a.example", "http://b.example:8080")),
        ("*,https://a.example", ("*", "https://a.example")),
    ],
)
def test_origins_are_read_from_the_environment(given: str, origins: tuple[str, ...]) -> None:
    """By commas, in lower case, without a slash."""
    assert read({"TAKI_CORS_ORIGINS": given}).cors_origins == origins


@pytest.mark.parametrize("given", ["a.example", "ftp://a.example", "https://a.example/path", "https://u@a.example"])
def test_what_is_no_origin_is_refused(given: str) -> None:
    """One sentence for whoever set it."""
    with pytest.raises(BadEnvironment, match="TAKI_CORS_ORIGINS"):
        read({"TAKI_CORS_ORIGINS": given})


@pytest.mark.parametrize("given", ["smtp://", "file:", "http://x", "console", "mail@example.org"])
def test_what_is_no_way_for_mails_is_refused_without_repeating_it(given: str) -> None:
    """It may hold a password."""
    with pytest.raises(BadEnvironment, match="TAKI_EMAIL_URL") as refused:
        read({"TAKI_EMAIL_URL": given})
    assert f"not {given!r}" not in str(refused.value)


def test_ways_for_mails_are_read() -> None:
    """STARTTLS unless it is switched off, TLS from the start for smtps, percent-encoded passwords."""
    way = mail_way("smtp://me%40x.org:p%2Fw@mail.example")
    assert (way["host"], way["port"], way["username"], way["password"]) == ("mail.example", 587, "me@x.org", "p/w")
    assert (way["use_tls"], way["use_ssl"]) == (True, False)
    assert mail_way("smtps://mail.example")["port"] == 465
    assert mail_way("smtps://mail.example")["use_ssl"] is True
    assert mail_way("smtp://mail.example:25?tls=no")["use_tls"] is False
    assert mail_way("file:///tmp/mails")["file_path"] == "/tmp/mails"


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/api/v1/problems/", "/api/v1/games/", "/api/nothing/", "/api/docs/", "/account/"])
def test_answers_bind_a_browser(path: str) -> None:
    """No sniffing, no framing, no powers, no foreign scripts, on every answer."""
    answer = Client().get(path)
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert "camera=()" in answer.headers["Permissions-Policy"]
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe-eval" not in policy
    assert "script-src 'unsafe" not in policy


def test_the_documentations_pages_run_no_inline_script() -> None:
    """So that their policy needs none: the script is a file of its own."""
    for path in ("/api/docs/", "/api/docs/accounts/"):
        page = Client().get(path).content.decode()
        assert "<script>" not in page
        assert "https://" not in page


def test_https_is_remembered(settings: LazySettings) -> None:
    """Over TLS the browser is told to come by TLS from now on."""
    settings.SECURE_HSTS_SECONDS = 31_536_000
    assert "max-age=31536000" in Client().get("/api/v1/problems/", secure=True).headers["Strict-Transport-Security"]
    assert "Strict-Transport-Security" not in Client().get("/api/v1/problems/").headers
