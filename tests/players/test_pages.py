"""The pages that links in mails lead to: they look at GET, act at POST, and tell nobody anything."""

from collections.abc import Callable

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client

from players.models import Player
from tests.players.people import Person, link_in, mails_to

SignUp = Callable[..., Person]
pytestmark = pytest.mark.django_db


def test_the_link_in_a_mail_confirms_by_a_button(person: SignUp) -> None:
    """Whatever only looks at links (a scanner, a preview) confirms nothing."""
    dana = person("Dana", "dana@example.org")
    sent = str(mails_to(dana.email)[0].body)
    path = f"/account/verify-email/?key={link_in(mails_to(dana.email)[0], 'verify-email')}"
    assert path in sent
    browser = Client()
    assert "dana@example.org" in browser.get(path).content.decode()
    assert dana.api("GET", "players/me/").json()["email_verified"] is False
    assert browser.post(path).status_code == 200
    assert dana.api("GET", "players/me/").json()["email_verified"] is True
    assert browser.get(path).status_code == 404


def test_a_new_password_can_be_chosen_without_any_client(person: SignUp) -> None:
    """Ask by address, follow the link, choose; a weak one is refused with a sentence."""
    dana = person("Dana", "dana@example.org")
    browser = Client()
    assert browser.get("/account/password/").status_code == 200
    known, unknown = (
        browser.post("/account/password/", {"email": each}).content for each in (dana.email, "no@example.org")
    )
    assert known == unknown
    path = f"/account/new-password/?key={link_in(mails_to(dana.email)[-1], 'new-password')}"
    assert "Dana" in browser.get(path).content.decode()
    weak = browser.post(path, {"password": "short"})
    assert weak.status_code == 422
    assert 'role="alert"' in weak.content.decode()
    assert browser.post(path, {"password": "seven green umbrellas"}).status_code == 200
    assert browser.get(path).status_code == 404
    dana.password = "seven green umbrellas"
    assert dana.log_in().status_code == 200


def test_the_page_tells_whoever_confirms_an_address_too_late(person: SignUp, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both found it free, in the same instant; the second is told, and stays as it was."""
    one, two = person("One", "same@example.org"), person("Two", "same@example.org")
    keys = [link_in(sent, "verify-email") for sent in mails_to("same@example.org")]
    monkeypatch.setattr(EmailAddress, "can_set_verified", lambda _self: True)
    answers = [Client().post(f"/account/verify-email/?key={key}") for key in keys]
    assert [answer.status_code for answer in answers] == [200, 404]
    assert "another account" in answers[1].content.decode()
    assert [who.api("GET", "players/me/").json()["email_verified"] for who in (one, two)] == [True, False]


def test_a_post_needs_the_pages_own_token(person: SignUp) -> None:
    """A foreign page confirms nothing in somebody's browser."""
    dana = person("Dana", "dana@example.org")
    path = f"/account/verify-email/?key={link_in(mails_to(dana.email)[0], 'verify-email')}"
    assert Client(enforce_csrf_checks=True).post(path).status_code == 403
    assert dana.api("GET", "players/me/").json()["email_verified"] is False


@pytest.mark.parametrize(
    "path", ["verify-email/", "verify-email/?key=x", "new-password/?key=x-y", "new-password/?key=" + "0" * 32 + "-x"]
)
def test_a_key_that_is_none_is_said_so(path: str) -> None:
    """404 with a sentence, no matter what the text is."""
    answer = Client().get(f"/account/{path}")
    assert answer.status_code == 404
    assert "used up or too old" in answer.content.decode()


def test_a_page_with_a_key_tells_no_other_site_its_address(person: SignUp) -> None:
    """The address holds the key: no referrer, no cache, no script."""
    person("Dana", "dana@example.org")
    answer = Client().get(f"/account/verify-email/?key={link_in(mail.outbox[0], 'verify-email')}")
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert "no-store" in answer.headers["Cache-Control"]
    assert "script-src" not in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize(("language", "direction"), [("en", "ltr"), ("he", "rtl")])
def test_pages_speak_the_readers_language(language: str, direction: str) -> None:
    """With its direction."""
    page = Client().get("/account/password/", headers={"accept-language": language}).content.decode()
    assert f'<html lang="{language}" dir="{direction}">' in page
    assert ("address" in page) == (language == "en")


def test_a_blocked_account_gets_no_link(person: SignUp) -> None:
    """Its mailbox is told that there is none."""
    person("Dana", "dana@example.org")
    Player.objects.update(is_active=False)
    mail.outbox.clear()
    Client().post("/account/password/", {"email": "dana@example.org"})
    assert "no account" in mail.outbox[0].subject
