"""Listening to Valkey: one connection a process, that subscribes to what somebody here follows.

It has no read timeout, because hints may stay away for hours; a ping that is not answered ends it instead. After
every new beginning each follower is told to read again, as hints were lost meanwhile.
"""

import asyncio
import contextlib
import logging
import math
import random
import time
from collections.abc import Callable
from typing import Final

from django.conf import settings
from redis.asyncio.connection import AbstractConnection, ConnectionPool
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

Heard = Callable[[str], None]
MISSED: Final = ""
"""The message that a follower hears when hints may have been lost."""
PING_SECONDS: Final = 5.0
SILENT_SECONDS: Final = 15.0
CONNECT_SECONDS: Final = 1.0
MOST_REST_SECONDS: Final = 5.0


class Hub:
    """Who follows which channel. `listening` is true while the connection stands."""

    def __init__(self) -> None:
        self._followers: dict[str, set[Heard]] = {}
        self._confirmed: dict[str, asyncio.Future[None]] = {}
        self._connection: AbstractConnection | None = None
        self._tasks: tuple[asyncio.Task[None], ...] = ()
        self._heard_at = 0.0
        self._subscribing = False
        self.listening = False
        self.hints = 0

    def open(self) -> None:
        """Begin to listen, and go on whatever happens."""
        self._tasks = (asyncio.create_task(self._listen_on()), asyncio.create_task(self._ping_on()))

    async def close(self) -> None:
        """Stop listening."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._hang_up()

    async def follow(self, channel: str, heard: Heard) -> None:
        """Call ``heard`` with each message of the channel. Returns once Valkey listens, or soon if it is away."""
        followers = self._followers.setdefault(channel, set())
        first = not followers
        followers.add(heard)
        if first and self._subscribing:
            self._confirmed[channel] = asyncio.get_running_loop().create_future()
            await self._send("SUBSCRIBE", channel)
        waiting = self._confirmed.get(channel)
        if waiting is not None:
            await asyncio.wait([waiting], timeout=CONNECT_SECONDS)

    def leave(self, channel: str, heard: Heard) -> None:
        """Call it no more; the channel that nobody follows is left at Valkey too."""
        followers = self._followers.get(channel, set())
        followers.discard(heard)
        if not followers and self._followers.pop(channel, None) is not None:
            self._confirmed.pop(channel, None)
            task = asyncio.ensure_future(self._unsubscribe(channel))
            _kept.add(task)
            task.add_done_callback(_kept.discard)

    async def _unsubscribe(self, channel: str) -> None:
        if self._subscribing and channel not in self._followers:  # nobody has come meanwhile
            await self._send("UNSUBSCRIBE", channel)

    async def _listen_on(self) -> None:
        rest = 0.1
        while True:
            began = time.monotonic()
            try:
                await self._listen()
            except (TimeoutError, RedisError, OSError) as broken:
                logger.warning("hints are not heard: %s", type(broken).__name__)
            except Exception:
                logger.exception("hints are not heard")
            finally:
                self.listening = self._subscribing = False
                await self._hang_up()
            rest = 0.1 if time.monotonic() - began > MOST_REST_SECONDS else min(2 * rest, MOST_REST_SECONDS)
            await asyncio.sleep(rest * random.uniform(0.5, 1.0))  # so that processes do not come at once

    async def _listen(self) -> None:
        connection = _connection()
        self._connection = connection
        await asyncio.wait_for(connection.connect(), CONNECT_SECONDS)  # type: ignore[no-untyped-call]
        self._heard_at = time.monotonic()
        self._subscribing = True  # from now on every channel is asked for, here or by who begins to follow it
        await connection.send_command("SUBSCRIBE", _OWN, *self._followers)
        while True:
            message = await connection.read_response(timeout=math.inf, disconnect_on_error=False, push_request=True)
            self._heard_at = time.monotonic()
            self._hear([part.decode() if isinstance(part, bytes) else part for part in message])

    def _hear(self, message: list[str]) -> None:
        match message:
            case ["message", channel, text]:
                self.hints += 1
                for heard in tuple(self._followers.get(channel, ())):
                    heard(text)
            case ["subscribe", channel, _] if channel == _OWN:
                self.listening = True
                self._miss_all()
            case ["subscribe", channel, _]:
                if (waiting := self._confirmed.pop(channel, None)) is not None and not waiting.done():
                    waiting.set_result(None)
            case _:
                pass

    def _miss_all(self) -> None:
        for followers in tuple(self._followers.values()):
            for heard in tuple(followers):
                heard(MISSED)

    async def _ping_on(self) -> None:
        while True:
            await asyncio.sleep(PING_SECONDS)
            if self.listening:
                await self._send("PING")
                if time.monotonic() - self._heard_at > SILENT_SECONDS:
                    logger.warning("Valkey has been silent for %.0f s", SILENT_SECONDS)
                    await self._hang_up()

    async def _send(self, *words: str) -> None:
        """Send a command. A connection that breaks by it is found out by who reads from it."""
        with contextlib.suppress(RedisError, OSError):
            if self._connection is not None:
                await self._connection.send_command(*words, check_health=False)

    async def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        for waiting in self._confirmed.values():
            waiting.cancel()
        self._confirmed.clear()
        if connection is not None:
            with contextlib.suppress(RedisError, OSError):
                await connection.disconnect(nowait=True)


def _connection() -> AbstractConnection:
    pool = ConnectionPool.from_url(
        settings.TAKI_VALKEY_URL,
        protocol=2,
        socket_timeout=None,
        socket_connect_timeout=CONNECT_SECONDS,
        retry=Retry(NoBackoff(), 0),
    )
    connection: AbstractConnection = pool.make_connection()  # type: ignore[no-untyped-call]
    return connection


_OWN: Final = "streams"
"""A channel that is always subscribed to, so that there is an answer by which the beginning is known."""
_kept: Final[set[asyncio.Future[None]]] = set()
