"""Making, finding, joining, leaving and starting tables."""

import re
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from games.models import Game
from games.rules.ruleset import DEFAULT_RULES
from players.models import Player
from tests.api.http import Caller, problem, wrong_fields
from tests.api.tables import Table

Come = Callable[[], Caller]
pytestmark = pytest.mark.django_db
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def part_of(answer: dict[str, Any], named: dict[str, Any]) -> dict[str, Any]:
    """Those members of a game that are named as settings; `seats` is how many there are."""
    return {name: len(answer[name]) if name == "seats" else answer[name] for name in named}


def test_a_game_has_its_defaults_and_the_creator_on_seat_0(guest: Come) -> None:
    """An empty body is a whole table, with every setting as the contract says."""
    host = guest()
    answer = host.post("games/", {})
    assert answer.status_code == 201
    game = answer.json()
    assert answer.headers["Location"] == game["links"]["self"]
    assert answer.headers["ETag"] == f'"{game["version"]}-1"'
    expected: dict[str, Any] = {
        "name": None, "phase": "lobby", "version": 0, "visibility": "public", "invite_code": None,
        "turn_seconds": 60, "bank_seconds": 0, "increment_seconds": 0, "reaction_seconds": 8, "game_minutes": None,
        "first_player": "youngest", "host": 0, "seats_free": 3, "turn": None, "deadline": None, "ranking": None,
    }  # fmt: skip
    assert part_of(game, expected) == expected
    assert game["house_rules"] == DEFAULT_RULES.as_mapping()
    assert re.fullmatch("[0-9a-f]{64}", game["commitment"])
    assert INSTANT.fullmatch(game["now"])
    assert INSTANT.fullmatch(game["created_at"])
    nothing = dict.fromkeys(("player", "bot", "cards", "stage", "bank"))
    free: dict[str, Any] = {**nothing, "away": False, "connected": False}
    me = {"id": host.player["id"], "name": host.player["name"]}
    assert game["seats"] == [{**free, "seat": 0, "player": me}] + [{**free, "seat": seat} for seat in (1, 2, 3)]


def test_every_setting_is_kept(guest: Come) -> None:
    """What was asked for is what the table has; the house rules that were not named are at their defaults."""
    settings = {
        "name": "שולחן 7", "seats": 2, "visibility": "private", "turn_seconds": None, "bank_seconds": 60,
        "increment_seconds": 5, "reaction_seconds": 20, "game_minutes": 90, "first_player": "host",
    }  # fmt: skip
    rules = {"mode": "ladder", "hand_size": 8, "voluntary_draw": True, "max_turns": 500}
    game = guest().post("games/", {**settings, "house_rules": rules, "entropy": "00FFaa"}).json()
    assert part_of(game, settings) == settings
    assert game["house_rules"] == {**DEFAULT_RULES.as_mapping(), **rules}
    assert game["invite_code"]


def test_the_bounds_themselves_are_allowed(guest: Come) -> None:
    """The least and the most of each number are in."""
    least = {
        "seats": 2,
        "turn_seconds": 5,
        "bank_seconds": 0,
        "increment_seconds": 0,
        "reaction_seconds": 3,
        "game_minutes": 5,
    }
    most = {
        "seats": 10,
        "turn_seconds": 604_800,
        "bank_seconds": 86_400,
        "increment_seconds": 600,
        "reaction_seconds": 86_400,
        "game_minutes": 100_000,
    }
    host = guest()
    for settings in (least, most):
        assert part_of(host.post("games/", {**settings, "entropy": "ab" * 64}).json(), settings) == settings


def test_links_lead_to_what_they_name(table: Table) -> None:
    """Every link of the API process answers; the stream's are on the stream process."""
    game = table.host.get(table.path()).json()
    assert game["links"].pop("replay") is None  # the game is not over
    for name, url in game["links"].items():
        path = url.removeprefix("http://127.0.0.1:8000").replace("{version}", "3").replace("{?as}", "")
        if name in ("poll", "stream"):
            assert url.startswith("http://127.0.0.1:8001/api/v1/games/")
        elif name == "commands":
            assert table.host.post(path, {}).status_code == 422
        elif name not in ("export", "record"):
            assert table.host.get(path).status_code == 200


