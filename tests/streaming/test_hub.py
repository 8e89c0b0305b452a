"""Listening to Valkey, whatever happens to the connection."""

from __future__ import annotations

import asyncio
from typing import Any

from games.streaming.hub import MISSED, Hub
from games.streaming.valkey import client as valkey
from tests.builders import given_game
from tests.streaming.given import events, follow, listed, play
from tests.streaming.server import StreamServer


async def _until(true: Any) -> None:
    for _ in range(500):
        if true():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("waited in vain")


def test_a_broken_connection_is_made_anew_and_everybody_is_told(broker_url: str) -> None:
    """Hints that came meanwhile are lost, so each follower is to read again; and later hints are heard."""

    async def scene() -> list[str]:
        hub = Hub()
        heard: list[str] = []
        hub.open()
        try:
            await hub.follow("game:1", heard.append)
            await _until(lambda: hub.listening)
            heard.clear()
            valkey().execute_command("CLIENT", "KILL", "TYPE", "pubsub")  # type: ignore[no-untyped-call]
            await _until(lambda: heard == [MISSED])
            valkey().publish("game:1", "7")
            await _until(lambda: len(heard) == 2)
            return heard
        finally:
            await hub.close()

    assert asyncio.run(scene()) == [MISSED, "7"]


def test_a_channel_is_listened_to_before_it_is_read(broker_url: str) -> None:
    """Once `follow` returns, no later hint is missed; also when the channel was left the moment before."""

    async def scene() -> list[str]:
        hub = Hub()
        heard: list[str] = []
        other: list[str] = []
        hub.open()
        try:
            await _until(lambda: hub.listening)
            for number in range(20):
                await hub.follow("game:2", heard.append)
                valkey().publish("game:2", str(number))
                await _until(lambda number=number: heard[-1:] == [str(number)])
                hub.leave("game:2", heard.append)
            valkey().publish("game:2", "left")
            await hub.follow("game:3", other.append)
            valkey().publish("game:3", "x")
            await _until(lambda: other == ["x"])
            return heard
        finally:
            await hub.close()

    assert asyncio.run(scene()) == [str(number) for number in range(20)]


def test_while_nothing_is_heard_events_come_all_the_same(streams: StreamServer) -> None:
    """The slow tick reads what no hint has told."""
    table = given_game(players=2)
    with follow(streams, table, table.players[0]) as client:
        client.named("presence")
        begun = table.game.version
        streams.loss = 1.0
        try:
            play(table, 3)
            assert events(client.version(table.game.version)) == listed(table, table.players[0], begun)
        finally:
            streams.loss = 0.0
