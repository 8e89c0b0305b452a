"""What concerns the players who follow themselves here: read in one statement for all of them, and game by game."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final
from uuid import UUID

from django.db import DatabaseError
from psycopg import Error, OperationalError
from psycopg_pool import PoolTimeout

from games.api.answers import game_path
from games.errors import GameNotFound
from games.invitations import KICKED
from games.streaming.feed import Follower, GameFeed
from games.streaming.feeds import BrokenLog
from games.streaming.hints import player_channel
from games.streaming.marks import Marks
from games.streaming.own_state import Json, OwnGame, OwnState, Told, own_game
from games.streaming.process import StreamProcess
from players.api.answers import address

AT_ONCE: Final = 200
PATIENCE_SECONDS: Final = 10.0
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Section:
    """What another app adds. ``read``: what it has of each of these players, by key, read by the ORM; ``changes``:
    what to tell of two states of one player; ``channel``: where hints about a key are heard.
    """

    read: Callable[[Sequence[UUID]], Mapping[UUID, Mapping[str, Json]]]
    changes: Callable[[Mapping[str, Json], Mapping[str, Json]], Iterable[Told]]
    channel: Callable[[str], str]


class OwnFeed:
    """What concerns one player, for all of its streams in this process."""

    def __init__(self, player_id: UUID, feeds: "OwnFeeds") -> None:
        self.player_id = player_id
        self.followers: set[Follower] = set()
        self.ready = asyncio.Event()
        self.games: dict[UUID, GameFeed] = {}
        self.invitations: Mapping[UUID, Json] = {}
        self.sections: Mapping[str, Mapping[str, Json]] = {}
        self._feeds = feeds
        self._following: dict[UUID, asyncio.Task[None]] = {}
        self._arrived: dict[UUID, asyncio.Event] = {}
        self._over: set[UUID] = set()
        self._entries: dict[UUID, OwnGame] = {}
        self._channels: set[str] = set()
        self._last: OwnState | None = None

    def heard(self, _message: str) -> None:
        """A hint."""
        self._feeds.mark(self)

    def wake(self) -> None:
        """One of the games, or something else, has changed."""
        self._last = None
        for follower in tuple(self.followers):
            follower.wake()

    @property
    def state(self) -> OwnState:
        """Everything that concerns the player now."""
        if self._last is None:
            self._last = OwnState(self._games(), self.invitations, self.sections)
        return self._last

    def _games(self) -> dict[UUID, OwnGame]:
        for game_id, feed in self.games.items():
            if feed.settled or feed.gone:  # else it stays as it was, until the rest has been read
                found = None if feed.gone else own_game(feed, self.player_id)
                self._entries.update({game_id: found} if found else {})
                if found is None:
                    self._entries.pop(game_id, None)
        self._entries = {game_id: entry for game_id, entry in self._entries.items() if game_id in self.games}
        return dict(self._entries)

    def hear(self, channels: set[str]) -> None:
        """Also follow these channels, and no others."""
        hub = self._feeds.process.hub
        for channel in self._channels - channels:
            hub.leave(channel, self.heard)
        for channel in channels - self._channels:
            self._feeds.process.keep(hub.follow(channel, self.heard))
        self._channels = channels

    def sit(self, games: set[UUID]) -> None:
        """Follow these games, and those of which it is not yet told how they ended."""
        for game_id in [*self._following]:
            if game_id not in games and self._has_been_told(game_id):
                self._following.pop(game_id).cancel()
                self._arrived.pop(game_id, None)
        for game_id in games - self._following.keys():
            self._arrived[game_id] = asyncio.Event()
            self._following[game_id] = asyncio.create_task(self._follow(game_id, self._arrived[game_id]))

    def leave_all(self) -> None:
        """Follow nothing any more."""
        for task in self._following.values():
            task.cancel()
        self._following.clear()
        self.hear(set())

    async def known(self) -> None:
        """Wait until everything is known. TimeoutError."""
        await asyncio.wait_for(self.ready.wait(), PATIENCE_SECONDS)
        arrived = [each.wait() for each in self._arrived.values()]
        await asyncio.wait_for(asyncio.gather(*arrived), PATIENCE_SECONDS)

    def _has_been_told(self, game_id: UUID) -> bool:
        """The game's own feed knows what the list of games knows, and has for a while."""
        feed = self.games.get(game_id)
        if feed is None or feed.gone or own_game(feed, self.player_id) is None or game_id in self._over:
            self._over.discard(game_id)
            return True
        if feed.over:
            self._over.add(game_id)
        self._feeds.process.feeds.mark(feed)
        return False

    async def _follow(self, game_id: UUID, arrived: asyncio.Event) -> None:
        try:
            async with self._feeds.process.feeds.following(game_id, self) as feed:
                self.games[game_id] = feed
                arrived.set()
                self.wake()
                await asyncio.Event().wait()  # until cancelled
        except (GameNotFound, BrokenLog, OperationalError):
            self._following.pop(game_id, None)  # the slow tick tries it again
        finally:
            arrived.set()
            self.games.pop(game_id, None)
            self.wake()


