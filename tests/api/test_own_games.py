"""The games of a player and one's own, invitations, who is connected, and what a list costs."""

from collections.abc import Callable
from urllib.parse import quote
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.rules.cards import Seat
from games.streaming import presence
from games.streaming.valkey import ask
from tests.api.http import Caller, problem, wrong_fields
from tests.api.tables import Table

Come = Callable[[], Caller]
pytestmark = pytest.mark.django_db


def ids(caller: Caller, path: str) -> list[str]:
    answer = caller.get(path)
    assert answer.status_code == 200, answer.content
    return [game["id"] for game in answer.json()["results"]]


def path_of(caller: Caller) -> str:
    return f"players/{quote(caller.player['name'])}/games/"


def test_a_players_games_are_listed_newest_first_and_filtered(table: Table, guest: Come) -> None:
    """By name in any case; by phase and mode."""
    host, watching = table.host, guest()
    ladder = host.post("games/", {"house_rules": {"mode": "ladder"}}).json()["id"]
    assert ids(watching, path_of(host)) == [ladder, table.id]
    assert ids(watching, path_of(host).lower() + "?phase=lobby") == [ladder]
    assert ids(watching, path_of(host) + "?mode=single") == [table.id]
    assert ids(watching, path_of(table.seats[1])) == [table.id]
    first = watching.get(path_of(host) + "?limit=1").json()
    assert [game["id"] for game in first["results"]] == [ladder]
    assert ids(watching, first["next"].removeprefix("http://127.0.0.1:8000")) == [table.id]
    assert ids(watching, path_of(watching)) == []


def test_private_games_of_a_player_are_listed_for_those_who_know_them(guest: Come) -> None:
    """Who sits there, too; nobody else."""
    host, friend, stranger = guest(), guest(), guest()
    game = host.post("games/", {"visibility": "private"}).json()
    friend.post(f"games/{game['id']}/join/", {"invite_code": game["invite_code"]})
    assert ids(friend, path_of(host)) == ids(host, "players/me/games/") == [game["id"]]
    assert ids(stranger, path_of(host)) == []


def test_who_is_not_there_has_no_games(guest: Come, nobody: Caller) -> None:
    """404 for a name that nobody has; 401 for nobody; unknown filters are named."""
    caller = guest()
    assert problem(caller.get("players/nobody%20at%20all/games/")) == (404, "not_found")
    for path in (path_of(caller), "players/me/games/", "players/me/invitations/"):
        assert problem(nobody.get(path)) == (401, "not_authenticated")
        assert wrong_fields(caller.get(path + "?player=x")) == {"player": "unknown"}
    assert wrong_fields(caller.get("players/me/games/?cursor=x")) == {"cursor": "bad_cursor"}


def test_invitations_are_the_rematches_that_wait(table: Table) -> None:
    """Until one sits there; whoever made it is not invited."""
    host, other = table.seats
    host.post(table.path("leave/"))
    rematch = host.post(table.path("rematch/")).json()["id"]
    assert ids(other, "players/me/invitations/") == [rematch]
    assert ids(host, "players/me/invitations/") == []
    other.post(f"games/{rematch}/join/")
    assert ids(other, "players/me/invitations/") == []


@pytest.mark.parametrize("path", ["games/", "games/?phase=lobby&mode=single", "players/me/games/"])
def test_a_list_costs_as_many_statements_however_long_it_is(guest: Come, path: str) -> None:
    """One game or five with their players."""
    host, others = guest(), [guest(), guest()]

    def add() -> None:
        game = host.post("games/", {"seats": 3}).json()["id"]
        for other in others:
            other.post(f"games/{game}/join/")

    def cost() -> int:
        with CaptureQueriesContext(connection) as read:
            assert host.get(path).status_code == 200
        return len(read)

    add()
    one = cost()
    for _ in range(4):
        add()
    assert (cost(), len(ids(host, path))) == (one, 5)


@pytest.fixture
def somebody_there(table: Table) -> None:
    """A stream process that has seat 1 of the table connected."""
    now = presence.now_ms()
    field = presence.presence_written(until=now + 30_000, spectators=1, seats={Seat(1): now})
    key = presence.presence_key(UUID(table.id))
    ask(lambda valkey: valkey.hset(key, "a process", field))


@pytest.mark.usefixtures("somebody_there")
def test_who_is_connected_is_told_in_every_answer_with_a_table(table: Table) -> None:
    """In the game, in lists, and after an act; it is no part of the entity tag."""
    game = table.host.get(table.path())
    (listed,) = table.host.get("players/me/games/").json()["results"]
    back = table.host.post(table.path("return/"))
    for told in (game.json(), listed, back.json()):
        assert [seat["connected"] for seat in told["seats"]] == [False, True]
        assert told["spectators"] == 1
    assert table.host.get(table.path(), if_none_match=game.headers["ETag"]).status_code == 304
