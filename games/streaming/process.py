"""What the stream process has once: connections, feeds, open streams, and the clock that keeps them going."""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar, cast

from django.conf import settings
from django.db import close_old_connections
from psycopg import Error
from psycopg_pool import PoolTimeout
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from games.streaming.feeds import Feeds
from games.streaming.figures import Figures
from games.streaming.hub import Hub
from games.streaming.keeping import PresenceKeeper
from games.streaming.leases import RENEW_SECONDS, Leases
from games.streaming.people import players_valid
from games.streaming.presence import REFRESH_SECONDS
from games.streaming.reading import Reader
from games.streaming.stream import Streams
from games.streaming.valkey import TIMEOUT_SECONDS

T = TypeVar("T")
P = TypeVar("P")
logger = logging.getLogger(__name__)

SLOW_TICK_SECONDS: Final = 5.0
"""Everything that is followed is read again this often, whatever was heard."""
THREADS: Final = 2
"""For what is read by Django's ORM: tournaments, which are few and change seldom."""

SlowTick = Callable[[], Awaitable[None]]


class StreamProcess:
    """Made in the event loop that it works in."""

    def __init__(self) -> None:
        self.figures = Figures()
        self.reader = Reader()
        self.hub = Hub()
        self.valkey = _valkey()
        self.feeds = Feeds(reader=self.reader, hub=self.hub)
        self.streams = Streams()
        self.presence = PresenceKeeper(valkey=self.valkey, feeds=self.feeds)
        self.leases = Leases(self.valkey)
        self.slow_ticks: list[SlowTick] = [self.check_callers]
        self.slow_tick_seconds = SLOW_TICK_SECONDS
        self.feeds.heard_presence = self.presence.read_again
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="orm")
        self._tasks: set[asyncio.Task[None]] = set()
        self._parts: dict[object, object] = {}
        self.closing = asyncio.Event()

    async def open(self) -> None:
        """Begin; whatever is away now is tried again later."""
        await self.reader.open()
        self.hub.open()
        self.feeds.open()
        self._every(1.0, self._tick)
        self._every(self.slow_tick_seconds, self._slow_tick)
        self._every(RENEW_SECONDS, self.leases.renew)
        self._every(REFRESH_SECONDS, self._refresh_presence)
        self.keep(self.presence.keep_on())

    def part(self, kind: Callable[["StreamProcess"], P]) -> P:
        """The process's only one of this kind, made when it is first asked for."""
        if kind not in self._parts:
            self._parts[kind] = kind(self)
        return cast("P", self._parts[kind])

    def keep(self, work: Coroutine[Any, Any, None]) -> None:
        """Do this, until the process ends at the latest."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def stop(self) -> None:
        """The process is to end: so is every stream, and every client is told when to come again."""
        self.closing.set()
        self.streams.close_all()

    async def close(self) -> None:
        """Let everything go."""
        self.stop()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.feeds.close()
        await self.hub.close()
        await self.valkey.aclose()
        await self.reader.close()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def by_orm(self, read: Callable[[], T]) -> T:
        """What ``read`` returns, in one of a few threads that have a connection of Django's."""

        def reading() -> T:
            close_old_connections()
            try:
                return read()
            finally:
                close_old_connections()

        return await asyncio.get_running_loop().run_in_executor(self._threads, reading)

    async def check_callers(self) -> None:
        """Close the streams of those whose token, session or account no longer lets them in; renew what others may."""
        streams = self.streams.all()
        valid = await players_valid([stream.caller.credential for stream in streams], self.reader)
        for stream in streams:
            player = valid.get(stream.caller.credential)
            if player is None:
                stream.revoke()
            else:
                stream.caller.player = player

    def _every(self, seconds: float, act: Callable[[], Awaitable[None]]) -> None:
        self.keep(_repeat(seconds, act))

    async def _tick(self) -> None:
        self.streams.tick()
        self.figures.followed.set(len(self.feeds.all()))
        self.figures.hints.set(self.hub.hints)
        self.figures.listening.set(self.hub.listening)
        self.figures.reads.set(self.feeds.reads)

    async def _slow_tick(self) -> None:
        self.feeds.mark_all()
        for tick in self.slow_ticks:
            await tick()

    async def _refresh_presence(self) -> None:
        self.presence.refresh()


async def _repeat(seconds: float, act: Callable[[], Awaitable[None]]) -> None:
    """Act so often, about, for ever; what goes wrong once is tried again."""
    while True:
        await asyncio.sleep(seconds * random.uniform(0.8, 1.2))  # so that processes do not act together
        try:
            await act()
        except (Error, PoolTimeout) as away:
            logger.warning("the database does not answer the streams: %s", type(away).__name__)
        except Exception:
            logger.exception("something that is done now and then went wrong")


def _valkey() -> Redis:
    return Redis.from_url(
        settings.TAKI_VALKEY_URL,
        socket_timeout=4 * TIMEOUT_SECONDS,
        socket_connect_timeout=4 * TIMEOUT_SECONDS,
        retry=Retry(NoBackoff(), 1),
    )
