"""Tournaments over HTTP: made, found, entered, run, looked at; and every bad request gets one clear problem."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from players.models import Scope, Token
from tests.api.http import Caller, problem, wrong_fields
from tests.tournaments.api.callers import send
from tests.tournaments.given import play_out
from tournaments import services
from tournaments.models import Entry, Tournament, TournamentEvent, TournamentTable

pytestmark = pytest.mark.django_db
Account = Callable[..., Caller]
SHORT = {"hand_size": 3, "deck": "classic_108", "last_card_grace_seconds": 0}
KNOCKOUT = {
    "name": "Spring cup",
    "format": "knockout",
    "check_in": False,
    "house_rules": SHORT,
    "turn_seconds": None,
    "capacity": 8,
}


def made(organiser: Caller, **fields: Any) -> str:
    """A tournament's path."""
    answer = organiser.post("tournaments/", {**KNOCKOUT, **fields})
    assert answer.status_code == 201, answer.content
    return f"tournaments/{answer.json()['id']}/"


def opened(organiser: Caller, **fields: Any) -> str:
    """A tournament's path, its registration open."""
    path = made(organiser, **fields)
    assert organiser.post(path + "open/").status_code == 200
    return path


def number_of(path: str) -> UUID:
    return UUID(path.split("/")[1])


def in_days(days: float) -> str:
    return (datetime.now(UTC) + timedelta(days=days)).isoformat()


def test_a_tournament_is_made_with_the_defaults_of_its_format(account: Account) -> None:
    """A name is enough: a ladder for ten, a draft, its commitment public and its seed not."""
    organiser = account()
    told = organiser.post("tournaments/", {"name": "Friday ladder"}).json()
    assert (told["phase"], told["format"], told["table_kind"]) == ("draft", "ladder", "ladder")
    assert (told["table_size"], told["capacity"], told["go_on"]) == (10, 10, 1)
    assert told["house_rules"]["mode"] == "ladder"
    assert told["organiser"] == organiser.player
    assert len(told["commitment"]) == 64
    assert told["seed"] is None
    assert told["may_run"]


def test_guests_make_no_tournament_and_tokens_need_the_scope(guest: Callable[[], Caller], account: Account) -> None:
    """`organise` is a scope of its own."""
    assert problem(guest().post("tournaments/", {"name": "Mine"})) == (403, "scope_missing")
    organiser = account()
    Token.objects.filter(player_id=organiser.player["id"]).update(scopes=[Scope.READ, Scope.PLAY])
    assert problem(organiser.post("tournaments/", {"name": "Mine"})) == (403, "scope_missing")
    visitor = guest()
    Token.objects.filter(player_id=visitor.player["id"]).update(scopes=[Scope.ORGANISE])
    assert problem(visitor.post("tournaments/", {"name": "Mine"})) == (403, "account_needed")
    assert not Tournament.objects.exists()


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"nmae": "x"}, {"nmae": "unknown"}),
        ({"name": ""}, {"name": "bad_text"}),
        ({"table_size": 11}, {"table_size": "out_of_range"}),
        ({"table_size": 3, "go_on": 3}, {"go_on": "too_many_go_on"}),
        ({"format": "league"}, {"format": "not_a_choice"}),
        ({"format": "ladder", "capacity": 64}, {"table_size": "out_of_range"}),
        ({"format": "ladder", "table_kind": "single"}, {"format": "ladder_is_one_table"}),
        ({"house_rules": {"mode": "ladder"}}, {"house_rules.mode": "not_together"}),
        ({"house_rules": {"hand_size": 99}}, {"house_rules.hand_size": "out_of_range"}),
        ({"first_player": "host"}, {"first_player": "not_a_choice"}),
        ({"starts_at": "tomorrow"}, {"starts_at": "not_an_instant"}),
        ({"starts_at": "2099-01-01T10:00:00"}, {"starts_at": "not_an_instant"}),
        ({"starts_at": "2001-01-01T10:00:00Z"}, {"starts_at": "in_the_past"}),
        ({"closes_at": in_days(3), "starts_at": in_days(2)}, {"starts_at": "times_not_in_order"}),
        ({"opens_at": in_days(2), "closes_at": in_days(1)}, {"starts_at": "times_not_in_order"}),
        ({"start_by_clock": True}, {"starts_at": "required"}),
        ({"turn_seconds": 1}, {"turn_seconds": "out_of_range"}),
    ],
)
def test_bad_fields_are_named_and_nothing_is_made(
    account: Account, fields: dict[str, Any], wrong: dict[str, str]
) -> None:
    """Times in the past, an end before the start, terms that contradict each other: 422 at the field."""
    assert wrong_fields(account().post("tournaments/", {**KNOCKOUT, **fields})) == wrong
    assert not Tournament.objects.exists()


