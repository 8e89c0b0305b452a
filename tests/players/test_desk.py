"""Players, tokens and addresses in the admin: no secret, nothing to forge."""

from collections.abc import Callable

import pytest
from django.contrib import admin
from django.test import Client

from players.models import Mail, Player, Session, Token
from tests.players.people import Person

SignUp = Callable[..., Person]
pytestmark = pytest.mark.django_db


@pytest.fixture
def chief() -> Client:
    """A superuser's browser."""
    client = Client()
    client.force_login(Player.objects.create_superuser("Chief", "a-long-password-1"))
    return client


def test_an_address_is_looked_at_and_not_changed(person: SignUp, chief: Client) -> None:
    """Only its mailbox confirms it."""
    dana = person("Dana", "dana@example.org")
    (address,) = dana.player.emailaddress_set.all()  # type: ignore[attr-defined]
    path = f"/admin/account/emailaddress/{address.pk}/change/"
    assert "dana@example.org" in chief.get("/admin/account/emailaddress/").content.decode()
    assert chief.get(path).status_code == 200
    assert chief.post(path, {"verified": "on"}).status_code == 403
    assert chief.get("/admin/account/emailaddress/add/").status_code == 403
    address.refresh_from_db()
    assert address.verified is False


def test_no_page_shows_a_secret(person: SignUp, chief: Client) -> None:
    """Neither hash nor digest; mails and sessions, which hold keys, have no pages at all."""
    dana = person("Dana")
    dana.api("POST", "tokens/", {"name": "phone"})
    token = Token.objects.get()
    for path in (f"players/player/{dana.player.pk}/change/", f"players/token/{token.pk}/change/", "players/token/"):
        page = chief.get(f"/admin/{path}").content.decode()
        assert dana.player.password not in page
        assert bytes(token.digest).hex() not in page
        assert dana.session not in page
    assert not {Mail, Session} & set(admin.site._registry)


def test_a_reserved_name_is_refused_there_too(person: SignUp, chief: Client) -> None:
    """As by the API."""
    dana = person("Dana")
    form = {"name": "Deleted player", "is_active": "on"}
    answer = chief.post(f"/admin/players/player/{dana.player.pk}/change/", form)
    assert answer.status_code == 200
    assert "This name is taken" in answer.content.decode()
    assert Player.objects.filter(name="Dana").exists()


def test_the_admins_log_in_takes_names_in_any_case() -> None:
    """The same backend as everywhere."""
    Player.objects.create_superuser("Chief", "a-long-password-1")
    answer = Client().post("/admin/login/?next=/admin/", {"username": "CHIEF", "password": "a-long-password-1"})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/admin/")
