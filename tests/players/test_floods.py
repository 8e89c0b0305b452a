"""Guessing and flooding: counted across processes, refused before it costs anything, told with limit and seconds."""

from collections.abc import Callable, Iterator

import pytest
from django.conf import LazySettings
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from redis import Redis

from players.api import bad_tokens, throttles
from players.api.addresses import address_block
from players.api.throttles import BAD_TOKENS, LOGINS, MAILS, SIGNUPS
from tests.api.http import Caller, problem
from tests.players.people import PASSWORD, Person, mails_to

Come = Callable[[], Caller]
SignUp = Callable[..., Person]
BAD = "Bearer taki_" + "A" * 43
pytestmark = pytest.mark.django_db


@pytest.fixture
def limits(no_limits: None, settings: LazySettings, servers: object, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The limits of service, on an empty counter that is waited for."""
    settings.TAKI_THROTTLE_FACTOR = 1
    monkeypatch.setattr(throttles, "_TIMEOUT_SECONDS", 30.0)
    monkeypatch.setattr(throttles._Outage, "until", 0.0)
    throttles._counter.cache_clear()
    bad_tokens._refused_until.clear()
    bad_tokens._good.clear()
    with Redis.from_url(settings.TAKI_VALKEY_URL) as client:
        for key in client.scan_iter("limit:*"):
            client.delete(key)
    yield
    bad_tokens._refused_until.clear()
    monkeypatch.undo()
    throttles._counter.cache_clear()


def test_passwords_are_guessed_ten_times_a_minute_for_a_name(person: SignUp, limits: None) -> None:
    """The eleventh is 429 with limit and seconds, also with the right password; another name goes on."""
    person("Dana")
    person("Gil")
    guess = Person("Dana", "", "wrong password")
    for _ in range(LOGINS.burst):
        assert guess.log_in().status_code == 400
    refused = Person("dana", "").log_in(username="DANA")
    assert problem(refused) == (429, "too_many_requests")
    told = refused.json()
    assert (told["limit"], refused.headers["Retry-After"]) == ("logins", str(told["seconds"]))
    assert 1 <= told["seconds"] <= 6
    assert Person("Gil", "").log_in().status_code == 200


def test_an_unknown_name_is_limited_as_a_known_one(person: SignUp, limits: None) -> None:
    """The limit tells nobody whether there is such an account."""
    for _ in range(LOGINS.burst):
        assert Person("", "", "x" * 9).log_in(email="no@example.org").status_code == 400
    assert Person("", "", "x" * 9).log_in(email="NO@example.org").status_code == 429


def test_the_admins_log_in_is_limited_too(limits: None) -> None:
    """The same count for the same name."""
    client = Client()
    for _ in range(LOGINS.burst):
        assert client.post("/admin/login/", {"username": "admin", "password": "x"}).status_code == 200
    assert client.post("/admin/login/", {"username": "admin", "password": "x"}).status_code == 429


def test_a_password_that_is_asked_for_again_cannot_be_guessed(person: SignUp, limits: None) -> None:
    """Neither where it is changed nor where it is proved, nor for erasing."""
    dana = person("Dana")
    wrong = {"current_password": "no", "new_password": "seven green umbrellas"}
    assert [dana.ask("POST", "account/password/change", wrong).status_code for _ in range(11)][-2:] == [400, 429]
    assert [dana.ask("POST", "auth/reauthenticate", {"password": "no"}).status_code for _ in range(11)][-1] == 429
    token = dana.api("POST", "tokens/", {}).json()["token"]
    body = b'{"password": "no"}'
    statuses = [
        Caller(token=token).send("DELETE", "players/me/", body, "application/json", {}).status_code for _ in range(11)
    ]
    assert statuses[-2:] == [422, 429]


def test_sign_ups_are_limited_by_address(limits: None) -> None:
    """A few at once, then 429; another address is free."""
    for number in range(SIGNUPS.burst):
        assert Person(f"P{number}", f"p{number}@example.org").sign_up().status_code == 200
    refused = Person("Last", "last@example.org").sign_up()
    assert problem(refused) == (429, "too_many_requests")
    assert refused.json()["limit"] == "signups"
    elsewhere = Person("Last", "last@example.org")
    elsewhere.client.defaults["REMOTE_ADDR"] = "192.0.2.9"
    assert elsewhere.sign_up().status_code == 200


def test_a_mailbox_is_not_flooded_and_nobody_is_told(person: SignUp, limits: None) -> None:
    """After six mails of a kind in an hour the answers stay the same and no mail is sent."""
    dana = person("Dana", "dana@example.org")
    answers = {
        Person("", "").ask("POST", "auth/password/request", {"email": dana.email}).content
        for _ in range(MAILS.burst + 2)
    }
    assert len(answers) == 1
    assert len(mails_to(dana.email)) == 1 + MAILS.burst  # the first asks to confirm the address
    Person("", "").ask("POST", "auth/password/request", {"email": "other@example.org"})
    assert mail.outbox[-1].to == ["other@example.org"]


def test_strangers_mails_to_a_mailbox_keep_none_of_another_kind_away(person: SignUp, limits: None) -> None:
    """However often somebody signs up with Dana's address, the mail by which she chooses a password comes."""
    dana = person("Dana", "dana@example.org")
    for number in range(MAILS.burst + 2):
        assert Person(f"Stranger {number}", dana.email).sign_up().status_code == 200
    Person("", "").ask("POST", "auth/password/request", {"email": dana.email})
    assert "/new-password/" in str(mails_to(dana.email)[-1].body)


def test_a_flood_of_bad_tokens_is_refused_without_a_look_at_the_table(
    nobody: Caller, guest: Come, limits: None
) -> None:
    """Sixty, then 429 and no statement at all; a good token that this process has seen still passes."""
    caller = guest()
    assert caller.get("players/me/").status_code == 200
    for _ in range(BAD_TOKENS.burst):
        assert problem(nobody.get("players/me/", authorization=BAD)) == (401, "token_invalid")
    refused = nobody.get("players/me/", authorization=BAD)
    assert problem(refused) == (429, "too_many_requests")
    assert refused.json()["limit"] == "bad_tokens"
    with CaptureQueriesContext(connection) as queries:
        assert nobody.get("players/me/", authorization=BAD).status_code == 429
        assert nobody.get("players/me/", x_session_token="a" * 32).status_code == 429
    assert not len(queries)
    assert caller.get("players/me/").status_code == 200
    nobody.client.defaults["REMOTE_ADDR"] = "192.0.2.7"
    assert nobody.get("players/me/", authorization=BAD).status_code == 401


@pytest.mark.parametrize(
    ("address", "block"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::9", "2001:db8:1:3::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::/64"),
        ("not an address", "not an address"),
        ("", ""),
    ],
)
def test_a_network_counts_as_one_client(address: str, block: str) -> None:
    """Whoever has an IPv6 network has all its addresses."""
    assert address_block(address) == block


def test_guests_from_one_network_share_a_limit(nobody: Caller, limits: None, settings: LazySettings) -> None:
    """Behind a proxy, by the address that it saw."""
    settings.TAKI_BEHIND_PROXY = True
    made = [
        nobody.post("players/guest/", {}, x_forwarded_for=f"2001:db8:1:2::{number:x}").status_code
        for number in range(61)
    ]
    assert (made[59], made[60]) == (201, 429)


def test_without_the_counter_one_can_log_in(
    person: SignUp, limits: None, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Valkey away: accounts work as everything else does."""
    dana = person("Dana")
    settings.TAKI_VALKEY_URL = "redis://127.0.0.1:1/0"
    throttles._counter.cache_clear()
    assert dana.log_in().status_code == 200
    assert Person("Gil", "gil@example.org", PASSWORD).sign_up().status_code == 200