def test_the_same_idempotency_key_makes_one_tournament(account: Account) -> None:
    """A form that is sent twice."""
    organiser, key = account(), str(uuid4())
    first = organiser.post("tournaments/", KNOCKOUT, idempotency_key=key)
    again = organiser.post("tournaments/", KNOCKOUT, idempotency_key=key)
    assert first.content == again.content
    assert Tournament.objects.count() == 1


def test_drafts_and_private_tournaments_are_not_there_for_strangers(account: Account) -> None:
    """404 and not listed; with the code one enters a private one, and then knows of it."""
    organiser, stranger = account(), account()
    draft, private = made(organiser), opened(organiser, visibility="private")
    for path in (draft, private):
        for below in ("", "entries/", "stages/", "standings/", "tables/", "log/"):
            assert problem(stranger.get(path + below)) == (404, "not_found")
        assert problem(stranger.post(path + "entries/", {})) == (404, "not_found")
        assert problem(stranger.post(path + "start/", {})) == (404, "not_found")
    assert stranger.get("tournaments/").json()["results"] == []
    assert len(organiser.get("tournaments/").json()["results"]) == 2
    assert problem(stranger.post(private + "entries/", {"invite_code": "WRONG"})) == (403, "invite_code_wrong")
    code = organiser.get(private).json()["invite_code"]
    assert stranger.post(private + "entries/", {"invite_code": code}).status_code == 201
    assert stranger.get(private).json()["invite_code"] == code
    assert [told["id"] for told in stranger.get("tournaments/").json()["results"]] == [str(number_of(private))]


def test_registering_twice_is_told_once_and_the_full_and_the_closed_say_so(account: Account) -> None:
    """One clear message each, and the list of entries as it was."""
    organiser = account()
    path = opened(organiser, capacity=2, waiting_list=False)
    players = [account() for _ in range(3)]
    first = players[0].post(path + "entries/", {})
    assert first.status_code == 201
    assert first.json()["number"] == 1
    again = players[0].post(path + "entries/", {})
    assert problem(again) == (409, "already_entered")
    assert again.json()["entry"] == 1
    assert players[1].post(path + "entries/", {}).status_code == 201
    full = players[2].post(path + "entries/", {})
    assert problem(full) == (409, "act_refused")
    assert full.json()["refusal"] == "FULL"
    assert organiser.post(path + "close/").status_code == 200
    assert players[2].post(path + "entries/", {}).json()["refusal"] == "REGISTRATION_CLOSED"
    assert Entry.objects.count() == 2
    hebrew = players[2].post(path + "entries/", {}, accept_language="he")
    assert hebrew.json()["detail"] == "ההרשמה סגורה."


def test_who_withdraws_before_the_start_may_register_again_and_the_waiting_list_moves_up(account: Account) -> None:
    """DELETE is for the caller's own entry."""
    organiser = account()
    path = opened(organiser, capacity=2)
    players = [account() for _ in range(3)]
    entries = [player.post(path + "entries/", {}).json() for player in players]
    assert [entry["status"] for entry in entries] == ["entered", "entered", "waiting"]
    assert entries[2]["waiting_place"] == 1
    assert send(players[0], "DELETE", path + "entries/").json()["status"] == "withdrawn"
    services.tournament_advance(tournament_id=number_of(path))
    assert players[2].get(path).json()["entry"]["status"] == "entered"
    assert players[0].post(path + "entries/", {}).json()["number"] == 4
    assert problem(send(account(), "DELETE", path + "entries/")) == (403, "not_entered")
    assert problem(send(players[0], "DELETE", path + "entries/2/")) == (403, "not_entered")
    assert problem(send(organiser, "DELETE", path + "entries/77/")) == (404, "not_found")


