"""One stream without a server: heartbeats, a client that takes nothing, a process that stops."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import uuid4

import pytest

from games.streaming import stream as stream_module
from games.streaming.people import Caller, Credential
from games.streaming.stream import HEARTBEAT_SECONDS, Stream, Streams
from players.models import Player


async def _until(true: Any) -> None:
    for _ in range(500):
        if true():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("waited in vain")


def somebody() -> Caller:
    player = Player(id=uuid4())
    return Caller(player, Credential(player.pk))


async def nothing_more() -> Any:
    """A client that stays."""
    await asyncio.Event().wait()


class Idle(Stream):
    """Nothing is ever due."""

    __slots__ = ()

    async def due(self) -> bytes:
        """Nothing."""
        return b""


def test_every_heart_beats_once_in_fifteen_ticks() -> None:
    """Spread over them, so that a thousand streams are not all sent to in one second; a beat is a comment."""

    async def scene() -> None:
        streams, sent = Streams(), []
        open_ones = [Idle(somebody()) for _ in range(3 * HEARTBEAT_SECONDS)]

        async def send(message: Any) -> None:
            sent.append(message.get("body", b""))

        serving = [asyncio.ensure_future(each.serve(nothing_more, send, ())) for each in open_ones]
        for each in open_ones:
            streams.add(each)
        await _until(lambda: len(sent) == 2 * len(open_ones))
        sent.clear()
        for _ in range(HEARTBEAT_SECONDS):
            before = len(sent)
            streams.tick()
            await asyncio.sleep(0.01)
            assert len(sent) - before == 3
        assert set(sent) == {b":\n\n"}
        streams.close_all()
        await asyncio.wait_for(asyncio.gather(*serving), 5)
        told = [int(body.split()[1]) for body in sent if body.startswith(b"retry")]
        assert len(told) == len(open_ones)
        assert len(set(told)) > len(told) // 2

    asyncio.run(scene())


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

        stream = Plenty(somebody())
        serving = asyncio.ensure_future(stream.serve(nothing_more, send, ()))
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
