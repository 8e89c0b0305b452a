"""A guest becomes an account: same id, games and tokens; once."""

import json
import threading
from collections.abc import Callable
from hashlib import sha256
from uuid import uuid4

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import connection

from players.errors import AlreadyAccount
from players.models import KeptAnswer, Player
from players.services import player_create_guest, player_upgrade
from tests.api.http import Caller, problem, wrong_fields
from tests.api.tables import Table
from tests.players.people import PASSWORD, Person, link_in, mails_to

Come = Callable[[], Caller]
SignUp = Callable[..., Person]
BODY = {"name": "Dana Levi", "email": "Dana@example.org", "password": PASSWORD}
pytestmark = pytest.mark.django_db


def test_a_guest_becomes_an_account_and_keeps_what_it_had(lobby: Table) -> None:
    """Its id, its seat and its token stay; it can log in by the new name or by the address, and may organise."""
    host = lobby.host
    answer = host.post("players/me/upgrade/", BODY)
    assert answer.status_code == 200, answer.content
    me = answer.json()
    assert (me["id"], me["name"], me["guest"], me["email"]) == (
        host.player["id"],
        "Dana Levi",
        False,
        "dana@example.org",
    )
    assert host.get("players/me/").json() == me
    assert host.get(lobby.path("")).json()["seats"][0]["player"]["name"] == "Dana Levi"
    for who in ({"username": "dana levi"}, {"email": "dana@example.org"}):
        dana = Person("Dana Levi", "dana@example.org")
        assert dana.log_in(**who).status_code == 200
        assert dana.api("GET", "players/me/").json()["id"] == host.player["id"]
    assert dana.api("POST", "tournaments/", {"name": "Cup", "format": "ladder"}).status_code == 201


def test_the_address_gets_a_mail_to_confirm_it(guest: Come) -> None:
    """As after a sign-up."""
    guest().post("players/me/upgrade/", BODY)
    key = link_in(mails_to("dana@example.org")[0], "verify-email")
    assert Person("", "").ask("POST", "auth/email/verify", {"key": key}).status_code in (200, 401)
    assert EmailAddress.objects.get().verified


def test_without_a_name_it_keeps_its_own(guest: Come) -> None:
    """The name may stay what it was."""
    caller = guest()
    me = caller.post("players/me/upgrade/", {key: BODY[key] for key in ("email", "password")}).json()
    assert me["name"] == caller.player["name"]


def test_an_account_is_not_made_twice(guest: Come) -> None:
    """409, and nothing of the second wish is done."""
    caller = guest()
    caller.post("players/me/upgrade/", BODY)
    again = caller.post("players/me/upgrade/", {**BODY, "name": "Other", "email": "other@example.org"})
    assert problem(again) == (409, "already_account")
    assert Player.objects.get().name == "Dana Levi"
    assert [address.email for address in EmailAddress.objects.all()] == ["dana@example.org"]


def test_a_retry_with_the_same_key_is_answered_as_before(guest: Come) -> None:
    """The lost answer of a success is told again, and no table can be searched for the password."""
    caller, key = guest(), str(uuid4())
    first, again = (caller.post("players/me/upgrade/", BODY, idempotency_key=key) for _ in range(2))
    assert (first.status_code, first.json()) == (again.status_code, again.json()) == (200, first.json())
    assert len(mail.outbox) == 1
    kept = KeptAnswer.objects.get(route__endswith="upgrade/")
    assert bytes(kept.digest) != sha256(json.dumps(BODY, sort_keys=True).encode()).digest()
    assert PASSWORD.encode() not in bytes(kept.body)


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"name": "x"}, {"name": "bad_name"}),
        ({"name": "Deleted Player"}, {"name": "name_taken"}),
        ({"name": "TAKEN"}, {"name": "name_taken"}),
        ({"email": "dana"}, {"email": "bad_email"}),
        ({"email": "d" * 250 + "@x.org"}, {"email": "bad_email"}),
        ({"email": None}, {"email": "null"}),
        ({"password": "short"}, {"password": "password_too_short"}),
        ({"password": "password123"}, {"password": "password_too_common"}),
        ({"password": "dana levi1"}, {"password": "password_too_similar"}),
        ({"password": ""}, {"password": "bad_password"}),
        ({"password": 12345678}, {"password": "not_a_string"}),
        ({"is_staff": True}, {"is_staff": "unknown"}),
    ],
)
def test_what_makes_no_account_is_refused(
    guest: Come, nobody: Caller, change: dict[str, object], wrong: dict[str, str]
) -> None:
    """Each field says what is wrong; the guest stays a guest, and no mail is sent."""
    nobody.post("players/guest/", {"name": "Taken"})
    caller = guest()
    assert wrong_fields(caller.post("players/me/upgrade/", {**BODY, **change})) == wrong
    assert caller.get("players/me/").json()["guest"] is True
    assert not mail.outbox
    assert not EmailAddress.objects.exists()


def test_anothers_address_is_told_to_its_mailbox_alone(person: SignUp, guest: Come) -> None:
    """The answer is that of a free address; the mail says that there is an account already."""
    dana = person("Dana", "dana@example.org")
    dana.ask("POST", "auth/email/verify", {"key": link_in(mails_to(dana.email)[0], "verify-email")})
    answer = guest().post("players/me/upgrade/", {**BODY, "name": "Second"})
    assert answer.status_code == 200
    assert "account already" in mails_to("dana@example.org")[-1].subject
    assert dana.log_in(email="dana@example.org").json()["data"]["user"]["display"] == "Dana"


@pytest.mark.django_db(transaction=True)
def test_upgraded_twice_at_the_same_instant_it_is_one_account() -> None:
    """One of the two is told that it is an account already."""
    player, _ = player_create_guest()
    barrier, outcomes = threading.Barrier(2), []

    def upgrade(number: int) -> None:
        barrier.wait()
        try:
            player_upgrade(player_id=player.pk, email=f"d{number}@example.org", password=PASSWORD)
            outcomes.append("made")
        except AlreadyAccount:
            outcomes.append("already")
        connection.close()

    threads = [threading.Thread(target=upgrade, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["already", "made"]
    assert EmailAddress.objects.get().email == Player.objects.get().email