def test_one_sits_down_on_the_first_free_seat_or_the_one_named(guest: Come) -> None:
    """Seats fill from 0; a named seat is had if it is free."""
    host, named, first = guest(), guest(), guest()
    path = f"games/{host.post('games/', {'seats': 4}).json()['id']}/"
    assert named.post(path + "join/", {"seat": 3}).json()["seats"][3]["player"]["id"] == named.player["id"]
    assert first.post(path + "join/").json()["seats"][1]["player"]["id"] == first.player["id"]
    assert problem(guest().post(path + "join/", {"seat": 3})) == (409, "seat_taken")
    assert problem(first.post(path + "join/")) == (409, "already_seated")
    assert wrong_fields(guest().post(path + "join/", {"seat": 4})) == {"seat": "out_of_range"}
    assert guest().post(path + "join/").status_code == 200
    assert problem(guest().post(path + "join/")) == (409, "game_full")


def test_a_private_table_opens_to_its_code_alone(guest: Come) -> None:
    """The code is shown to those who sit there; without it 403."""
    host, friend, stranger = guest(), guest(), guest()
    game = host.post("games/", {"visibility": "private"}).json()
    path = f"games/{game['id']}/"
    for body in ({}, {"invite_code": None}, {"invite_code": "WRONG"}, {"invite_code": game["invite_code"].lower()}):
        assert problem(stranger.post(path + "join/", body)) == (403, "invite_code_wrong")
    joined = friend.post(path + "join/", {"invite_code": game["invite_code"]})
    assert joined.json()["invite_code"] == game["invite_code"]
    assert friend.get(path).status_code == 200
    assert [listed["id"] for listed in friend.get("games/").json()["results"]] == [game["id"]]
    assert stranger.get("games/").json()["results"] == []


def test_only_the_host_seats_bots_and_starts(lobby: Table, guest: Come) -> None:
    """Others are told that they are not the host."""
    other = guest()
    assert problem(other.post(lobby.path("seats/1/bot/"), {"level": "greedy"})) == (403, "not_host")
    assert problem(other.post(lobby.path("start/"))) == (403, "not_host")
    other.post(lobby.path("join/"))
    assert problem(other.post(lobby.path("start/"))) == (403, "not_host")
    assert problem(lobby.host.post(lobby.path("seats/1/bot/"), {"level": "greedy"})) == (409, "seat_taken")


def test_a_bot_is_seated_by_its_level(lobby: Table) -> None:
    """The level is shown on the seat; another level may take its place."""
    host = lobby.host
    seat = host.post(lobby.path("seats/1/bot/"), {"level": "greedy"}).json()["seats"][1]
    assert (seat["bot"], seat["player"]) == ("greedy", None)
    assert host.post(lobby.path("seats/1/bot/"), {"level": "random"}).json()["seats"][1]["bot"] == "random"
    assert wrong_fields(host.post(lobby.path("seats/1/bot/"), {"level": "grand"})) == {"level": "not_a_choice"}
    assert wrong_fields(host.post(lobby.path("seats/1/bot/"))) == {"level": "required"}
    assert problem(host.post(lobby.path("seats/2/bot/"), {"level": "greedy"})) == (404, "no_such_seat")
    assert problem(host.post(lobby.path("seats/10/bot/"), {"level": "greedy"})) == (404, "not_found")


def test_a_start_needs_every_seat_and_starts_once(lobby: Table, guest: Come) -> None:
    """Starting twice is answered twice; then the lobby is closed."""
    host, other = lobby.host, guest()
    assert problem(host.post(lobby.path("start/"))) == (409, "seats_empty")
    other.post(lobby.path("join/"))
    first, second = host.post(lobby.path("start/")), host.post(lobby.path("start/"))
    assert (first.status_code, second.status_code) == (200, 200)
    assert first.json()["phase"] == "playing"
    assert first.json()["version"] == second.json()["version"] == lobby.events()
    assert problem(guest().post(lobby.path("join/"))) == (409, "already_started")
    assert problem(host.post(lobby.path("seats/1/bot/"), {"level": "greedy"})) == (409, "already_started")


def test_before_the_start_there_is_nothing_to_see_or_do(lobby: Table) -> None:
    """409 `not_started`, with the phase."""
    host = lobby.host
    for answer in (
        host.get(lobby.path("view/")),
        host.get(lobby.path("legal/")),
        host.post(lobby.path("commands/"), {"type": "draw"}),
    ):
        assert problem(answer) == (409, "not_started")
        assert answer.json()["phase"] == "lobby"
    assert problem(host.get(lobby.path("export/"), accept="application/x-ndjson")) == (409, "not_finished")
    assert host.get(lobby.path("events/")).json()["results"] == []
    assert host.get(lobby.path("audit/")).json()["server_seed"] is None


