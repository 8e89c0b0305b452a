"""A tournament's stream: how it stands, then every line of its log once and in order, to its end."""

from __future__ import annotations

import json
from uuid import UUID

import pytest

from players.api.answers import json_bytes
from players.models import Player
from players.services import player_create_guest, token_create
from tests.streaming.client import Client, Persistent
from tests.streaming.server import StreamServer
from tests.tournaments.given import Given, given_account, given_tournament
from tournaments.models import Visibility
from tournaments.services import tournament_edit, tournament_start
from tournaments.streaming import feed
from tournaments.streaming.own import tournament_changes


def follow(server: StreamServer, given: Given, player: Player, *, last: int | None = None) -> Client:
    return Client(f"{server.url}/tournaments/{given.id}/stream/", token_create(player=player), last=last)


def log(given: Given, *, reasons: bool, after: int = 0) -> list[dict[str, object]]:
    """The log as the API has it."""
    from tournaments.api.answers import line_json
    from tournaments.selectors import log_load

    lines = log_load(tournament_id=given.id, after=after, limit=1000)
    return [json.loads(json_bytes(line_json(line, reasons=reasons))) for line in lines]


def test_every_line_of_the_log_comes_once_to_the_end(streams: StreamServer) -> None:
    """To the organiser with the words of reasons, to others without; between them how it stands; then the end."""
    given = given_tournament(bots=6, start=False)
    guest = player_create_guest()[0]
    clients = {True: follow(streams, given, given.organiser), False: follow(streams, given, guest)}
    begun = given.row.version
    for reasons, client in clients.items():
        view = client.next()
        assert (view.event, view.id, view.data["tournament"]["may_run"]) == ("view", begun, reasons)
    given.act(tournament_start)
    given.play_to_the_end()
    for reasons, client in clients.items():
        seen = list(client.rest())
        assert [sent.data for sent in seen if sent.event == "event"] == log(given, reasons=reasons, after=begun)
        assert {sent.event for sent in seen} == {"event", "standings", "end"}
        assert (seen[-1].event, seen[-1].id, seen[-1].data["champion"]) == (
            "end",
            given.row.version,
            given.row.champion,
        )
    assert follow(streams, given, guest, last=given.row.version).status == 204


def test_lost_hints_and_cut_lines_cost_no_line(deaf_streams: StreamServer) -> None:
    """Whoever comes back with what it had gets the rest, from the first line on."""
    given = given_tournament(bots=8, start=False)
    token = token_create(player=player_create_guest()[0])
    client = Persistent(f"{deaf_streams.url}/tournaments/{given.id}/stream/", token, 3, most=12)
    client.start()
    given.act(tournament_start)
    given.play_to_the_end()
    client.join(60)
    assert client.found == log(given, reasons=False)
    assert client.stopped


def test_a_private_tournament_is_told_to_those_who_may_know_of_it(streams: StreamServer) -> None:
    """As by the API: a stranger gets 404, and the stream of whoever may no longer know of it ends."""
    given = given_tournament(bots=2, players=1, start=False, visibility=Visibility.PRIVATE)
    assert follow(streams, given, given_account()).status == 404
    with follow(streams, given, given.players[0]) as client:
        assert client.next().data["tournament"]["entry"]["number"] == 1


def test_what_the_organiser_edits_is_told(streams: StreamServer) -> None:
    """A new name is no line of the log, yet whoever looks sees it."""
    given = given_tournament(bots=2, start=False)
    with follow(streams, given, given_account()) as client:
        client.next()
        given.act(tournament_edit, name="Autumn cup")
        assert client.named("tournament").data["name"] == "Autumn cup"


def test_a_log_that_cannot_be_read_ends_its_own_streams_and_no_others(
    streams: StreamServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault of ours in one tournament must not silence the rest."""
    broken, whole = given_tournament(bots=2, start=False), given_tournament(bots=2, start=False)
    guest = player_create_guest()[0]
    with follow(streams, broken, guest) as ended, follow(streams, whole, guest) as stays:
        ended.next()
        stays.next()
        read = feed.read

        def fails(tournament_id: UUID, before: feed.Snapshot | None) -> feed.Snapshot | None:
            if tournament_id == broken.id:
                raise LookupError(tournament_id)
            return read(tournament_id, before)

        monkeypatch.setattr(feed, "read", fails)
        broken.register(None)
        assert "event" not in {sent.event for sent in ended.rest()}
        assert follow(streams, broken, guest).status == 500
        whole.register(None)
        assert stays.named("event").id == whole.row.version


def test_ones_own_stream_tells_of_entries_and_tables(streams: StreamServer) -> None:
    """Entered, and sat down at a table whose game has started."""
    given = given_tournament(bots=7, players=0, start=False)
    player = given_account()
    with Client(f"{streams.url}/players/me/stream/", token_create(player=player)) as client:
        assert client.next().data["tournaments"] == []
        number = given.register(player)
        assert client.named("entered").data["entry"] == number
        given.act(tournament_start)
        given.advance()
        told: dict[str, str] = {}  # in whichever order: the one comes from the game, the other from the tournament
        while told.keys() < {"started", "table"}:
            sent = client.next()
            if sent.event == "started":
                told["started"] = sent.data["id"]
            elif sent.event == "table" and sent.data["table"]["game"]:
                told["table"] = sent.data["table"]["game"]
        assert told["started"] == told["table"]


def test_whoever_goes_on_to_the_next_round_is_told_so() -> None:
    """As `advanced`; another table in the same round is `table`, anything else `tournament`, the first `entered`."""
    first = {"phase": "running", "round": 1, "table": {"number": 1, "game": "a"}}
    told = [
        ({}, "entered"),
        ({"a": {**first, "round": None, "table": None}}, "table"),
        ({"a": {**first, "table": {"number": 1, "game": None}}}, "table"),
        ({"a": {**first, "phase": "paused"}}, "tournament"),
        ({"a": {**first, "round": 0}}, "advanced"),
    ]
    for before, event in told:
        assert [name for name, _ in tournament_changes(before, {"a": first})] == [event]
    assert [*tournament_changes({"a": first}, {"a": dict(first)})] == []
    assert [*tournament_changes({"a": first}, {})] == [("withdrawn", first)]
    assert [*tournament_changes({"a": {**first, "phase": "finished"}}, {})] == []