def test_the_organiser_enters_players_by_name_and_bots(account: Account) -> None:
    """Nobody else may."""
    organiser, player = account(), account()
    path = opened(organiser)
    told = organiser.post(path + "entries/", {"player": player.player["name"].upper()})
    assert told.json()["player"] == player.player
    assert organiser.post(path + "entries/", {"bot": True}).json()["bot"] == "greedy"
    assert wrong_fields(organiser.post(path + "entries/", {"player": "Nobody such"})) == {"player": "no_such_player"}
    assert problem(player.post(path + "entries/", {"bot": True})) == (403, "not_organiser")


def test_buttons_pressed_by_others_or_twice_or_too_early(account: Account) -> None:
    """A stranger may not, a start with one is refused, a start pressed twice is one start, a reason is asked for."""
    organiser, player = account(), account()
    path = opened(organiser)
    player.post(path + "entries/", {})
    assert problem(player.post(path + "start/")) == (403, "not_organiser")
    assert organiser.post(path + "start/").json()["refusal"] == "TOO_FEW"
    organiser.post(path + "entries/", {"bot": True})
    assert [organiser.post(path + "start/").json()["phase"] for _ in range(2)] == ["running", "running"]
    assert TournamentEvent.objects.filter(type="TournamentStarted").count() == 1
    assert wrong_fields(organiser.post(path + "pause/")) == {"reason": "required"}
    paused = organiser.post(path + "pause/", {"reason": "lunch"})
    assert paused.json()["phase"] == "paused"
    assert organiser.post(path + "resume/").json()["phase"] == "running"
    assert organiser.post(path + "cancel/", {"reason": "fire alarm"}).json()["phase"] == "cancelled"
    assert organiser.post(path + "start/").json()["refusal"] == "TOURNAMENT_OVER"


def test_changes_of_a_tournament(account: Account) -> None:
    """What is not named stays; once registration is open what players rely on is fixed, its times are not."""
    organiser = account()
    path = made(organiser)
    changed = send(organiser, "PATCH", path, {"capacity": 6, "name": "Autumn cup", "turn_seconds": 30})
    assert changed.status_code == 200
    assert (changed.json()["capacity"], changed.json()["turn_seconds"], changed.json()["table_size"]) == (6, 30, 4)
    organiser.post(path + "open/")
    fixed = send(organiser, "PATCH", path, {"table_size": 3})
    assert problem(fixed) == (409, "act_refused")
    assert fixed.json()["errors"][0]["field"] == "table_size"
    assert problem(send(organiser, "PATCH", path, {"turn_seconds": 99})) == (409, "act_refused")
    assert organiser.get(path).json()["turn_seconds"] == 30
    later = in_days(2)
    assert send(organiser, "PATCH", path, {"starts_at": later, "name": "Winter cup"}).json()["name"] == "Winter cup"
    assert problem(send(account(), "PATCH", path, {"name": "Mine"})) == (403, "not_organiser")
    assert wrong_fields(send(organiser, "PATCH", path, {"namen": "x"})) == {"namen": "unknown"}


def test_an_answer_that_has_not_changed_is_304(account: Account) -> None:
    """Polling costs nothing; an entry changes what is shown."""
    organiser = account()
    path = opened(organiser)
    for below in ("", "entries/", "stages/", "standings/", "tables/", "log/"):
        tag = organiser.get(path + below).headers["ETag"]
        assert organiser.get(path + below, if_none_match=tag).status_code == 304
    account().post(path + "entries/", {})
    assert organiser.get(path + "entries/", if_none_match=tag).status_code == 200


def test_a_whole_knockout_over_http(account: Account) -> None:
    """Rounds, tables with their games, standings that move, a log with who and why, the seed at the end."""
    organiser, viewer = account(), account()
    path = opened(organiser, capacity=6, table_size=3, go_on=1)
    for _ in range(6):
        organiser.post(path + "entries/", {"bot": True})
    organiser.post(path + "start/", {"reason": "all are here"})
    tournament_id = number_of(path)
    services.tournament_advance(tournament_id=tournament_id)
    tables = viewer.get(path + "tables/").json()["tables"]
    assert [table["status"] for table in tables] == ["playing", "playing"]
    assert viewer.get(f"games/{tables[0]['game']}/").json()["phase"] == "playing"
    tag = viewer.get(path + "standings/").headers["ETag"]
    while running := TournamentTable.objects.filter(settled=False):
        for row in running:
            play_out(row.game_id)
        assert viewer.get(path + "standings/", if_none_match=tag).status_code == 200
        services.tournament_advance(tournament_id=tournament_id)
    told = viewer.get(path).json()
    assert told["phase"] == "finished"
    assert len(told["seed"]) == 64
    standings = viewer.get(path + "standings/").json()["standings"]
    assert [line["rank"] for line in standings] == [1, 2, 3, 4, 5, 6]
    assert standings[0]["champion"]
    assert standings[0]["entry"] == told["champion"]["number"]
    stages = viewer.get(path + "stages/").json()["stages"]
    assert [(stage["kind"], stage["status"], len(stage["entries"])) for stage in stages] == [
        ("round", "finished", 6),
        ("round", "finished", 2),
    ]
    assert viewer.get(path + "stages/1/").json() == stages[0]
    assert problem(viewer.get(path + "stages/9/")) == (404, "not_found")
    started = next(e for e in organiser.get(path + "log/").json()["events"] if e["type"] == "TournamentStarted")
    assert (started["by"], started["reason"]) == (organiser.player, "all are here")
    hidden = next(e for e in viewer.get(path + "log/").json()["events"] if e["type"] == "TournamentStarted")
    assert hidden["reason"] is None


