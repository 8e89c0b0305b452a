"""Personal tokens: told once, kept as digests, never more than what asks for them, over when they are."""

import threading
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from players.errors import TooManyTokens
from players.models import KeptAnswer, Player, Token
from players.services import MOST_TOKENS, player_create_guest, token_issue
from tests.api.http import Caller, problem, wrong_fields
from tests.players.people import Person

Come = Callable[[], Caller]
SignUp = Callable[..., Person]
pytestmark = pytest.mark.django_db


def made(caller: Caller, **body: object) -> Caller:
    """A caller with a new token of the same player."""
    answer = caller.post("tokens/", body)
    assert answer.status_code == 201, answer.content
    return Caller(token=answer.json()["token"], player=caller.player)


def test_a_new_token_is_told_once_and_works(guest: Come) -> None:
    """Its text is in this one answer; what is listed afterwards has none."""
    caller = guest()
    answer = caller.post("tokens/", {"name": "my phone", "scopes": ["read"]})
    told = answer.json()
    assert answer.headers["Location"].endswith(f"/api/v1/tokens/{told['id']}/")
    assert (told["name"], told["scopes"], told["expires_at"], told["current"]) == ("my phone", ["read"], None, False)
    assert Caller(token=told["token"]).get("players/me/").json()["id"] == caller.player["id"]
    listed = caller.get("tokens/").json()["results"]
    assert [each["current"] for each in listed] == [False, True]
    assert told["token"] not in caller.get("tokens/").content.decode()
    assert "token" not in caller.get(f"tokens/{told['id']}/").json()


def test_the_same_key_tells_the_same_text_which_no_table_holds(guest: Come) -> None:
    """A retry makes no second token, and neither the token's row nor the kept answer knows its text."""
    caller, key = guest(), str(uuid4())
    first, again = (caller.post("tokens/", {"name": "x"}, idempotency_key=key) for _ in range(2))
    assert (first.status_code, first.json()) == (again.status_code, again.json())
    assert Token.objects.count() == 2
    text = first.json()["token"].encode()
    held = [bytes(row.body) for row in KeptAnswer.objects.all()] + [bytes(row.digest) for row in Token.objects.all()]
    assert not [value for value in held if text in value]
    assert Caller(token=text.decode()).get("players/me/").status_code == 200
    assert problem(caller.post("tokens/", {"name": "y"}, idempotency_key=key)) == (422, "idempotency_key_reused")


def test_a_guests_first_token_and_a_later_one_under_the_same_key_differ(nobody: Caller) -> None:
    """The text follows from whose it is and the key: a guest's own id, or the token's."""
    key = str(uuid4())
    first = nobody.post("players/guest/", {}, idempotency_key=key).json()["token"]
    assert Caller(token=first).post("tokens/", {}, idempotency_key=key).json()["token"] != first


@pytest.mark.parametrize("scopes", [["organise"], ["read", "organise"], ["bot", "organise"]])
def test_a_guest_takes_no_token_for_organising(guest: Come, scopes: list[str]) -> None:
    """Guests hold no tournaments, whatever their token said."""
    caller = guest()
    assert wrong_fields(caller.post("tokens/", {"scopes": scopes})) == {"scopes": "scope_beyond"}
    Token.objects.update(scopes=["read", "play", "organise"])
    assert wrong_fields(caller.post("tokens/", {"scopes": scopes})) == {"scopes": "scope_beyond"}
    assert Token.objects.count() == 1


def test_a_token_gives_no_more_than_it_has(person: SignUp) -> None:
    """Neither a scope that it lacks, nor a day longer; without saying so, exactly what it has."""
    dana = person("Dana")
    end = datetime.now(UTC) + timedelta(hours=1)
    body = {"scopes": ["read", "play"], "expires_at": end.isoformat()}
    small = Caller(token=dana.api("POST", "tokens/", body).json()["token"])
    assert wrong_fields(small.post("tokens/", {"scopes": ["organise"]})) == {"scopes": "scope_beyond"}
    assert wrong_fields(small.post("tokens/", {"expires_in_seconds": 7200})) == {"expires_at": "beyond_own_expiry"}
    child = small.post("tokens/", {}).json()
    assert (child["scopes"], child["expires_at"]) == (
        ["read", "play"],
        small.get("tokens/current/").json()["expires_at"],
    )
    assert dana.api("POST", "tokens/", {}).json()["scopes"] == ["read", "play", "organise"]


