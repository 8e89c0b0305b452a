"""Listening to Valkey whatever happens to the connection, and a client that takes nothing."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import uuid4

import pytest

from games.streaming import stream as stream_module
from games.streaming.hub import MISSED, Hub
from games.streaming.people import Caller, Credential
from games.streaming.stream import Stream
from games.streaming.valkey import client as valkey
from players.models import Player
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


class Plenty(Stream):
    """There is always something to send."""

    __slots__ = ()

    async def due(self) -> bytes:
        """A frame."""
        return b"data: 1\n\n"


def test_a_client_that_takes_nothing_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no queue that could grow: it is asked nothing while it is stuck, and once it is cut it is over."""
    sent: list[Any] = []

    async def scene() -> None:
        async def send(message: Any) -> None:
            sent.append(message)
            if len(sent) > 3:
                await asyncio.Event().wait()  # as uvicorn waits when its buffer is full

        async def receive() -> Any:
            await asyncio.Event().wait()

        player = Player(id=uuid4())
        stream = Plenty(Caller(player, Credential(player.pk)))
        serving = asyncio.ensure_future(stream.serve(receive, send, ()))
        await _until(lambda: len(sent) == 4)
        for _ in range(5):
            stream.wake()
            stream.cut_if_stuck()
            await asyncio.sleep(0)
        assert (len(sent), serving.done()) == (4, False)
        monkeypatch.setattr(stream_module, "STUCK_SECONDS", -1.0)
        stream.cut_if_stuck()
        await asyncio.wait_for(serving, 5)
        assert (len(sent), stream.closed) == (4, True)

    asyncio.run(scene())
