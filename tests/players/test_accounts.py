"""Accounts by django-allauth: signing up, logging in, confirming, resetting, changing, logging out."""

from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import MD5PasswordHasher, identify_hasher, make_password
from django.core import mail
from django.db import OperationalError, connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext

from config.accounts import SERVED
from config.settings import base
from players.accounts.adapter import AccountAdapter
from players.models import Player, Session
from tests.api.http import Caller, problem, wrong_fields
from tests.players.people import PASSWORD, Person, codes, link_in, mails_to

SignUp = Callable[..., Person]
pytestmark = pytest.mark.django_db


def test_a_sign_up_makes_an_account_and_logs_in(person: SignUp) -> None:
    """A name with a space, an address, a password: the session token works on our API at once."""
    dana = person("Dana Levi", "Dana@Example.org")
    me = dana.api("GET", "players/me/")
    assert me.status_code == 200, me.content
    told = me.json()
    assert (told["name"], told["guest"], told["email"], told["email_verified"]) == (
        "Dana Levi",
        False,
        "dana@example.org",
        False,
    )
    assert dana.api("POST", "games/", {"seats": 2}).status_code == 201


def test_passwords_are_kept_as_argon2id() -> None:
    """In service (the tests' own hash is a quick one) a password is hashed by argon2id."""
    with override_settings(PASSWORD_HASHERS=base.PASSWORD_HASHERS):
        player = Player(name="Dana")
        player.set_password(PASSWORD)
        assert player.password.startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")
        assert identify_hasher(player.password).algorithm == "argon2"
        assert player.check_password(PASSWORD)


@pytest.mark.parametrize("said", ["dana levi", "DANA LEVI", "Dana Levi"])
def test_one_logs_in_by_name_in_any_case(person: SignUp, said: str) -> None:
    """Names are the same without regard to case."""
    dana = person("Dana Levi")
    assert dana.log_in(username=said).status_code == 200
    assert dana.api("GET", "players/me/").json()["name"] == "Dana Levi"


def test_names_that_fold_alike_are_one_name(person: SignUp) -> None:
    """Case folding and composition, not PostgreSQL's locale, say which names are the same."""
    person("Straße é", "street@example.org")
    assert Person("STRASSE e\u0301", "").log_in().status_code == 200
    assert codes(Person("strasse É", "other@example.org").sign_up()) == {"username": "username_taken"}


def test_one_logs_in_by_address_in_any_case(person: SignUp) -> None:
    """The address is as good as the name."""
    dana = person("Dana", "dana@example.org")
    assert dana.log_in(email="DANA@example.org").status_code == 200
    assert dana.api("GET", "players/me/").json()["name"] == "Dana"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("x", "bad_name"),
        ("a  b", "bad_name"),
        ("a@b", "bad_name"),
        ("Deleted Player", "username_taken"),
        ("ME", "username_taken"),
    ],
)
def test_names_of_accounts_are_names_as_all_others(name: str, code: str) -> None:
    """What is no name of a guest is none of an account; some names nobody may have."""
    assert codes(Person(name, "x@example.org").sign_up()) == {"username": code}
    assert not Player.objects.exists()


@pytest.mark.parametrize("password", ["short", "password123"])
def test_a_weak_password_is_refused(password: str) -> None:
    """Too short, or among those that everybody tries first."""
    answer = Person("Dana", "dana@example.org", password).sign_up()
    assert set(codes(answer)) == {"password"}
    assert not Player.objects.exists()


