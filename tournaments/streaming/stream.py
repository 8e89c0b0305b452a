"""A tournament as it happens: how it stands, then every line of its log once and in order."""

import time
from functools import partial
from typing import Final, NamedTuple
from uuid import UUID

from games.streaming.asgi import Header, Receive, Request, Send, respond
from games.streaming.door import (
    EVENT_STREAM,
    admitted,
    cursor_of,
    place_for,
    require_accepts,
    require_cursor,
    stream_on,
)
from games.streaming.people import Caller
from games.streaming.process import StreamProcess
from games.streaming.sse import NOW, frame
from games.streaming.stream import Stream
from players.models import Player
from tournaments.api.answers import Json, may_read_reasons, tournament_json
from tournaments.errors import TournamentNotFound
from tournaments.selectors import brief, log_load, tournament_get
from tournaments.streaming.feed import PORTION, TournamentFeed, TournamentFeeds, line_frame, standings_json

LASTS_SECONDS: Final = 5.0
NOTHING_MORE: Final = 204


class Leave(NamedTuple):
    """What a caller may see: the tournament at all, and the words of reasons; asked again now and then."""

    known: bool
    reasons: bool
    until: float


class TournamentStream(Stream):
    """``cursor`` is the version up to which the client has everything; None before it has anything."""

    __slots__ = ("_leave", "_process", "_revision", "_standing", "cursor", "feed")

    feed: TournamentFeed

    def __init__(self, caller: Caller, cursor: int | None, process: StreamProcess) -> None:
        super().__init__(caller)
        self.cursor = cursor
        self._process = process
        self._leave = Leave(known=False, reasons=False, until=0.0)
        self._revision: int | None = None
        self._standing: object = None

    async def due(self) -> bytes:
        """See `Stream`."""
        feed = self.feed
        leave = await self.leave()
        if feed.gone or not leave.known:
            self.revoke()
            return b""
        if self.cursor is None:
            return await self._from_here()
        frames = await self._further(self.cursor, reasons=leave.reasons)
        if self.cursor != feed.row.version:
            if self.cursor < feed.row.version:
                self.wake()  # there is more
            return frames
        frames += await self._besides()
        if feed.over and not self.closed:
            self.close()
            row = feed.row
            end = {"phase": row.phase, "version": row.version, "champion": row.champion}
            frames += frame("end", end, version=row.version)
        return frames

    async def leave(self) -> Leave:
        """What the caller may see now."""
        if time.monotonic() > self._leave.until:
            player, tournament_id = self.caller.player, self.feed.tournament_id
            known, reasons = await self._process.by_orm(partial(_may, tournament_id, player))
            self._leave = Leave(known, reasons, time.monotonic() + LASTS_SECONDS)
        return self._leave

    async def _from_here(self) -> bytes:
        view, row_version = await self._process.by_orm(partial(_view, self.feed.tournament_id, self.caller.player))
        self.cursor = row_version
        self._standing, self._revision = self.feed.snapshot.standing_key, self.feed.row.revision
        if self.cursor != self.feed.row.version:
            self.feed.heard("")  # the view is newer than what the feed knows
        return frame("view", view, version=row_version)

    async def _further(self, cursor: int, *, reasons: bool) -> bytes:
        lines = self.feed.after(cursor)
        if lines is None:
            load = partial(log_load, tournament_id=self.feed.tournament_id, after=cursor, limit=PORTION)
            lines = [line for line in await self._process.by_orm(load) if line.version <= self.feed.row.version]
        if lines:
            self.cursor = lines[-1].version
        return b"".join(line_frame(line, reasons=reasons) for line in lines)

    async def _besides(self) -> bytes:
        """What has no version of its own: the standings, which follow the moves, and what the organiser edits."""
        frames, seen = b"", self.feed.snapshot
        if self._revision not in (None, seen.row.revision):
            view, _ = await self._process.by_orm(partial(_view, self.feed.tournament_id, self.caller.player))
            frames += frame("tournament", view["tournament"])
        if seen.standing_key != self._standing:
            frames += seen.standings
        self._revision, self._standing = seen.row.revision, seen.standing_key
        return frames


def _may(tournament_id: UUID, player: Player) -> tuple[bool, bool]:
    try:
        tournament = tournament_get(tournament_id=tournament_id, viewer=player)
    except TournamentNotFound:
        return False, False
    return True, may_read_reasons(player, tournament)


def _view(tournament_id: UUID, player: Player) -> tuple[Json, int]:
    """The tournament as the player may know it and how it stands, and the version of both."""
    tournament = tournament_get(tournament_id=tournament_id, viewer=player)
    told = tournament_json(brief(tournament=tournament, viewer=player), player)
    standings = standings_json(tournament)
    return {"tournament": told, **standings, "now": NOW}, tournament.version


async def tournament_stream(
    process: StreamProcess, request: Request, subject: UUID, receive: Receive, send: Send, headers: tuple[Header, ...]
) -> None:
    """`GET tournaments/{id}/stream/`. What `admitted` raises; TournamentNotFound, NotAcceptable, ValidationError."""
    require_accepts(request, EVENT_STREAM)
    cursor = cursor_of(request)
    caller = await admitted(process, request)
    stream = TournamentStream(caller, cursor, process)
    async with process.part(TournamentFeeds).following(subject, stream) as feed:
        stream.feed = feed
        if not (await stream.leave()).known:
            raise TournamentNotFound(subject)
        require_cursor(cursor, feed.row.version, request)
        if feed.over and cursor == feed.row.version:
            await respond(send, NOTHING_MORE, [(b"cache-control", b"no-store"), *headers])
            return
        async with place_for(process, caller, "tournament"):
            await stream_on(process, stream, receive, send, headers)