def test_the_scope_of_programs_is_for_programs(guest: Come) -> None:
    """To play as a program one says to be one; then a token that may play may give that."""
    caller = guest()
    assert wrong_fields(caller.post("tokens/", {"scopes": ["bot"]})) == {"scopes": "scope_beyond"}
    caller.send("PATCH", "players/me/", b'{"bot": true}', "application/json", {})
    engine = made(caller, scopes=["bot", "read"])
    assert engine.post("games/", {"seats": 2}).status_code == 201
    assert engine.get("players/me/").status_code == 200


def test_a_programs_token_changes_nothing_of_its_player(guest: Come) -> None:
    """Whoever runs the program for somebody gets no further: no token, no name, no account, no erasure, no export."""
    caller = guest()
    caller.send("PATCH", "players/me/", b'{"bot": true}', "application/json", {})
    engine = made(caller, scopes=["bot", "read"])
    body = {"email": "mine@example.org", "password": "a tram in the rain"}
    mine = caller.get("tokens/current/").json()["id"]
    for answer in (
        engine.post("tokens/", {}),
        engine.post("players/me/upgrade/", body),
        engine.send("PATCH", "players/me/", b'{"name": "Eve"}', "application/json", {}),
        engine.send("DELETE", "players/me/", b"", "application/json", {}),
        engine.send("DELETE", f"tokens/{mine}/", b"", "application/json", {}),
        engine.get("players/me/export/"),
    ):
        assert problem(answer) == (403, "scope_missing")
    assert Player.objects.get().guest is True


def test_scopes_hold_by_method_and_by_route(person: SignUp, guest: Come) -> None:
    """Reading, playing and organising each need their own."""
    dana = person("Dana")
    tokens = {
        name: Caller(token=dana.api("POST", "tokens/", {"scopes": [name]}).json()["token"])
        for name in ("read", "play", "organise")
    }
    tournament = {"name": "Cup", "format": "ladder"}
    assert tokens["read"].get("players/me/").status_code == 200
    assert problem(tokens["read"].post("games/", {})) == (403, "scope_missing")
    assert problem(tokens["read"].post("tokens/", {})) == (403, "scope_missing")
    assert tokens["play"].post("games/", {"seats": 2}).status_code == 201
    assert problem(tokens["play"].post("tournaments/", tournament)) == (403, "scope_missing")
    assert problem(tokens["organise"].post("games/", {})) == (403, "scope_missing")
    assert tokens["organise"].post("tournaments/", tournament).status_code == 201
    assert dana.api("POST", "tournaments/", tournament).status_code == 201, "who has logged in may whatever it may"


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ({"scopes": []}, {"scopes": "bad_length"}),
        ({"scopes": "read"}, {"scopes": "not_a_list"}),
        ({"scopes": ["read", "read"]}, {"scopes": "repeated"}),
        ({"scopes": ["root"]}, {"scopes": "not_a_choice"}),
        ({"scopes": [1]}, {"scopes": "not_a_choice"}),
        ({"scopes": None}, {"scopes": "null"}),
        ({"name": ""}, {"name": "bad_text"}),
        ({"name": "x" * 61}, {"name": "bad_text"}),
        ({"expires_at": "soon"}, {"expires_at": "not_an_instant"}),
        ({"expires_at": "2020-01-01T00:00:00Z"}, {"expires_at": "in_the_past"}),
        ({"expires_at": "2099-01-01T00:00:00"}, {"expires_at": "not_an_instant"}),
        ({"expires_in_seconds": 59}, {"expires_in_seconds": "out_of_range"}),
        ({"expires_at": "2099-01-01T00:00:00Z", "expires_in_seconds": 60}, {"expires_at": "not_together"}),
        ({"digest": "x"}, {"digest": "unknown"}),
    ],
)
def test_what_is_no_token_is_refused(guest: Come, body: dict[str, object], wrong: dict[str, str]) -> None:
    """Each field says what is wrong with it, and nothing is made."""
    assert wrong_fields(guest().post("tokens/", body)) == wrong
    assert Token.objects.count() == 1


