"""Once more: one table for all who sat there, whoever asks and however often."""

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import pytest

from games.models import Game
from tests.api.http import Caller, problem
from tests.api.tables import Table

Come = Callable[[], Caller]
pytestmark = pytest.mark.django_db


@pytest.fixture
def over(guest: Come) -> Table:
    """A finished private game: players on seats 0 and 1, a bot on seat 2."""
    host, other = guest(), guest()
    settings = {
        "name": "Friday", "seats": 3, "visibility": "private", "turn_seconds": 90, "bank_seconds": 30,
        "house_rules": {"hand_size": 5}, "first_player": "host", "when_away": "forfeit",
    }  # fmt: skip
    game = host.post("games/", settings).json()
    table = Table(game["id"], host, [host, other])
    other.post(table.path("join/"), {"invite_code": game["invite_code"]})
    host.post(table.path("seats/2/bot/"), {"level": "greedy"})
    host.post(table.path("start/"))
    for caller in table.seats:
        caller.post(table.path("leave/"))
    assert host.get(table.path()).json()["phase"] == "finished"
    return table


def who(game: dict[str, Any]) -> list[str | None]:
    return [seat["player"]["id"] if seat["player"] else seat["bot"] for seat in game["seats"]]


SAME = ("name", "visibility", "house_rules", "turn_seconds", "bank_seconds", "first_player", "when_away")


def test_a_rematch_is_the_same_table_with_everybody_one_seat_further(over: Table) -> None:
    """Whoever asks first is host; the bots sit there already; the other sits down by the same request."""
    host, other = over.seats
    made = other.post(over.path("rematch/"), {"entropy": "aa"})
    game, before = made.json(), host.get(over.path()).json()
    assert (made.status_code, made.headers["Location"]) == (201, game["links"]["self"])
    assert {name: game[name] for name in SAME} == {name: before[name] for name in SAME}
    assert (game["phase"], game["host"], game["rematch_of"]) == ("lobby", 2, over.id)
    assert who(game) == ["greedy", None, other.player["id"]]
    assert (game["id"] != over.id, game["commitment"] != before["commitment"]) == (True, True)
    joined = host.post(over.path("rematch/"))
    assert (joined.status_code, joined.json()["id"]) == (200, game["id"])
    assert who(joined.json()) == ["greedy", host.player["id"], other.player["id"]]
    assert other.get(f"games/{game['id']}/audit/").json()["entropy"] == ["", "", "aa"]
    assert other.post(f"games/{game['id']}/start/").json()["phase"] == "playing"


def test_asking_again_gives_the_same_table_and_changes_nothing(over: Table) -> None:
    """With or without a key, in the lobby and once it has started."""
    host, other = over.seats
    key = str(uuid4())
    first = host.post(over.path("rematch/"), {}, idempotency_key=key)
    rematch = Table(first.json()["id"], host, [])
    before = rematch.state()
    again = host.post(over.path("rematch/"), {}, idempotency_key=key)
    assert (again.status_code, again.content) == (201, first.content)
    assert host.post(over.path("rematch/")).json()["id"] == rematch.id
    assert rematch.state() == before
    other.post(over.path("rematch/"))
    host.post(rematch.path("start/"))
    assert other.post(over.path("rematch/")).json()["phase"] == "playing"
    assert Game.objects.filter(rematch_of_id=UUID(over.id)).count() == 1


def test_who_sat_there_is_invited_and_needs_no_code(over: Table, guest: Come) -> None:
    """It finds the private lobby in its list and may sit anywhere; strangers know nothing of it."""
    host, other = over.seats
    rematch = host.post(over.path("rematch/")).json()["id"]
    path = f"games/{rematch}/"
    assert other.get(path).json()["invite_code"] is None
    assert rematch in [game["id"] for game in other.get("games/?phase=lobby").json()["results"]]
    stranger = guest()
    assert problem(stranger.get(path)) == (404, "not_found")
    assert problem(stranger.post(path + "join/")) == (403, "invite_code_wrong")
    assert rematch not in [game["id"] for game in stranger.get("games/?phase=lobby").json()["results"]]
    assert problem(other.post(path + "start/")) == (403, "not_host")
    assert who(other.post(path + "join/").json())[2] == other.player["id"]  # the seat that is offered


def test_an_invitation_ends_with_the_lobby_or_a_kick(over: Table) -> None:
    """Who is taken off the table is not invited any more; nor is anybody once it has started."""
    host, other = over.seats
    path = f"games/{host.post(over.path('rematch/')).json()['id']}/"
    other.post(path + "join/")
    host.post(path + "seats/2/kick/")
    assert problem(other.get(path)) == (404, "not_found")
    assert problem(other.post(over.path("rematch/"))) == (403, "kicked")
    host.post(path + "seats/2/bot/", {"level": "random"})
    host.post(path + "start/")
    assert problem(other.post(over.path("rematch/"))) == (409, "already_started")
    assert problem(other.get(path)) == (404, "not_found")


def test_a_rematch_that_came_to_nothing_makes_room_for_another(over: Table) -> None:
    """When everybody has left its lobby."""
    host, other = over.seats
    first = host.post(over.path("rematch/")).json()["id"]
    host.post(f"games/{first}/leave/")
    second = other.post(over.path("rematch/"))
    assert second.status_code == 201
    assert second.json()["id"] != first


def test_a_taken_offer_is_another_free_seat_and_a_full_table_is_full(guest: Come) -> None:
    """A public rematch is open to others, too."""
    host, other = guest(), guest()
    over = Table(host.post("games/", {"seats": 2}).json()["id"], host, [host, other])
    other.post(over.path("join/"))
    host.post(over.path("start/"))
    host.post(over.path("leave/"))
    path = f"games/{host.post(over.path('rematch/')).json()['id']}/"
    assert guest().post(path + "join/").status_code == 200
    assert problem(other.post(over.path("rematch/"))) == (409, "game_full")


def test_only_who_sat_at_a_game_that_is_over_asks_for_a_rematch(
    lobby: Table, table: Table, over: Table, guest: Come, nobody: Caller
) -> None:
    """401, 403, 404, 409, 412; nothing is made."""
    games = Game.objects.count()
    assert problem(nobody.post(over.path("rematch/"))) == (401, "not_authenticated")
    assert problem(guest().post(over.path("rematch/"))) == (404, "not_found")
    assert problem(guest().post(f"games/{uuid4()}/rematch/")) == (404, "not_found")
    assert problem(guest().post(table.path("rematch/"))) == (403, "not_seated")
    assert problem(table.host.post(table.path("rematch/"))) == (409, "not_finished")
    assert problem(over.host.post(over.path("rematch/"), {}, if_match='"1-1"')) == (412, "precondition_failed")
    given_up = table.host.post("games/", {}).json()["id"]
    table.host.post(f"games/{given_up}/abort/")
    assert problem(table.host.post(f"games/{given_up}/rematch/")) == (409, "not_started")
    assert Game.objects.count() == games + 1


def test_a_guest_who_has_no_room_gets_no_rematch_and_keeps_the_one_it_has(over: Table, settings: Any) -> None:
    """The rematch counts as an open game; asking for it again is no further one."""
    settings.TAKI_THROTTLE_FACTOR = 1
    host, other = over.seats
    for _ in range(2):
        host.post("games/", {})
    rematch = host.post(over.path("rematch/")).json()["id"]
    assert host.post(over.path("rematch/")).json()["id"] == rematch
    for _ in range(3):
        other.post("games/", {})
    assert problem(other.post(over.path("rematch/"))) == (409, "too_many_open_games")