def test_leaving_the_lobby_frees_the_seat_and_passes_the_host_on(lobby: Table, guest: Come) -> None:
    """The next player is host; after the last one the table is gone."""
    host, other = lobby.host, guest()
    assert problem(other.post(lobby.path("leave/"))) == (403, "not_seated")
    other.post(lobby.path("join/"))
    left = host.post(lobby.path("leave/")).json()
    assert (left["host"], left["seats"][0]["player"], left["phase"]) == (1, None, "lobby")
    assert problem(host.post(lobby.path("leave/"))) == (403, "not_seated")
    assert other.post(lobby.path("leave/")).json()["phase"] == "aborted"


def test_leaving_a_private_lobby_is_answered_once_more(guest: Come) -> None:
    """The one who left gets the table as it is now, without the code, and then knows of it no more."""
    host, friend = guest(), guest()
    game = host.post("games/", {"visibility": "private"}).json()
    path = f"games/{game['id']}/"
    friend.post(path + "join/", {"invite_code": game["invite_code"]})
    left = friend.post(path + "leave/").json()
    assert (left["id"], left["invite_code"]) == (game["id"], None)
    assert problem(friend.get(path)) == (404, "not_found")


def test_leaving_a_running_game_is_the_rules_leave(table: Table) -> None:
    """With two at the table the other one wins; leaving twice is refused."""
    leaver, other = table.seats
    left = leaver.post(table.path("leave/"))
    assert left.status_code == 200
    assert (left.json()["phase"], left.json()["winner"]) == ("finished", 1)
    assert problem(leaver.post(table.path("leave/"))) == (409, "finished")
    events = other.get(table.path("events/?after=3")).json()["results"]
    assert [event["type"] for event in events] == ["SeatLeft", "GameEnded", "SeedRevealed"]


@pytest.mark.parametrize("act", ["games/", "join/", "leave/", "start/", "seats/1/bot/"])
def test_the_same_idempotency_key_does_nothing_twice(lobby: Table, guest: Come, act: str) -> None:
    """Each creating or moving POST gives its first answer again, to the letter."""
    other, key = guest(), str(uuid4())
    caller = other if act in ("join/", "leave/") else lobby.host
    if act in ("leave/", "start/"):
        other.post(lobby.path("join/"))
    path = act if act == "games/" else lobby.path(act)
    body: dict[str, Any] = {"level": "greedy"} if "bot" in act else {}
    first = caller.post(path, body, idempotency_key=key)
    before = (Game.objects.count(), lobby.state())
    again = caller.post(path, body, idempotency_key=key.upper())
    assert first.status_code < 300
    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert again.headers.get("Location") == first.headers.get("Location")
    assert (Game.objects.count(), lobby.state()) == before


def test_an_idempotency_key_belongs_to_its_caller_route_and_body(guest: Come) -> None:
    """Another caller or route may use the same key; another body may not."""
    one, two, key = guest(), guest(), str(uuid4())
    ids = {caller.post("games/", {}, idempotency_key=key).json()["id"] for caller in (one, two)}
    assert len(ids) == 2
    assert problem(one.post("games/", {"seats": 3}, idempotency_key=key)) == (422, "idempotency_key_reused")
    for game_id in ids:
        assert two.post(f"games/{game_id}/leave/", {}, idempotency_key=key).status_code in (200, 403)


def test_lists_are_filtered(guest: Come, table: Table) -> None:
    """By phase, mode, free seats and player; the newest first."""
    host = guest()
    open_ladder = host.post("games/", {"seats": 3, "house_rules": {"mode": "ladder"}}).json()["id"]
    open_single = guest().post("games/", {"seats": 2}).json()["id"]

    def found(query: str) -> list[str]:
        return [game["id"] for game in host.get(f"games/?{query}").json()["results"]]

    assert found("") == [open_single, open_ladder, table.id]
    assert found("phase=playing") == [table.id]
    assert found("phase=lobby") == [open_single, open_ladder]
    assert found("mode=ladder") == [open_ladder]
    assert found("mode=single") == [open_single, table.id]
    assert found("seats_free=2") == [open_ladder]
    assert found(f"player={host.player['name'].upper()}") == [open_ladder]
    assert found("player=nobody") == []
    assert found("phase=lobby&mode=single&seats_free=1") == [open_single]


