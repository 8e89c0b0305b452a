"""Coming in as a guest, and tokens."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from players.models import KeptAnswer, Player, Scope, Token
from tests.api.http import Caller, problem, wrong_fields

Come = Callable[[], Caller]
pytestmark = pytest.mark.django_db


def test_a_guest_needs_no_name_and_gets_a_token_that_works(nobody: Caller) -> None:
    """One POST with an empty body is enough to be somebody."""
    made = nobody.post("players/guest/")
    assert made.status_code == 201
    body = made.json()
    assert body.keys() == {"player", "token"}
    assert body["player"].keys() == {"id", "name", "guest", "bot"}
    assert body["player"]["guest"] is True
    assert body["player"]["bot"] is False
    me = Caller(token=body["token"]).get("players/me/")
    assert me.status_code == 200
    assert body["player"].items() <= me.json().items()


def test_a_token_is_kept_only_as_its_digest(nobody: Caller) -> None:
    """No column of any player table holds the text of a token."""
    key = str(uuid4())
    text = nobody.post("players/guest/", {}, idempotency_key=key).json()["token"]
    rows = [*Token.objects.values(), *KeptAnswer.objects.values(), *Player.objects.values()]
    assert rows
    held = [
        bytes(value) if isinstance(value, memoryview) else str(value).encode() for row in rows for value in row.values()
    ]
    assert not [value for value in held if text.encode() in value or text[5:].encode() in value]


@pytest.mark.parametrize(
    ("name", "kept"),
    [("Dana", "Dana"), ("דנה לוי", "דנה לוי"), ("e\u0301ve", "éve"), ("a.b-c_9", "a.b-c_9"), ("Zoë 2", "Zoë 2")],
)
def test_names_of_any_script_are_kept_in_nfc(nobody: Caller, name: str, kept: str) -> None:
    """Letters, digits, single spaces and `_-.` are a name; equal texts are stored equally."""
    assert nobody.post("players/guest/", {"name": name}).json()["player"]["name"] == kept


@pytest.mark.parametrize(
    "name",
    [
        "",
        "x",
        "x" * 25,
        " ab",
        "ab ",
        "a  b",
        "a\tb",
        "a\x00b",
        "a<b",
        "a@b",
        "a\u200bb",
        "a\u202eb",
        "\u3164\u3164",
        "👩👩",
        "\u0301ab",
        "..",
        "-_- .",
    ],
)
def test_what_is_no_name_is_refused(nobody: Caller, name: str) -> None:
    """Control, invisible and direction characters, markup, doubled spaces and punctuation alone make no name."""
    assert wrong_fields(nobody.post("players/guest/", {"name": name})) == {"name": "bad_name"}
    assert not Player.objects.exists()


def test_a_name_is_taken_in_any_case(nobody: Caller) -> None:
    """Two players never have names that differ in case only."""
    nobody.post("players/guest/", {"name": "Straße"})
    assert wrong_fields(nobody.post("players/guest/", {"name": "STRASSE"})) == {"name": "name_taken"}
    assert Player.objects.count() == 1


def test_the_same_idempotency_key_makes_one_guest_and_tells_the_same_token(nobody: Caller) -> None:
    """A retry after a lost answer loses nothing and makes nobody twice."""
    key = str(uuid4())
    first = nobody.post("players/guest/", {"name": "Dana"}, idempotency_key=key)
    again = nobody.post("players/guest/", {"name": "Dana"}, idempotency_key=key)
    assert (again.status_code, again.json()) == (201, first.json())
    assert Player.objects.count() == 1
    assert Caller(token=again.json()["token"]).get("players/me/").status_code == 200


def test_an_idempotency_key_is_good_for_one_body(nobody: Caller) -> None:
    """Another body under the same key is refused and makes nobody."""
    key = str(uuid4())
    nobody.post("players/guest/", {"name": "Dana"}, idempotency_key=key)
    other = nobody.post("players/guest/", {"name": "Dina"}, idempotency_key=key)
    assert problem(other) == (422, "idempotency_key_reused")
    assert Player.objects.count() == 1


def test_a_refusal_is_not_remembered_under_an_idempotency_key(nobody: Caller) -> None:
    """After the reason is gone the same request succeeds."""
    nobody.post("players/guest/", {"name": "Dana"})
    key = str(uuid4())
    assert nobody.post("players/guest/", {"name": "Dana"}, idempotency_key=key).status_code == 422
    Player.objects.all().delete()
    assert nobody.post("players/guest/", {"name": "Dana"}, idempotency_key=key).status_code == 201


def test_an_idempotency_key_is_forgotten_after_a_day(nobody: Caller) -> None:
    """An old answer is not given again, and its row goes away."""
    key = str(uuid4())
    first = nobody.post("players/guest/", {}, idempotency_key=key).json()
    KeptAnswer.objects.update(created_at=datetime.now(UTC) - timedelta(hours=25))
    second = nobody.post("players/guest/", {}, idempotency_key=key).json()
    assert second["player"]["id"] != first["player"]["id"]
    assert second["token"] != first["token"]
    assert KeptAnswer.objects.count() == 1


def test_an_old_answer_that_was_not_yet_swept_is_not_given_again(nobody: Caller) -> None:
    """A hundred older ones are swept first; ours is still there, and counts as forgotten all the same."""
    key = str(uuid4())
    first = nobody.post("players/guest/", {}, idempotency_key=key).json()
    now = datetime.now(UTC)
    KeptAnswer.objects.update(created_at=now - timedelta(hours=25))
    older = {"route": "/", "digest": b"", "created_at": now - timedelta(hours=30)}
    KeptAnswer.objects.bulk_create(KeptAnswer(caller=str(n), key=uuid4(), **older) for n in range(100))
    second = nobody.post("players/guest/", {"name": "Dana"}, idempotency_key=key)
    assert second.status_code == 201
    assert second.json()["player"]["id"] != first["player"]["id"]
    assert KeptAnswer.objects.count() == 1
    assert nobody.post("players/guest/", {"name": "Dana"}, idempotency_key=key).json() == second.json()


def test_another_address_does_not_share_an_idempotency_key(nobody: Caller) -> None:
    """A stranger who sends the same key gets a guest of its own, not this one's token."""
    key = str(uuid4())
    first = nobody.post("players/guest/", {}, idempotency_key=key).json()
    nobody.client.defaults["REMOTE_ADDR"] = "192.0.2.7"
    assert nobody.post("players/guest/", {}, idempotency_key=key).json()["player"]["id"] != first["player"]["id"]


