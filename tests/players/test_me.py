"""What one says of oneself, and what others may know."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from players.models import Player
from tests.api.http import Caller, problem, wrong_fields
from tests.api.tables import Table
from tests.players.people import Person

Come = Callable[[], Caller]
SignUp = Callable[..., Person]
pytestmark = pytest.mark.django_db


def change(caller: Caller, body: str) -> object:
    """PATCH players/me/."""
    return caller.send("PATCH", "players/me/", body.encode(), "application/json", {})


def test_what_is_named_changes_and_the_rest_stays(guest: Come) -> None:
    """Each field by itself, null where it may be."""
    caller = guest()
    before = caller.get("players/me/").json()
    body = '{"birth_year": 1990, "language": "he", "notify_by_email": true, "name": "Dana"}'
    after = {**before, "birth_year": 1990, "language": "he", "notify_by_email": True, "name": "Dana"}
    assert change(caller, body).json() == after  # type: ignore[attr-defined]
    assert change(caller, "{}").json() == after  # type: ignore[attr-defined]
    assert change(caller, '{"birth_year": null, "language": null}').json() == {  # type: ignore[attr-defined]
        **after,
        "birth_year": None,
        "language": None,
    }


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ('{"birth_year": 1899}', {"birth_year": "out_of_range"}),
        (f'{{"birth_year": {datetime.now(UTC).year + 2}}}', {"birth_year": "out_of_range"}),
        ('{"birth_year": "1990"}', {"birth_year": "not_an_integer"}),
        ('{"language": "xx"}', {"language": "not_a_choice"}),
        ('{"notify_by_email": 1}', {"notify_by_email": "not_a_boolean"}),
        ('{"name": null}', {"name": "null"}),
        ('{"name": "TAKEN"}', {"name": "name_taken"}),
        ('{"name": "guest"}', {"name": "name_taken"}),
        ('{"guest": false}', {"guest": "unknown"}),
        ('{"email": "x@y.org"}', {"email": "unknown"}),
    ],
)
def test_what_cannot_be_changed_is_refused(guest: Come, nobody: Caller, body: str, wrong: dict[str, str]) -> None:
    """Each field says what is wrong, and nothing changes."""
    nobody.post("players/guest/", {"name": "Taken"})
    caller = guest()
    before = caller.get("players/me/").json()
    assert wrong_fields(change(caller, body)) == wrong
    assert caller.get("players/me/").json() == before


def test_ones_own_name_in_other_case_is_free(guest: Come) -> None:
    """Nobody else has it."""
    caller = guest()
    change(caller, '{"name": "dana"}')
    assert change(caller, '{"name": "Dana"}').json()["name"] == "Dana"  # type: ignore[attr-defined]


def test_a_program_says_so_and_stays_one(guest: Come) -> None:
    """One way: the others at a table rely on it."""
    caller = guest()
    assert change(caller, '{"bot": true}').json()["bot"] is True  # type: ignore[attr-defined]
    assert wrong_fields(change(caller, '{"bot": false}')) == {"bot": "bot_for_good"}
    assert change(caller, '{"bot": true}').status_code == 200  # type: ignore[attr-defined]


def test_a_program_can_come_in_as_one(nobody: Caller) -> None:
    """Its first token may play as a program."""
    made = nobody.post("players/guest/", {"bot": True}).json()
    assert made["player"]["bot"] is True
    assert Caller(token=made["token"]).get("tokens/current/").json()["scopes"] == ["read", "play", "bot"]


def test_nobody_becomes_a_program_at_a_running_table(table: Table) -> None:
    """Once the game is left, one may."""
    assert problem(change(table.host, '{"bot": true}')) == (409, "playing_now")
    assert change(table.host, '{"bot": false, "birth_year": 1980}').status_code == 200  # type: ignore[attr-defined]
    assert table.host.post(table.path("commands/"), {"type": "leave"}).status_code in (200, 201)
    assert change(table.host, '{"bot": true}').status_code == 200  # type: ignore[attr-defined]


@pytest.mark.parametrize("said", ["Zoë Levi", "ZOË LEVI", "zoe\u0308 levi"])
def test_a_player_is_found_by_name_in_any_case_and_form(nobody: Caller, said: str) -> None:
    """Anybody may ask, and is told nothing private."""
    made = nobody.post("players/guest/", {"name": "Zoë Levi"}).json()["player"]
    Player.objects.update(birth_year=1990, email="z@example.org")
    told = nobody.get(f"players/{said}/")
    assert told.status_code == 200
    assert told.json() == {**made, "created_at": told.json()["created_at"]}
    assert set(told.json()) == {"id", "name", "guest", "bot", "created_at"}


@pytest.mark.parametrize("name", ["Nobody", "x" * 80, "deleted player", "%00", "a\u0300" * 40])
def test_who_is_not_there_is_404(nobody: Caller, name: str) -> None:
    """Unknown names, and texts that are none."""
    assert problem(nobody.get(f"players/{name}/")) == (404, "not_found")


def test_a_blocked_player_is_not_shown(nobody: Caller) -> None:
    """As one that is not there."""
    nobody.post("players/guest/", {"name": "Dana"})
    Player.objects.update(is_active=False)
    assert problem(nobody.get("players/Dana/")) == (404, "not_found")


def test_an_account_sees_its_address_and_nobody_else_does(person: SignUp, nobody: Caller) -> None:
    """The address is private."""
    person("Dana", "dana@example.org")
    assert b"dana@example.org" not in nobody.get("players/Dana/").content
