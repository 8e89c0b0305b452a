"""The measured form of "a lost hint costs delay, never an event": many clients, many games, half of all hints."""

from __future__ import annotations

import threading
from statistics import mean

import pytest

from players.services import player_create_guest, token_create
from tests.bench.measure import report
from tests.builders import QUICK, given_bots
from tests.streaming.client import Persistent
from tests.streaming.given import listed
from tests.streaming.server import StreamServer

GAMES = 10
CLIENTS = 6

pytestmark = pytest.mark.bench


def test_nothing_is_lost_and_nothing_doubled(deaf_streams: StreamServer) -> None:
    """Six spectators of each of ten games, each cut off at random some ten to twenty times."""
    tables = [given_bots(("greedy",) * 3, rules=QUICK) for _ in range(GAMES)]
    followers: list[list[Persistent]] = []
    for number, table in enumerate(tables):
        url = f"{deaf_streams.url}/games/{table.game_id}/stream/"
        tokens = [token_create(player=player_create_guest()[0]) for _ in range(CLIENTS)]
        followers.append([Persistent(url, token, CLIENTS * number + at) for at, token in enumerate(tokens)])
    flat = [follower for each in followers for follower in each]
    for follower in flat:
        follower.start()
    while any(table.bot_moves(3) for table in tables):
        pass
    lost = doubled = received = 0
    for table, each in zip(tables, followers, strict=True):
        wanted = [event["version"] for event in listed(table, None)]
        for follower in each:
            follower.join(60)
            got = [event["version"] for event in follower.found]
            lost += len(set(wanted) - set(got))
            doubled += len(got) - len(set(got))
            received += len(got)
            assert got == wanted
    figures = {"events received": received, "cuts": sum(one.cut for one in flat), "lost": lost, "doubled": doubled}
    report(f"half of all hints dropped, {len(flat)} clients cut at random", figures)
    assert mean(one.cut for one in flat) > 3
    assert threading.active_count() < len(flat)
