"""The long-poll: the list of events from the stream process, which waits for the next one."""

from __future__ import annotations

import threading
import time
from typing import Any

from games.models import Visibility
from games.services import GameSettings
from players.models import Player
from players.services import player_create_guest, token_create
from tests.builders import QUICK, Table, given_bots, given_game, given_lobby
from tests.streaming.client import Client
from tests.streaming.given import listed, play
from tests.streaming.server import StreamServer, wait_for


def poll(server: StreamServer, table: Table, player: Player, query: str = "") -> Client:
    return Client(f"{server.url}/games/{table.game_id}/events/{query}", token_create(player=player), Accept="*/*")


def test_without_waiting_it_is_the_list(streams: StreamServer) -> None:
    """In every shape the API's, page by page, for whoever asks."""
    table = given_game(players=2)
    play(table, 5)
    for player in (*table.players, player_create_guest()[0]):
        page = poll(streams, table, player, "?after=1&limit=3").body()
        assert page["results"] == listed(table, player, 1)[:3]
        assert page["next"].endswith(f"/games/{table.game_id}/events/?after=4&limit=3")
        assert page["previous"].endswith("?after=0&limit=3")
        assert poll(streams, table, player).body()["results"] == listed(table, player)


def test_what_is_there_is_told_at_once_and_else_the_next_event_is_awaited(streams: StreamServer) -> None:
    """Several may wait; each is told as it may know."""
    table = given_game(players=2)
    head = table.game.version
    assert poll(streams, table, table.players[0], "?after=1&wait=25").body()["results"] == listed(
        table, table.players[0], 1
    )
    told: dict[int, Any] = {}

    def waiting(seat: int) -> None:
        told[seat] = poll(streams, table, table.players[seat], f"?after={head}&wait=20").body()["results"]

    threads = [threading.Thread(target=waiting, args=(seat,)) for seat in (0, 1)]
    for thread in threads:
        thread.start()
    wait_for(lambda: (feed := streams.process.feeds.feed(table.game_id)) and len(feed.followers) == 2)
    play(table, 1)
    for thread in threads:
        thread.join(10)
    for seat in (0, 1):
        assert told[seat] == listed(table, table.players[seat], head)


def test_when_time_is_up_the_answer_is_empty(streams: StreamServer) -> None:
    """And nothing is left behind."""
    table = given_game(players=2)
    began = time.monotonic()
    assert poll(streams, table, table.players[0], f"?after={table.game.version}&wait=1").body()["results"] == []
    assert time.monotonic() - began >= 1
    wait_for(lambda: streams.process.feeds.feed(table.game_id) is None)


def test_nobody_waits_for_a_game_that_is_over(streams: StreamServer) -> None:
    """Nothing comes any more."""
    table = given_bots(("greedy", "greedy"), rules=QUICK)
    table.bot_moves()
    guest = player_create_guest()[0]
    assert poll(streams, table, guest, f"?after={table.game.version}&wait=25").body()["results"] == []


def test_the_lobby_is_waited_out(streams: StreamServer) -> None:
    """The first event is the start's."""
    from games.services import game_start

    table = given_lobby(players=2, settings=GameSettings(seats=2, house_rules=QUICK))
    told: list[Any] = []
    thread = threading.Thread(
        target=lambda: told.extend(poll(streams, table, table.players[0], "?wait=20").body()["results"])
    )
    thread.start()
    wait_for(lambda: streams.process.feeds.feed(table.game_id))
    game_start(game_id=table.game_id, actor=table.players[0])
    thread.join(10)
    assert told == listed(table, table.players[0])


def test_what_cannot_be_is_refused(streams: StreamServer) -> None:
    """422; a cursor beyond the head is another log's."""
    table = given_game(players=2)
    for query in ("?wait=26", "?wait=x", "?after=999", "?limit=0", "?strange=1"):
        assert poll(streams, table, table.players[0], query).status == 422, query


def test_a_private_table_is_not_there_for_strangers(streams: StreamServer) -> None:
    """404, waiting or not."""
    table = given_lobby(players=1, settings=GameSettings(seats=2, visibility=Visibility.PRIVATE))
    assert poll(streams, table, player_create_guest()[0], "?wait=20").status == 404