def test_a_name_taken_in_the_same_instant_is_answered_as_taken(person: SignUp, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two sign-ups that both found the name free: the second is told so, and leaves nothing."""
    person("Dana")
    monkeypatch.setattr(
        "players.accounts.adapter.AccountAdapter.clean_username", lambda _self, name, shallow=False: name
    )
    answer = Person("DANA", "second@example.org").sign_up()
    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (400, "username_taken")
    assert Player.objects.count() == 1


def test_the_mail_confirms_the_address(person: SignUp) -> None:
    """The link's key, sent to the API, confirms it; once."""
    dana = person("Dana", "dana@example.org")
    (sent,) = mails_to("dana@example.org")
    key = link_in(sent, "verify-email")
    assert key in str(sent.body).replace(f"/verify-email/?key={key}", "")
    assert dana.ask("POST", "auth/email/verify", {"key": key}).status_code == 200
    assert dana.api("GET", "players/me/").json()["email_verified"] is True
    assert codes(dana.ask("POST", "auth/email/verify", {"key": key})) == {"key": "invalid_or_expired_key"}


def test_an_address_confirmed_by_two_at_the_same_instant_is_ones(
    person: SignUp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both found it free; the second is told that it is taken, and stays as it was."""
    one, two = person("One", "same@example.org"), person("Two", "same@example.org")
    keys = [link_in(sent, "verify-email") for sent in mails_to("same@example.org")]
    monkeypatch.setattr(EmailAddress, "can_set_verified", lambda _self: True)
    assert one.ask("POST", "auth/email/verify", {"key": keys[0]}).status_code == 200
    late = two.ask("POST", "auth/email/verify", {"key": keys[1]})
    assert (late.status_code, late.json()["errors"][0]["code"]) == (400, "email_taken")
    assert [who.api("GET", "players/me/").json()["email_verified"] for who in (one, two)] == [True, False]


@pytest.mark.parametrize(("language", "subject"), [("en", "Confirm your address"), ("he", "אישור הכתובת")])
def test_mails_are_in_the_readers_language(person: SignUp, language: str, subject: str) -> None:
    """English and Hebrew, plain text, without a template's leftovers."""
    dana = Person("Dana", "dana@example.org")
    dana.ask(
        "POST", "auth/signup", {"username": "Dana", "email": dana.email, "password": PASSWORD}, accept_language=language
    )
    (sent,) = mail.outbox
    assert sent.subject == f"[TAKI] {subject}"
    assert "Dana" in str(sent.body)
    assert "{" not in str(sent.body)
    assert "&" not in str(sent.body)


def test_a_taken_address_is_answered_as_a_free_one(person: SignUp) -> None:
    """Signing up tells nobody whose address it is; its mailbox is told, and no second account gets hold of it."""
    dana = person("Dana", "dana@example.org")
    dana.ask("POST", "auth/email/verify", {"key": link_in(mails_to(dana.email)[0], "verify-email")})
    free, taken = Person("Free", "free@example.org"), Person("Taken", "dana@example.org")
    one, two = free.sign_up(), taken.sign_up()
    assert (one.status_code, _shape(one.json())) == (two.status_code, _shape(two.json()))
    assert "account already" in mails_to("dana@example.org")[-1].subject
    assert dana.log_in(email="dana@example.org").status_code == 200
    assert Person("", "").log_in(email="dana@example.org").json()["data"]["user"]["display"] == "Dana"
    taken.password = "another one altogether"
    assert taken.log_in(email="dana@example.org").status_code == 400


def _shape(value: Any) -> Any:
    return {name: _shape(inner) for name, inner in value.items()} if isinstance(value, dict) else type(value)


def test_a_wrong_password_and_an_unknown_name_are_answered_alike(person: SignUp) -> None:
    """Whether there is such an account cannot be seen, nor (as many hashes) measured."""
    dana = person("Dana", "dana@example.org")
    for known, unknown in (
        ({"username": "Dana"}, {"username": "Nobody"}),
        ({"email": dana.email}, {"email": "no@x.org"}),
    ):
        wrong = [Person("", "", "wrong password").log_in(**who) for who in (known, unknown)]
        assert wrong[0].status_code == wrong[1].status_code == 400
        assert wrong[0].content == wrong[1].content


@pytest.mark.parametrize("who", [{"username": "Dana"}, {"username": "Nobody"}, {"email": "no@example.org"}])
def test_each_wrong_log_in_hashes_once(person: SignUp, monkeypatch: pytest.MonkeyPatch, who: dict[str, str]) -> None:
    """An unknown name costs the hash that a known one does."""
    person("Dana", "dana@example.org")
    real, hashed = MD5PasswordHasher.encode, []

    def counted(*arguments: Any) -> str:
        hashed.append(1)
        return real(*arguments)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counted)
    assert Person("", "", "wrong password").log_in(**who).status_code == 400
    assert len(hashed) == 1


def test_a_new_password_by_mail_ends_everything_that_the_old_one_let_in(person: SignUp) -> None:
    """The reset's key works once; sessions and tokens from before are over; the new password logs in."""
    dana = person("Dana", "dana@example.org")
    token = dana.api("POST", "tokens/", {}).json()["token"]
    assert Person("", "").ask("POST", "auth/password/request", {"email": dana.email}).status_code == 200
    key = link_in(mails_to(dana.email)[-1], "new-password")
    new = {"key": key, "password": "seven green umbrellas"}
    assert Person("", "").ask("POST", "auth/password/reset", new).status_code == 401, "reset does not log in"
    assert codes(Person("", "").ask("POST", "auth/password/reset", new)) == {"key": "invalid_password_reset"}
    assert problem(dana.api("GET", "players/me/")) == (401, "session_invalid")
    assert problem(Caller(token=token).get("players/me/")) == (401, "token_invalid")
    assert dana.log_in().status_code == 400
    dana.password = "seven green umbrellas"
    assert dana.log_in().status_code == 200
    assert "new one" in mails_to(dana.email)[-1].subject


def overtaken(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on somebody else chooses a password in the instant before this one is written."""
    write = AccountAdapter.set_password

    def late(adapter: AccountAdapter, user: Player, password: str) -> None:
        Player.objects.filter(pk=user.pk).update(password=make_password("the first of the two"))
        write(adapter, user, password)

    monkeypatch.setattr(AccountAdapter, "set_password", late)


def test_the_key_of_a_mail_works_once_also_in_the_same_instant(person: SignUp, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is late is told so, by the API and by the page, and changes nothing."""
    dana = person("Dana", "dana@example.org")
    Person("", "").ask("POST", "auth/password/request", {"email": dana.email})
    key, password = link_in(mails_to(dana.email)[-1], "new-password"), "seven green umbrellas"
    overtaken(monkeypatch)
    assert Client().post(f"/account/new-password/?key={key}", {"password": password}).status_code == 404
    late = Person("", "").ask("POST", "auth/password/reset", {"key": key, "password": password})
    assert (late.status_code, late.json()["errors"][0]["code"]) == (400, "invalid_password_reset")
    dana.password = "the first of the two"
    assert dana.log_in().status_code == 200
    changed = {"current_password": dana.password, "new_password": password}
    late = dana.ask("POST", "account/password/change", changed)
    assert (late.status_code, late.json()["errors"][0]["code"]) == (400, "enter_current_password")
    dana.password = password
    assert dana.log_in().status_code == 400


def test_asking_for_a_new_password_tells_nothing(person: SignUp) -> None:
    """Known and unknown addresses get the same answer, and each mailbox its own mail."""
    dana = person("Dana", "dana@example.org")
    known, unknown = (
        Person("", "").ask("POST", "auth/password/request", {"email": each}) for each in (dana.email, "no@example.org")
    )
    assert (known.status_code, known.content) == (unknown.status_code, unknown.content)
    assert "no account" in mails_to("no@example.org")[0].subject


def test_a_known_and_an_unknown_address_cost_the_same_statements(person: SignUp) -> None:
    """So that the time of the answer tells no more than the answer."""
    dana = person("Dana", "dana@example.org")
    told = []
    for email in (dana.email, "no@example.org"):
        with CaptureQueriesContext(connection) as queries:
            Person("", "").ask("POST", "auth/password/request", {"email": email})
        told.append([query["sql"].split(" WHERE ")[0].split('"s')[0][:60] for query in queries])
    assert [len(each) for each in told] == [len(told[0])] * 2
    assert {each for each in told[0] if "DECLARE" not in each} == {each for each in told[1] if "DECLARE" not in each}


def test_the_password_is_changed_by_whoever_knows_it(person: SignUp) -> None:
    """The wrong one is refused; with the right one this session goes on and another is over."""
    dana = person("Dana")
    other = Person("Dana", "", PASSWORD)
    other.log_in()
    wrong = {"current_password": "no", "new_password": "seven green umbrellas"}
    assert codes(dana.ask("POST", "account/password/change", wrong)) == {"current_password": "enter_current_password"}
    assert dana.ask("POST", "account/password/change", {**wrong, "current_password": PASSWORD}).status_code == 200
    assert dana.api("GET", "players/me/").status_code == 200
    assert problem(other.api("GET", "players/me/")) == (401, "session_invalid")


def test_the_address_changes_once_the_new_one_is_confirmed(person: SignUp) -> None:
    """It needs the password anew; until the mail is answered, the old address stays."""
    dana = person("Dana", "old@example.org")
    dana.ask("POST", "auth/email/verify", {"key": link_in(mails_to(dana.email)[0], "verify-email")})
    assert dana.ask("POST", "account/email", {"email": "new@example.org"}).status_code == 401
    assert dana.prove().status_code == 200
    assert dana.ask("POST", "account/email", {"email": "new@example.org"}).status_code == 200
    assert dana.api("GET", "players/me/").json()["email"] == "old@example.org"
    key = link_in(mails_to("new@example.org")[-1], "verify-email")
    assert dana.ask("POST", "auth/email/verify", {"key": key}).status_code == 200
    me = dana.api("GET", "players/me/").json()
    assert (me["email"], me["email_verified"]) == ("new@example.org", True)
    assert dana.player.email == "new@example.org"
    assert "changed" in mails_to("old@example.org")[-1].subject
    assert dana.log_in(email="old@example.org").status_code == 400


def test_logging_out_ends_the_session(person: SignUp) -> None:
    """Its token opens nothing any more, and no row of it is left."""
    dana = person("Dana")
    session = dana.session
    assert dana.log_out().status_code == 401
    dana.session = session
    assert problem(dana.api("GET", "players/me/")) == (401, "session_invalid")
    assert not Session.objects.exists()


def test_a_log_in_never_takes_over_the_session_that_was_there(person: SignUp) -> None:
    """Who plants a session in another's app gains nothing: the log-in has a new one (session fixation)."""
    person("Dana")
    planted = Person("", "")
    planted.ask("POST", "auth/password/request", {"email": "no@example.org"})
    browser = Client()
    browser.get("/_allauth/browser/v1/config")
    before = Session.objects.create(session_key="a" * 32, session_data="", expire_date="2099-01-01T00:00Z")
    victim = Person("Dana", "", PASSWORD, session=before.session_key)
    assert victim.ask("POST", "auth/login", {"username": "Dana", "password": PASSWORD}).status_code == 200
    assert victim.session != before.session_key
    assert problem(Caller().get("players/me/", x_session_token=before.session_key)) == (401, "session_invalid")


def test_a_blocked_account_is_out(person: SignUp) -> None:
    """Its session ends, and it cannot log in."""
    dana = person("Dana")
    Player.objects.update(is_active=False)
    assert problem(dana.api("GET", "players/me/")) == (401, "session_invalid")
    assert dana.log_in().status_code != 200


def test_a_session_knows_its_player(person: SignUp) -> None:
    """Sessions can be ended, and erased, by player."""
    dana = person("Dana")
    assert [row.player_id for row in Session.objects.all()] == [dana.player.pk]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"[" * 2000, "too_deep"),
        (b'{"username": "\\ud800"}', "lone_surrogate"),
        (b'{"password": 1, "password": 2}', "duplicate_key"),
        (b"\xff", "unreadable"),
    ],
)
def test_what_no_body_may_be_is_a_problem_of_ours(body: bytes, code: str) -> None:
    """The door is the API's, before allauth reads anything."""
    answer = Client().post("/_allauth/app/v1/auth/login", body, content_type="application/json")
    assert problem(answer) == (400, code)