def test_lists_are_paged_by_cursor_in_both_directions(guest: Come) -> None:
    """Following `next` shows each game once; following `previous` leads back; filters stay."""
    host = guest()
    Player.objects.update(guest=False)  # a guest may have three open games only
    made = [host.post("games/", {"seats": 2}).json()["id"] for _ in range(7)][::-1]

    def page(url: str) -> dict[str, Any]:
        body: dict[str, Any] = host.get(url.removeprefix("http://127.0.0.1:8000")).json()
        return body

    first = page("games/?limit=3&phase=lobby")
    second = page(first["next"])
    third = page(second["next"])
    assert [game["id"] for one in (first, second, third) for game in one["results"]] == made
    assert (first["previous"], third["next"]) == (None, None)
    back = page(third["previous"])
    assert back["results"] == second["results"] or [g["id"] for g in back["results"]] == made[3:6]
    assert [game["id"] for game in page(back["previous"])["results"]] == made[:3]
    assert page(back["previous"])["previous"] is None
    assert "phase=lobby" in first["next"]


def test_a_guest_has_three_open_games_at_most(guest: Come, settings: Any) -> None:
    """The answer says how many; leaving one makes room."""
    settings.TAKI_THROTTLE_FACTOR = 1
    host = guest()
    games = [host.post("games/", {}).json()["id"] for _ in range(3)]
    refused = host.post("games/", {})
    assert problem(refused) == (409, "too_many_open_games")
    assert refused.json()["limit"] == 3
    host.post(f"games/{games[0]}/leave/")
    assert host.post("games/", {}).status_code == 201


def test_a_game_has_an_etag_for_log_and_lobby(lobby: Table, guest: Come) -> None:
    """304 while nothing has changed; each change of the lobby or the log gives a new tag."""
    host = lobby.host
    tags = [host.get(lobby.path()).headers["ETag"]]
    assert host.get(lobby.path(), if_none_match=tags[0]).status_code == 304
    assert host.get(lobby.path(), if_none_match=f'"x", W/{tags[0]}').status_code == 304
    assert host.get(lobby.path(), if_none_match="*").status_code == 304
    assert host.get(lobby.path(), if_none_match="nonsense").status_code == 200
    guest().post(lobby.path("join/"))
    tags.append(host.get(lobby.path(), if_none_match=tags[0]).headers["ETag"])
    tags.append(host.post(lobby.path("start/")).headers["ETag"])
    assert host.get(lobby.path()).headers["ETag"] == tags[-1]
    assert len(set(tags)) == 3


def test_an_act_on_a_table_can_be_tied_to_the_table_as_it_was_seen(lobby: Table, guest: Come) -> None:
    """A stale `If-Match` is 412 with the version and changes nothing; the present tag lets the act through."""
    host, other = lobby.host, guest()
    seen = host.get(lobby.path()).headers["ETag"]
    joined = other.post(lobby.path("join/"), {}, if_match=seen)
    assert joined.status_code == 200
    before = lobby.state()
    for caller, path, body in (
        (host, "start/", None),
        (host, "seats/1/bot/", {"level": "greedy"}),
        (other, "leave/", None),
        (guest(), "join/", {}),
    ):
        for header in (seen, f"W/{joined.headers['ETag']}", '"x"'):
            failed = caller.post(lobby.path(path), body, if_match=header)
            assert problem(failed) == (412, "precondition_failed")
        assert problem(caller.post(lobby.path(path), body, if_match="x")) == (422, "invalid")
    assert lobby.state() == before
    assert host.post(lobby.path("start/"), if_match=f'"x", {joined.headers["ETag"]}').status_code == 200


def test_answers_that_depend_on_the_caller_are_kept_by_nobody(table: Table) -> None:
    """`private, no-store` on everything about a game."""
    for path in ("", "view/", "legal/", "events/", "audit/"):
        assert table.host.get(table.path(path)).headers["Cache-Control"] == "private, no-store"


def test_the_house_rules_schema_describes_what_a_table_takes(nobody: Caller, guest: Come) -> None:
    """Each default it names is accepted and is no change."""
    schema = nobody.get("rules/house-rules/").json()
    rules = {name: rule["default"] for name, rule in schema["properties"].items()}
    assert schema["additionalProperties"] is False
    assert guest().post("games/", {"house_rules": rules}).json()["house_rules"] == rules
