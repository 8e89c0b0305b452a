"""Taking somebody off the table, moving to another seat, and entropy, until the start."""

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from tests.api.http import Caller, problem, wrong_fields
from tests.api.tables import Table

Come = Callable[[], Caller]
pytestmark = pytest.mark.django_db


def patch(caller: Caller, path: str, body: object, **headers: str) -> Any:
    return caller.send("PATCH", path, json.dumps(body).encode(), "application/json", headers)


def who(answer: Any) -> list[str | None]:
    """Who sits where: a player's id, a bot's level, or nobody."""
    assert answer.status_code in (200, 201), answer.content
    return [seat["player"]["id"] if seat["player"] else seat["bot"] for seat in answer.json()["seats"]]


def test_the_host_frees_a_seat_and_its_player_does_not_come_back(lobby: Table, guest: Come) -> None:
    """Anybody else may sit down there; a second kick finds nobody."""
    host, rude, other = lobby.host, guest(), guest()
    rude.post(lobby.path("join/"))
    kicked = host.post(lobby.path("seats/1/kick/"))
    assert who(kicked) == [host.player["id"], None]
    assert kicked.json()["seats_free"] == 1
    before = lobby.state()
    assert problem(rude.post(lobby.path("join/"))) == (403, "kicked")
    assert problem(host.post(lobby.path("seats/1/kick/"))) == (409, "seat_free")
    assert lobby.state() == before
    assert who(other.post(lobby.path("join/"))) == [host.player["id"], other.player["id"]]
    assert rude.post("games/", {}).status_code == 201


def test_a_bot_is_taken_off_and_the_host_is_not(lobby: Table) -> None:
    """The bot's seat may be given to another; the host leaves instead."""
    host = lobby.host
    host.post(lobby.path("seats/1/bot/"), {"level": "greedy"})
    assert who(host.post(lobby.path("seats/1/kick/"))) == [host.player["id"], None]
    assert host.post(lobby.path("seats/1/bot/"), {"level": "random"}).status_code == 200
    assert problem(host.post(lobby.path("seats/0/kick/"))) == (409, "host_seat")


def test_only_the_host_kicks_and_only_before_the_start(lobby: Table, guest: Come, nobody: Caller) -> None:
    """Nothing changes when it is refused."""
    host, other, stranger = lobby.host, guest(), guest()
    other.post(lobby.path("join/"))
    before = lobby.state()
    assert problem(nobody.post(lobby.path("seats/1/kick/"))) == (401, "not_authenticated")
    for caller in (other, stranger):
        assert problem(caller.post(lobby.path("seats/0/kick/"))) == (403, "not_host")
    assert problem(host.post(lobby.path("seats/2/kick/"))) == (404, "no_such_seat")
    assert problem(host.post(f"games/{uuid4()}/seats/1/kick/")) == (404, "not_found")
    assert problem(host.post(lobby.path("seats/1/kick/"), {}, if_match='"0-1"')) == (412, "precondition_failed")
    assert wrong_fields(host.post(lobby.path("seats/1/kick/"), {"reason": "rude"})) == {"reason": "unknown"}
    assert lobby.state() == before
    host.post(lobby.path("start/"))
    assert problem(host.post(lobby.path("seats/1/kick/"))) == (409, "already_started")


def test_a_kick_that_is_sent_again_is_carried_out_once(lobby: Table, guest: Come) -> None:
    """Whoever sits down meanwhile is not meant by the repetition."""
    key = str(uuid4())
    guest().post(lobby.path("join/"))
    first = lobby.host.post(lobby.path("seats/1/kick/"), {}, idempotency_key=key)
    guest().post(lobby.path("join/"))
    again = lobby.host.post(lobby.path("seats/1/kick/"), {}, idempotency_key=key)
    assert (again.status_code, again.content) == (200, first.content)
    assert lobby.host.get(lobby.path()).json()["seats_free"] == 0


def test_a_private_table_is_no_longer_there_for_who_was_taken_off_it(guest: Come) -> None:
    """The code, which is known, does not let in again."""
    host, rude = guest(), guest()
    game = host.post("games/", {"visibility": "private"}).json()
    path = f"games/{game['id']}/"
    rude.post(path + "join/", {"invite_code": game["invite_code"]})
    host.post(path + "seats/1/kick/")
    assert problem(rude.get(path)) == (404, "not_found")
    assert problem(rude.post(path + "join/", {"invite_code": game["invite_code"]})) == (403, "kicked")


def test_one_moves_to_a_free_seat_and_stays_host(guest: Come) -> None:
    """What was given for the seat goes along; a taken seat is refused; the game's tag changes."""
    host, other = guest(), guest()
    path = f"games/{host.post('games/', {'seats': 4, 'entropy': 'abcd'}).json()['id']}/"
    other.post(path + "join/")
    tag = host.get(path).headers["ETag"]
    moved = patch(host, path + "me/", {"seat": 3}, if_match=tag)
    assert (moved.status_code, moved.json()) == (200, {"seat": 3, "auto_accept": False, "entropy": "abcd"})
    after = host.get(path)
    assert who(after) == [None, other.player["id"], None, host.player["id"]]
    assert (after.json()["host"], after.headers["ETag"] == tag) == (3, False)
    assert problem(patch(host, path + "me/", {"seat": 0}, if_match=tag)) == (412, "precondition_failed")
    assert problem(patch(other, path + "me/", {"seat": 3})) == (409, "seat_taken")
    assert wrong_fields(patch(other, path + "me/", {"seat": 4})) == {"seat": "out_of_range"}
    assert problem(patch(guest(), path + "me/", {"seat": 0})) == (403, "not_seated")
    assert host.get(path).headers["ETag"] == after.headers["ETag"]


def test_entropy_may_be_given_until_the_start_and_is_public_at_once(lobby: Table, guest: Come) -> None:
    """`audit/` shows it to everybody; the deal binds it, and afterwards it stays."""
    host, other = lobby.host, guest()
    other.post(lobby.path("join/"), {"entropy": "01"})
    assert patch(other, lobby.path("me/"), {"entropy": "00FF"}).json()["entropy"] == "00ff"
    assert guest().get(lobby.path("audit/")).json()["entropy"] == ["", "00ff"]
    assert wrong_fields(patch(other, lobby.path("me/"), {"entropy": "0"})) == {"entropy": "not_hex"}
    host.post(lobby.path("start/"))
    before = lobby.state()
    for body in ({"entropy": "aa"}, {"seat": 0}, {"entropy": "aa", "auto_accept": True}):
        assert problem(patch(other, lobby.path("me/"), body)) == (409, "already_started")
    assert lobby.state() == before
    assert other.get(lobby.path("me/")).json() == {"seat": 1, "auto_accept": False, "entropy": "00ff"}
    assert patch(other, lobby.path("me/"), {"entropy": "00ff", "auto_accept": True}).status_code == 200


def test_ones_own_seat_is_told_to_who_has_one(lobby: Table, guest: Come, nobody: Caller) -> None:
    """403 without a seat, 404 for a private table that one does not know, 401 for nobody."""
    assert lobby.host.get(lobby.path("me/")).json() == {"seat": 0, "auto_accept": False, "entropy": None}
    assert problem(guest().get(lobby.path("me/"))) == (403, "not_seated")
    assert problem(nobody.get(lobby.path("me/"))) == (401, "not_authenticated")
    private = guest().post("games/", {"visibility": "private"}).json()["id"]
    assert problem(guest().get(f"games/{private}/me/")) == (404, "not_found")