def test_a_body_over_the_limit_and_an_unknown_address_are_problems(nobody: Caller) -> None:
    """413 and 404 as everywhere."""
    path = "/_allauth/app/v1/"
    assert problem(nobody.raw(path + "auth/login", b" " * 70_000)) == (413, "body_too_large")
    assert problem(nobody.get(path + "nothing")) == (404, "not_found")


@pytest.mark.parametrize("path", ["account/phone", "auth/phone/verify", "auth/code/confirm", "tokens/refresh", "x/y"])
def test_what_is_not_offered_is_not_there(person: SignUp, path: str) -> None:
    """Telephones, codes and refreshed tokens are routes of the library, not of this server."""
    dana = person("Dana")
    assert problem(dana.ask("GET", path)) == (404, "not_found")
    assert problem(dana.ask("POST", path, {})) == (404, "not_found")


def test_another_method_and_a_body_that_is_no_object_are_problems() -> None:
    """405 names what is taken; a list is none."""
    answer = Client().get("/_allauth/app/v1/auth/login")
    assert problem(answer) == (405, "method_not_allowed")
    assert "POST" in answer.headers["Allow"]
    lists = Client().post("/_allauth/app/v1/auth/login", b"[1]", content_type="application/json")
    assert wrong_fields(lists) == {"": "not_an_object"}