@pytest.mark.parametrize("key", ["", "x", "0" * 32, "{0}", "6f0c"])
def test_an_idempotency_key_is_a_uuid(nobody: Caller, key: str) -> None:
    """Anything else is refused and nothing is done."""
    assert wrong_fields(nobody.post("players/guest/", {}, idempotency_key=key)) == {"Idempotency-Key": "not_a_uuid"}
    assert not Player.objects.exists()


def test_authentication_is_one_select_and_no_write(guest: Come) -> None:
    """A request pays one statement for knowing who asks."""
    caller = guest()
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert caller.get("players/me/").status_code == 200
    assert len(queries) == 1
    assert queries[0]["sql"].startswith("SELECT")


@pytest.mark.parametrize(
    "header", ["Bearer", "Bearer x", "Bearer taki_" + "A" * 43, "Basic eDp5", "taki_" + "A" * 43, "Bearer \x00"]
)
def test_a_bad_token_is_401_with_a_challenge(nobody: Caller, header: str) -> None:
    """The answer says how to authenticate, and that this token is no good."""
    answer = nobody.get("players/me/", authorization=header)
    assert problem(answer) == (401, "token_invalid")
    assert 'error="invalid_token"' in answer.headers["WWW-Authenticate"]


def test_no_token_is_401_with_a_challenge(nobody: Caller) -> None:
    """The answer says that a bearer token is wanted."""
    answer = nobody.get("players/me/")
    assert problem(answer) == (401, "not_authenticated")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer ")


def test_an_expired_token_and_a_blocked_player_are_401(guest: Come) -> None:
    """A token ends with its time, and with its player's leave to play."""
    caller = guest()
    Token.objects.update(expires_at=datetime.now(UTC) - timedelta(seconds=1))
    assert problem(caller.get("players/me/")) == (401, "token_invalid")
    Token.objects.update(expires_at=None)
    assert caller.get("players/me/").status_code == 200
    Player.objects.update(is_active=False)
    assert problem(caller.get("players/me/")) == (401, "token_invalid")


def test_a_token_without_the_scope_is_403(guest: Come) -> None:
    """A token for organising alone reads nothing."""
    caller = guest()
    Token.objects.update(scopes=[Scope.ORGANISE])
    assert problem(caller.get("players/me/")) == (403, "scope_missing")