class OwnFeeds:
    """The feeds by player; read in one statement for all that are marked."""

    def __init__(self, process: StreamProcess) -> None:
        self.process = process
        self.sections: dict[str, Section] = {}
        self._feeds: dict[UUID, OwnFeed] = {}
        self._marks = Marks()
        process.slow_ticks.append(self.mark_all)
        process.keep(self.read_on())

    @asynccontextmanager
    async def following(self, player_id: UUID, follower: Follower) -> AsyncIterator[OwnFeed]:
        """The player's feed, once it is known."""
        feed = self._feeds.get(player_id)
        first = feed is None
        if feed is None:
            feed = self._feeds[player_id] = OwnFeed(player_id, self)
        feed.followers.add(follower)
        try:
            if first:
                await self.process.hub.follow(player_channel(player_id), feed.heard)
                self.mark(feed)
            await feed.known()
            yield feed
        finally:
            self._leave(feed, follower)

    def mark(self, feed: OwnFeed) -> None:
        """It is to be read again."""
        self._marks.add(feed.player_id)

    async def mark_all(self) -> None:
        """At the slow tick."""
        for feed in tuple(self._feeds.values()):
            self.mark(feed)

    async def read_on(self) -> None:
        """Read what is marked, for ever."""
        while True:
            batch = await self._marks.taken(AT_ONCE)
            feeds = [self._feeds[player_id] for player_id in batch if player_id in self._feeds]
            try:
                await self._read(feeds)
            except (Error, PoolTimeout, DatabaseError) as away:
                logger.warning("what concerns players is not read: %s", type(away).__name__)
                for feed in feeds:
                    self.mark(feed)
                await asyncio.sleep(1)
            except Exception:  # nobody would be told anything any more
                logger.exception("what concerns players is not read; it is at the next slow tick")
                await asyncio.sleep(1)

    async def _sections(self, players: list[UUID]) -> dict[str, Mapping[UUID, Mapping[str, Json]]]:
        return {name: await self.process.by_orm(partial(each.read, players)) for name, each in self.sections.items()}

    async def _read(self, feeds: list[OwnFeed]) -> None:
        if not feeds:
            return
        wanted = [feed.player_id for feed in feeds]
        reader = self.process.reader
        games: dict[UUID, set[UUID]] = {}
        for player_id, game_id in await reader.rows(_GAMES, (wanted,)):
            games.setdefault(player_id, set()).add(game_id)
        invitations: dict[UUID, dict[UUID, Json]] = {}
        for player_id, *row in await reader.rows(_INVITATIONS, (wanted, KICKED)):
            invitations.setdefault(player_id, {})[row[0]] = _invitation(*row)
        sections = await self._sections(wanted)
        for feed in feeds:
            feed.sit(games.get(feed.player_id, set()))
            feed.invitations = invitations.get(feed.player_id, {})
            feed.sections = {name: found.get(feed.player_id, {}) for name, found in sections.items()}
            feed.hear({self.sections[name].channel(key) for name, found in feed.sections.items() for key in found})
            feed.ready.set()
            feed.wake()

    def _leave(self, feed: OwnFeed, follower: Follower) -> None:
        feed.followers.discard(follower)
        if not feed.followers and self._feeds.get(feed.player_id) is feed:
            del self._feeds[feed.player_id]
            feed.leave_all()
            self.process.hub.leave(player_channel(feed.player_id), feed.heard)


def _invitation(game_id: UUID, name: str, rematch_of: UUID, seats: int, seats_free: int, seat: int) -> Json:
    here = address(game_path(game_id))
    offered = (seat + 1) % seats
    return {
        "id": str(game_id),
        "name": name or None,
        "rematch_of": str(rematch_of),
        "seat": offered,
        "seats_free": seats_free,
        "links": {"self": here, "join": f"{here}join/"},
    }


_GAMES: Final = """
    SELECT seated.player_id, game.id FROM games_seat seated JOIN games_game game ON game.id = seated.game_id
    WHERE seated.player_id = ANY(%s) AND seated.until_version IS NULL AND game.phase IN ('lobby', 'playing')
        AND NOT seated.seat = ANY (game.left)
"""
# As `games.invitations` has it.
_INVITATIONS: Final = """
    SELECT before.player_id, game.id, game.name, game.rematch_of_id, game.seats, game.seats_free, before.seat
    FROM games_seat before JOIN games_game game ON game.rematch_of_id = before.game_id
    WHERE before.player_id = ANY(%s) AND before.until_version IS NULL AND game.phase = 'lobby'
        AND NOT EXISTS (SELECT FROM games_gamenotice told
            WHERE told.game_id = game.id AND told.player_id = before.player_id AND told.kind = %s)
        AND NOT EXISTS (SELECT FROM games_seat seated
            WHERE seated.game_id = game.id AND seated.player_id = before.player_id AND seated.until_version IS NULL)
    ORDER BY game.id DESC
"""