@pytest.mark.parametrize("where", ["config.account_door.transaction.atomic", "players.accounts.backend.name_key"])
def test_a_database_that_is_away_is_503(monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    """Wherever it is missed: it is worth another try."""

    def away(*_: object) -> None:
        raise OperationalError("away")

    monkeypatch.setattr(where, away)
    answer = Person("Dana", "").log_in()
    assert problem(answer) == (503, "unavailable")
    assert answer.headers["Retry-After"]


def test_what_fails_half_way_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The account, its address and its mail are written together or not at all."""

    def fails(*_: object, **__: object) -> None:
        raise LookupError

    monkeypatch.setattr("players.accounts.adapter.AccountAdapter.render_mail", fails)
    assert problem(Person("Dana", "dana@example.org").sign_up()) == (500, "server_error")
    assert not Player.objects.exists()
    assert not EmailAddress.objects.exists()


def test_an_account_keeps_its_last_address(person: SignUp) -> None:
    """What can be deleted is a change that is not confirmed yet."""
    dana = person("Dana", "dana@example.org")
    dana.ask("POST", "auth/email/verify", {"key": link_in(mails_to(dana.email)[0], "verify-email")})
    dana.prove()
    only = dana.ask("DELETE", "account/email", {"email": "dana@example.org"})
    assert codes(only) == {"email": "cannot_remove_primary_email"}
    dana.ask("POST", "account/email", {"email": "new@example.org"})
    assert dana.ask("DELETE", "account/email", {"email": "new@example.org"}).status_code == 200
    assert [row.email for row in EmailAddress.objects.all()] == ["dana@example.org"]


def test_the_openapi_document_of_accounts_is_served(nobody: Caller) -> None:
    """It names the paths that are served here, no others, and its page loads it from here."""
    document = nobody.client.get("/_allauth/openapi.json").json()
    assert "/_allauth/{client}/v1/auth/login" in document["paths"]
    assert {path.partition("/v1/")[2] for path in document["paths"]} == SERVED
    page = nobody.client.get("/api/docs/accounts/")
    assert page.status_code == 200
    assert "/_allauth/openapi.json" in nobody.client.get("/api/docs/accounts/?script=").content.decode()