def test_the_tables_of_a_tournament_have_no_host(account: Account) -> None:
    """Nobody joins them, whoever organises."""
    organiser = account()
    path = opened(organiser)
    players = [account() for _ in range(2)]
    for player in players:
        player.post(path + "entries/", {})
    organiser.post(path + "start/")
    services.tournament_advance(tournament_id=number_of(path))
    game = players[0].get(path + "tables/").json()["tables"][0]["game"]
    assert players[0].get(f"games/{game}/view/").json()["seat"] in (0, 1)
    assert problem(organiser.post(f"games/{game}/join/", {}))[0] in (403, 409)
    assert problem(players[0].post(f"games/{game}/seats/1/bot/", {"level": "greedy"})) == (403, "no_host")


def test_acts_on_a_table_name_the_game_they_mean(account: Account) -> None:
    """A second press, or one about an older game of the table, is refused; a wrong result is, too."""
    organiser = account()
    path = opened(organiser)
    for _ in range(3):
        organiser.post(path + "entries/", {"bot": True})
    organiser.post(path + "start/")
    tournament_id = number_of(path)
    services.tournament_advance(tournament_id=tournament_id)
    replay = {"attempt": 1, "reason": "the lights went out"}
    assert organiser.post(path + "tables/1/replay/", replay).status_code == 200
    services.tournament_advance(tournament_id=tournament_id)
    assert organiser.post(path + "tables/1/replay/", replay).json()["refusal"] == "STALE_ATTEMPT"
    assert [len(table["games"]) for table in organiser.get(path + "tables/").json()["tables"]] == [2]
    assert problem(organiser.post(path + "tables/9/end/", {"attempt": 1, "reason": "late"})) == (404, "not_found")
    assert organiser.post(path + "tables/1/end/", {"attempt": 2, "reason": "late"}).status_code == 200
    services.tournament_advance(tournament_id=tournament_id)
    table = organiser.get(path + "tables/").json()["tables"][0]
    assert (table["status"], table["ending"]) == ("finished", "played")
    places = [{"rank": rank, "entry": entry} for rank, entry in ((1, 1), (2, 2), (2, 3))]
    bad = {"attempt": 2, "reason": "typo", "result": places[:2]}
    assert wrong_fields(organiser.post(path + "tables/1/result/", bad)) == {"result": "bad_result"}
    good = {**bad, "result": places}
    assert organiser.post(path + "tables/1/result/", good).status_code == 200
    services.tournament_advance(tournament_id=tournament_id)
    assert organiser.get(path + "standings/").json()["standings"][0]["entry"] == 1


def test_the_log_is_followed_page_by_page(account: Callable[..., Caller]) -> None:
    """Whoever follows `next` from the beginning has each event once; the last page has none."""
    organiser = account()
    path = f"tournaments/{organiser.post('tournaments/', {'name': 'Paged cup'}).json()['id']}/"
    for act in ("open/", "close/"):
        assert organiser.post(path + act, {}).status_code == 200
    whole, url, pages = organiser.get(path + "log/").json()["events"], path + "log/?limit=1", 0
    read: list[Any] = []
    while url:
        page = organiser.get(url.removeprefix("http://127.0.0.1:8000")).json()
        assert (page["previous"] is None) == (not read)
        read, url, pages = read + page["events"], page["next"], pages + 1
    assert read == whole
    assert pages == len(whole) >= 3
