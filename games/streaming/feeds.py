"""All games that this process follows: read when a hint says so, in one statement for all of them, and now and then."""

import asyncio
import logging
import random
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final
from uuid import UUID

from psycopg import Error, OperationalError
from psycopg_pool import PoolTimeout

from games.errors import GameNotFound
from games.fold import Folded
from games.streaming.feed import Follower, GameFeed
from games.streaming.hints import game_channel
from games.streaming.hub import Hub
from games.streaming.marks import Marks
from games.streaming.reading import PAGE, Read, Reader

logger = logging.getLogger(__name__)

AT_ONCE: Final = 100
"""Games in one statement."""
LOADING: Final = 2
"""Logs that are loaded from their beginning at the same time, so that moves go before."""
KEPT_FOLDS: Final = 512
MOST_REST_SECONDS: Final = 2.0
PATIENCE_SECONDS: Final = 10.0
"""So long a client waits for a database that does not answer."""


class BrokenLog(Exception):
    """The log of the game cannot be read: a fault of ours, which is logged."""


class Feeds:
    """The feeds by game. Each is there while somebody follows it; its fold is kept a while longer."""

    def __init__(self, *, reader: Reader, hub: Hub) -> None:
        self._reader, self._hub = reader, hub
        self._feeds: dict[UUID, GameFeed] = {}
        self._folds: OrderedDict[UUID, Folded] = OrderedDict()
        self._marks = Marks()
        self._loading = asyncio.Semaphore(LOADING)
        self._tasks: set[asyncio.Task[None]] = set()
        self.changed_presence: set[UUID] = set()
        self.heard_presence: Callable[[], None] = lambda: None
        self.reads = 0

    def open(self) -> None:
        """Begin to read what hints name."""
        self._keep(asyncio.create_task(self._read_on()))

    async def close(self) -> None:
        """Stop reading."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @asynccontextmanager
    async def following(self, game_id: UUID, follower: Follower) -> AsyncIterator[GameFeed]:
        """The game's feed, known as far as its row says; the follower is woken when it changes.

        GameNotFound; BrokenLog.
        """
        feed = self._feeds.get(game_id)
        if feed is None:
            feed = self._feeds[game_id] = GameFeed(game_id, self, self._folds.get(game_id))
            self._keep(asyncio.create_task(self._begin(feed)))
        feed.followers.add(follower)
        try:
            await _known(feed)
            if feed.broken:
                raise BrokenLog(game_id)
            if feed.game is None:
                raise GameNotFound(game_id)
            yield feed
        finally:
            self._leave(feed, follower)

    def all(self) -> tuple[GameFeed, ...]:
        """Every feed that is followed and known."""
        return tuple(feed for feed in self._feeds.values() if feed.ready.is_set() and not feed.gone)

    def mark(self, feed: GameFeed) -> None:
        """It is to be read again."""
        if feed.ready.is_set() and self._feeds.get(feed.game_id) is feed:
            self._marks.add(feed.game_id)

    def mark_all(self) -> None:
        """Read everything again, a hint may have been lost; in an order of chance, so that nobody is always last."""
        feeds = list(self.all())
        random.shuffle(feeds)
        for feed in feeds:
            self.mark(feed)

    def presence_changed(self, feed: GameFeed) -> None:
        """Who is connected has changed somewhere else."""
        self.changed_presence.add(feed.game_id)
        self.heard_presence()

    def feed(self, game_id: UUID) -> GameFeed | None:
        """The game's feed, if it is followed."""
        return self._feeds.get(game_id)

    def _leave(self, feed: GameFeed, follower: Follower) -> None:
        feed.followers.discard(follower)
        if feed.followers or self._feeds.get(feed.game_id) is not feed:
            return
        del self._feeds[feed.game_id]
        self._marks.discard(feed.game_id)
        self._hub.leave(game_channel(feed.game_id), feed.heard)
        if feed.gone:
            self._folds.pop(feed.game_id, None)
        elif feed.game is not None:
            self._folds[feed.game_id] = feed.folded
            self._folds.move_to_end(feed.game_id)
            if len(self._folds) > KEPT_FOLDS:
                self._folds.popitem(last=False)

    async def _begin(self, feed: GameFeed) -> None:
        """Listen first, then read: what comes between the two is heard, and read twice."""
        await self._hub.follow(game_channel(feed.game_id), feed.heard)
        if self._feeds.get(feed.game_id) is not feed:
            self._hub.leave(game_channel(feed.game_id), feed.heard)
            return
        async with self._loading:
            await self._load(feed)
        self.presence_changed(feed)
        self.mark(feed)

    async def _load(self, feed: GameFeed) -> None:
        rest = 0.1
        while self._feeds.get(feed.game_id) is feed:
            try:
                read = await self._reader.game(feed.game_id, after=feed.version, limit=PAGE)
            except (Error, PoolTimeout) as away:
                logger.warning("a game is not read yet: %s", type(away).__name__)
                rest = min(2 * rest, MOST_REST_SECONDS)
                await asyncio.sleep(rest)
                continue
            if read is None:
                feed.end()
                return
            if _taken_in(feed, read):
                return

    async def _read_on(self) -> None:
        rest = 0.0
        while True:
            batch = [self._feeds[game_id] for game_id in await self._marks.taken(AT_ONCE)]
            try:
                await self._read(batch)
                rest = 0.0
            except (Error, PoolTimeout) as away:
                logger.warning("moves are not read: %s", type(away).__name__)
                rest = min(2 * rest + 0.1, MOST_REST_SECONDS)
                for feed in batch:
                    self.mark(feed)
                await asyncio.sleep(rest)
            except Exception:  # nobody would be told of any game any more
                logger.exception("moves are not read; what was to be read is read at the next slow tick")
                await asyncio.sleep(1)

    async def _read(self, batch: list[GameFeed]) -> None:
        if not batch:
            return
        self.reads += 1
        feeds = {feed.game_id: feed for feed in batch}
        for read in await self._reader.games(feed.known() for feed in batch):
            feed = feeds[read.game.pk]
            if not feed.gone and not _taken_in(feed, read):
                self.mark(feed)

    def _keep(self, task: asyncio.Task[None]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _taken_in(feed: GameFeed, read: Read) -> bool:
    """`GameFeed.take`; a log that cannot be folded ends its own feed and no other."""
    try:
        return feed.take(read)
    except Exception:
        logger.exception("the log of game %s cannot be followed", feed.game_id)
        feed.end(broken=True)
        return True


async def _known(feed: GameFeed) -> None:
    """Wait until the feed is known. OperationalError when that takes too long."""
    try:
        await asyncio.wait_for(feed.ready.wait(), PATIENCE_SECONDS)
    except TimeoutError as late:
        raise OperationalError("the game could not be read") from late
