"""A tournament as this process follows it: its log and how it stands, read once for all who follow it here."""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final
from uuid import UUID

from django.db import DatabaseError

from games.streaming.feed import Follower
from games.streaming.feeds import BrokenLog
from games.streaming.hints import tournament_channel
from games.streaming.marks import Marks
from games.streaming.process import StreamProcess
from games.streaming.sse import NOW, frame
from tournaments.api.answers import Json, line_json, standing_json
from tournaments.errors import TournamentNotFound
from tournaments.models import Phase, Tournament
from tournaments.selectors import (
    LogLine,
    Overview,
    entries_of,
    games_version,
    log_load,
    standings_of,
)
from tournaments.store import state_of

logger = logging.getLogger(__name__)

KEPT_LINES: Final = 100
PORTION: Final = 100
MOST_STANDINGS: Final = 100
"""So many places are told; a tournament of thousands has `links.standings` for the rest."""
PATIENCE_SECONDS: Final = 10.0
_OVER: Final = (Phase.FINISHED, Phase.CANCELLED)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The row, the lines after the version that was known, and the standings with by what a change is known."""

    row: Tournament
    lines: tuple[LogLine, ...]
    standing_key: object
    standings: bytes


class TournamentFeed:
    """``version`` is how far the log is known; `ready` once that is as far as the row says."""

    def __init__(self, tournament_id: UUID, feeds: "TournamentFeeds") -> None:
        self.tournament_id = tournament_id
        self.followers: set[Follower] = set()
        self.ready = asyncio.Event()
        self.gone = self.broken = False
        self.seen: Snapshot | None = None
        self._feeds = feeds
        self._kept: list[LogLine] = []

    def heard(self, _message: str) -> None:
        """A hint."""
        self._feeds.mark(self)

    @property
    def row(self) -> Tournament:
        """The tournament's row, which has been read."""
        return self.snapshot.row

    @property
    def snapshot(self) -> Snapshot:
        """What was read last."""
        if self.seen is None:
            raise TournamentNotFound(self.tournament_id)
        return self.seen

    @property
    def over(self) -> bool:
        """Nothing more will happen."""
        return self.row.phase in _OVER

    def take(self, seen: Snapshot | None, *, broken: bool = False) -> None:
        """Take in what was read; None: there is no such tournament, or (``broken``) its log cannot be read."""
        self.broken = broken
        changed = seen is None or self.seen is None or _changed(self.seen, seen)
        if seen is None:
            self.gone = True
        else:
            self.seen = seen
            self._kept = [*self._kept, *seen.lines][-KEPT_LINES:]
        self.ready.set()
        if changed:
            for follower in tuple(self.followers):
                follower.wake()

    def after(self, version: int) -> Sequence[LogLine] | None:
        """The lines after a version; None when they are no longer kept here."""
        if version >= self.row.version:
            return ()
        if not self._kept or self._kept[0].version > version + 1:
            return None
        return [line for line in self._kept if line.version > version][:PORTION]


def _changed(before: Snapshot, now: Snapshot) -> bool:
    rows = (before.row, now.row)
    return before.standing_key != now.standing_key or len({(row.version, row.revision) for row in rows}) > 1


class TournamentFeeds:
    """The feeds by tournament."""

    def __init__(self, process: StreamProcess) -> None:
        self.process = process
        self._feeds: dict[UUID, TournamentFeed] = {}
        self._marks = Marks()
        process.slow_ticks.append(self.mark_all)
        process.keep(self.read_on())

    @asynccontextmanager
    async def following(self, tournament_id: UUID, follower: Follower) -> AsyncIterator[TournamentFeed]:
        """The feed, once it is known. TournamentNotFound, BrokenLog, TimeoutError."""
        feed = self._feeds.get(tournament_id)
        first = feed is None
        if feed is None:
            feed = self._feeds[tournament_id] = TournamentFeed(tournament_id, self)
        feed.followers.add(follower)
        try:
            if first:
                await self.process.hub.follow(tournament_channel(tournament_id), feed.heard)
                self.mark(feed)
            await asyncio.wait_for(feed.ready.wait(), PATIENCE_SECONDS)
            if feed.broken:
                raise BrokenLog(tournament_id)
            if feed.gone:
                raise TournamentNotFound(tournament_id)
            yield feed
        finally:
            self._leave(feed, follower)

    def mark(self, feed: TournamentFeed) -> None:
        """It is to be read again."""
        self._marks.add(feed.tournament_id)

    async def mark_all(self) -> None:
        """At the slow tick: a hint may have been lost, and moves at the tables change how it stands."""
        for feed in tuple(self._feeds.values()):
            self.mark(feed)

    async def read_on(self) -> None:
        """Read what is marked, for ever."""
        while True:
            for tournament_id in await self._marks.taken(1):
                if (feed := self._feeds.get(tournament_id)) is not None:
                    await self._read(feed)

    async def _read(self, feed: TournamentFeed) -> None:
        try:
            feed.take(await self.process.by_orm(partial(read, feed.tournament_id, feed.seen)))
        except DatabaseError as away:
            logger.warning("a tournament is not read: %s", type(away).__name__)
            self.mark(feed)
            await asyncio.sleep(1)
        except Exception:  # its streams end; those of others go on
            logger.exception("the log of tournament %s cannot be followed", feed.tournament_id)
            feed.take(None, broken=True)

    def _leave(self, feed: TournamentFeed, follower: Follower) -> None:
        feed.followers.discard(follower)
        if not feed.followers and self._feeds.get(feed.tournament_id) is feed:
            del self._feeds[feed.tournament_id]
            self.process.hub.leave(tournament_channel(feed.tournament_id), feed.heard)


def read(tournament_id: UUID, before: Snapshot | None) -> Snapshot | None:
    """How the tournament stands now; of the log, what came after what was known (the last lines at first)."""
    row = Tournament.objects.select_related("owner").filter(pk=tournament_id).first()
    if row is None:
        return None
    known = before.row.version if before else max(0, row.version - KEPT_LINES)
    lines = log_load(tournament_id=tournament_id, after=known, limit=row.version - known) if row.version > known else ()
    key = (row.version, games_version(tournament_id=tournament_id))
    standings = before.standings if before and before.standing_key == key else frame("standings", standings_json(row))
    return Snapshot(row, tuple(line for line in lines if line.version <= row.version), key, standings)


def standings_json(row: Tournament) -> Json:
    """How the first hundred stand, and how many are ranked."""
    seen = Overview(row, state_of(row), {entry.number: entry for entry in entries_of(tournament_id=row.pk)})
    ranked = standings_of(tournament_id=row.pk, state=seen.state)
    told = [standing_json(seen, place) for place in ranked[:MOST_STANDINGS]]
    return {"version": seen.state.version, "count": len(ranked), "standings": told, "now": NOW}


def line_frame(line: LogLine, *, reasons: bool) -> bytes:
    """A line of the log, as the log has it."""
    return frame("event", line_json(line, reasons=reasons), version=line.version)