def test_a_token_runs_out(guest: Come) -> None:
    """After its seconds it is no good, and makes room for another."""
    caller = guest()
    short = made(caller, expires_in_seconds=60)
    assert short.get("players/me/").status_code == 200
    Token.objects.filter(expires_at__isnull=False).update(expires_at=datetime.now(UTC))
    assert problem(short.get("players/me/")) == (401, "token_invalid")
    made(caller)
    assert Token.objects.filter(expires_at__isnull=False).count() == 0


def test_a_revoked_token_is_no_good_from_then_on(guest: Come) -> None:
    """Another one of the same player, or the current one, which is logging out."""
    caller = guest()
    other = made(caller, name="phone")
    (phone,) = [each for each in caller.get("tokens/").json()["results"] if each["name"] == "phone"]
    assert caller.send("DELETE", f"tokens/{phone['id']}/", b"", "application/json", {}).status_code == 204
    assert problem(other.get("players/me/")) == (401, "token_invalid")
    assert problem(caller.get(f"tokens/{phone['id']}/")) == (404, "not_found")
    assert caller.send("DELETE", "tokens/current/", b"", "application/json", {}).status_code == 204
    assert problem(caller.get("players/me/")) == (401, "token_invalid")


def test_any_token_may_end_itself_and_only_a_playing_one_another(guest: Come) -> None:
    """A token for looking alone revokes itself, and no other."""
    caller = guest()
    looking = made(caller, scopes=["read"])
    mine = caller.get("tokens/current/").json()["id"]
    assert problem(looking.send("DELETE", f"tokens/{mine}/", b"", "", {})) == (403, "scope_missing")
    assert looking.send("DELETE", "tokens/current/", b"", "application/json", {}).status_code == 204


@pytest.mark.parametrize("token", ["0", "x" * 36, "current2", "0192f6a0-5b1e-7c3d-8e4f-1a2b3c4d5e6f"])
def test_a_token_that_is_not_ones_own_is_not_there(guest: Come, token: str) -> None:
    """Neither others' tokens nor texts that are no ids."""
    caller, other = guest(), guest()
    theirs = other.get("tokens/current/").json()["id"]
    for path in (f"tokens/{token}/", f"tokens/{theirs}/"):
        assert problem(caller.get(path)) == (404, "not_found")
        assert problem(caller.send("DELETE", path, b"", "application/json", {})) == (404, "not_found")
    assert other.get("players/me/").status_code == 200


def test_a_session_has_no_current_token(person: SignUp) -> None:
    """`current` is what the request comes with, and a session is none."""
    assert problem(person("Dana").api("GET", "tokens/current/")) == (404, "not_found")


def test_a_tokens_last_day_is_noted_once_a_day(guest: Come) -> None:
    """The first request of a day writes it, the next ones write nothing."""
    caller = guest()
    Token.objects.update(last_used_on=date(2020, 1, 1))
    with CaptureQueriesContext(
        connection,
    ) as first:
        caller.get("players/me/")
    with CaptureQueriesContext(connection) as second:
        caller.get("players/me/")
    assert [query["sql"].split()[0] for query in first] == ["SELECT", "UPDATE"]
    assert [query["sql"].split()[0] for query in second] == ["SELECT"]
    assert Token.objects.get().last_used_on == datetime.now(UTC).date()


def test_a_player_has_so_many_tokens_and_no_more(guest: Come) -> None:
    """The answer names the limit; those that ran out do not count."""
    caller = guest()
    player = Player.objects.get()
    Token.objects.bulk_create(Token(player=player, digest=uuid4().bytes * 2) for _ in range(MOST_TOKENS - 1))
    refused = caller.post("tokens/", {})
    assert problem(refused) == (409, "too_many_tokens")
    assert refused.json()["limit"] == MOST_TOKENS


@pytest.mark.django_db(transaction=True)
def test_the_limit_of_tokens_holds_at_the_same_instant() -> None:
    """Of many that are asked for at once, only as many are made as there is room for."""
    player, _ = player_create_guest()
    Token.objects.bulk_create(Token(player=player, digest=uuid4().bytes * 2) for _ in range(MOST_TOKENS - 3))
    barrier, refused = threading.Barrier(6), []

    def ask() -> None:
        barrier.wait()
        try:
            token_issue(player=player, by=None)
        except TooManyTokens:
            refused.append(1)
        connection.close()

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (Token.objects.count(), len(refused)) == (MOST_TOKENS, 4)
