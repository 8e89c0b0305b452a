"""Keeping presence: this process's field of each game, written at once when a seat comes or goes, and now and then.

A seat that leaves and comes back within a moment was never gone: a phone in a tunnel, a page that is reloaded.
"""

import asyncio
import logging
import secrets
from collections import Counter
from typing import Final, NamedTuple
from uuid import UUID

from redis.asyncio import Redis
from redis.asyncio.client import Pipeline
from redis.exceptions import RedisError

from games.rules.cards import Seat
from games.streaming.feed import GameFeed, Viewer
from games.streaming.feeds import Feeds
from games.streaming.hints import PRESENCE, game_channel
from games.streaming.presence import (
    KEPT_SECONDS,
    LEASE_MS,
    NOBODY,
    gone_field,
    now_ms,
    presence_key,
    presence_read,
    presence_written,
)

logger = logging.getLogger(__name__)

GRACE_SECONDS: Final = 2.0
COALESCED_SECONDS: Final = 0.1
AT_ONCE: Final = 200


class _Here(NamedTuple):
    """What this process last wrote of a game: since when its seats are connected, and how many watch."""

    seats: dict[Seat, int]
    spectators: int


class PresenceKeeper:
    """Who follows which game from this process."""

    def __init__(self, *, valkey: Redis, feeds: Feeds) -> None:
        self._valkey, self._feeds = valkey, feeds
        self._name = secrets.token_hex(8)
        self._open: dict[UUID, Counter[Viewer]] = {}
        self._since: dict[tuple[UUID, Seat], int] = {}
        self._written: dict[UUID, _Here] = {}
        self._changed: set[UUID] = set()
        self._wake = asyncio.Event()
        self.grace_seconds = GRACE_SECONDS

    def enter(self, game_id: UUID, viewer: Viewer) -> None:
        """A stream of this seat (or a spectator's) is open."""
        self._open.setdefault(game_id, Counter())[viewer] += 1
        if viewer is not None:
            self._since.setdefault((game_id, viewer), now_ms())
        self._mark(game_id)

    def leave(self, game_id: UUID, viewer: Viewer) -> None:
        """It is open no more."""
        if viewer is None:
            self._drop(game_id, viewer)
        else:
            asyncio.get_running_loop().call_later(self.grace_seconds, self._drop, game_id, viewer)

    async def keep_on(self) -> None:
        """Write what has changed, for ever."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                await self.write()
            except Exception:
                logger.exception("presence is not kept")
            await asyncio.sleep(COALESCED_SECONDS)

    def refresh(self) -> None:
        """Write everything again, and read what others wrote or no longer write."""
        self._changed.update(self._open, (feed.game_id for feed in self._feeds.all()))
        self._wake.set()

    def read_again(self) -> None:
        """Games of which another process has told that somebody came or went."""
        if self._feeds.changed_presence:
            self._changed |= self._feeds.changed_presence
            self._feeds.changed_presence.clear()
            self._wake.set()

    async def write(self) -> None:
        """Write and read the games that have changed, some at a time."""
        while self._changed:
            batch = [self._changed.pop() for _ in range(min(AT_ONCE, len(self._changed)))]
            now = now_ms()
            try:
                async with self._valkey.pipeline(transaction=False) as pipeline:
                    for game_id in batch:
                        self._ask(pipeline, game_id, now)
                    answers = await pipeline.execute()
            except (RedisError, OSError) as away:
                logger.warning("presence is not kept: %s", type(away).__name__)
                self._show_own(batch, now)
                return
            fields = [answer for answer in answers if isinstance(answer, dict)]
            for game_id, found in zip(batch, fields, strict=True):
                self._show(game_id, found, now)

    def _ask(self, pipeline: Pipeline, game_id: UUID, now: int) -> None:
        key, here, before = presence_key(game_id), self._here(game_id), self._written.get(game_id)
        if here.seats or here.spectators:
            pipeline.hset(key, self._name, self._field(here, now))
            if here.seats:
                pipeline.hdel(key, *map(gone_field, here.seats))
            pipeline.expire(key, KEPT_SECONDS)
        elif before is not None:
            pipeline.hdel(key, self._name)
        for seat in before.seats.keys() - here.seats.keys() if before else ():
            pipeline.hset(key, gone_field(seat), str(now))
        pipeline.hgetall(key)
        if before is None or (before.seats.keys(), before.spectators) != (here.seats.keys(), here.spectators):
            pipeline.publish(game_channel(game_id), PRESENCE)
        if here.seats or here.spectators:
            self._written[game_id] = here
        else:
            self._written.pop(game_id, None)

    def _show(self, game_id: UUID, fields: dict[bytes, bytes], now: int) -> None:
        feed = self._feeds.feed(game_id)
        if feed is not None:
            self._tell(feed, fields, now)

    def _show_own(self, games: list[UUID], now: int) -> None:
        """While Valkey is away those who follow here are told of each other at least."""
        for game_id in games:
            feed = self._feeds.feed(game_id)
            if feed is not None:
                self._tell(feed, {b"own": self._field(self._here(game_id), now).encode()}, now)

    def _tell(self, feed: GameFeed, fields: dict[bytes, bytes], now: int) -> None:
        presence = presence_read(fields, now) if fields else NOBODY
        if presence != feed.presence:
            feed.presence = presence
            feed.wake_all()

    def _field(self, here: _Here, now: int) -> str:
        return presence_written(until=now + LEASE_MS, spectators=here.spectators, seats=here.seats)

    def _here(self, game_id: UUID) -> _Here:
        viewers = self._open.get(game_id, Counter())
        seats = {viewer: self._since[game_id, viewer] for viewer in viewers if viewer is not None}
        return _Here(seats, viewers.get(None, 0))

    def _drop(self, game_id: UUID, viewer: Viewer) -> None:
        viewers = self._open.get(game_id)
        if viewers is None:
            return
        viewers[viewer] -= 1
        if viewers[viewer] <= 0:
            del viewers[viewer]
            if viewer is not None:
                self._since.pop((game_id, viewer), None)
        if not viewers:
            del self._open[game_id]
        self._mark(game_id)

    def _mark(self, game_id: UUID) -> None:
        self._changed.add(game_id)
        self._wake.set()
