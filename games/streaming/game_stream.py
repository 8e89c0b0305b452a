"""One game as it happens: the position, then every event once and in order, and between them clocks and presence."""

from typing import Final

from games.api.answers import game_json
from games.models import Phase
from games.rules.cards import Seat
from games.streaming.feed import GameFeed, Told, Viewer, event_frame
from games.streaming.feeds import BrokenLog
from games.streaming.looking import Looking
from games.streaming.people import Caller
from games.streaming.process import StreamProcess
from games.streaming.sse import NOW, frame
from games.streaming.stream import Stream
from players.models import Player

CHUNK: Final = 100
"""Events that are sent at once."""
_UNSEEN: Final[Viewer] = Seat(-1)
"""Before it is known which seat the caller has."""
_NOTHING: Final = Told(None, b"")


class GameStream(Stream):
    """``cursor`` is the version up to which the client has everything; None before it has anything."""

    __slots__ = ("_clock", "_counted", "_lobby", "_looking", "_present", "_process", "_viewer", "cursor", "feed")

    feed: GameFeed

    def __init__(self, caller: Caller, cursor: int | None, process: StreamProcess, looking: Looking) -> None:
        super().__init__(caller)
        self.cursor = cursor
        self._looking = looking
        self._process = process
        self._viewer = self._counted = _UNSEEN
        self._lobby: object = None
        self._clock = _NOTHING
        self._present: object = None

    @property
    def viewer(self) -> Viewer:
        """The seat that the caller has now."""
        return self.feed.viewer(self.caller.player_id)

    async def due(self) -> bytes:
        """See `Stream`. Whatever is sent is for the seat that the caller has at that moment."""
        feed = self.feed
        if feed.gone or not await self._looking.may_know(feed.row, self.caller.player):
            self.revoke()
            return b""
        self._count(self.viewer)
        if feed.version == 0:
            return self._in_lobby()
        return await self._in_game()

    def leave(self) -> None:
        """It has ended, so it counts no more among those who are connected."""
        if self._counted != _UNSEEN:
            self._process.presence.leave(self.feed.game_id, self._counted)

    def _count(self, viewer: Viewer) -> None:
        if viewer != self._counted:
            self.leave()
            self._counted = viewer
            self._process.presence.enter(self.feed.game_id, viewer)

    def _in_lobby(self) -> bytes:
        feed, game = self.feed, self.feed.row
        frames = b""
        revisions = (game.lobby_revision, game.seating_revision)
        if revisions != self._lobby:
            self._lobby = revisions
            frames = frame("lobby", lobby_json(feed, self.caller.player))
        frames += self._presence()
        if game.phase == Phase.ABORTED and not self.closed:
            frames += self._ended()
        return frames

    async def _in_game(self) -> bytes:
        feed = self.feed
        frames = b""
        if not feed.settled:
            return frames  # it wakes all when it is
        if self.cursor is None:
            frames = self._from_here()
        elif self.cursor < feed.version:
            frames = await self._further(self.cursor)
        if self.cursor != feed.version:
            self.wake()  # there is more
            return frames
        if self._viewer not in (_UNSEEN, self.viewer):
            frames += self._from_here()  # another seat: the hands that the client knows are no longer its own
        self._viewer = self.viewer
        clock = feed.clock()
        if clock.key != self._clock.key and not feed.over:
            self._clock = clock
            frames += clock.frame
        frames += self._presence()
        if feed.over and not self.closed:
            frames += self._ended()
        return frames

    def _from_here(self) -> bytes:
        self._viewer = self.viewer
        self.cursor = self.feed.version
        return self.feed.view_frame(self._viewer)

    async def _further(self, cursor: int) -> bytes:
        """The events after the cursor, some of them; for the seat that the caller has once they have been read."""
        kept = self.feed.after(cursor, CHUNK)
        if kept is None:
            read = await self._process.reader.game(self.feed.game_id, after=cursor, limit=CHUNK)
            stored = [event for event in read.events if event.version <= self.feed.version] if read else []
            if not stored:
                raise BrokenLog(self.feed.game_id)  # or it would be asked for again at once, and for ever
            viewer = self.viewer
            frames = [event_frame(event, viewer) for event in stored]
            last = stored[-1].version
        else:
            viewer = self.viewer
            frames = [written.frame(viewer) for written in kept]
            last = kept[-1].stored.version
            self._process.figures.lag(kept[-1].stored.recorded_at)
        self.cursor = last
        self._process.figures.sent(len(frames))
        return b"".join(frames)

    def _presence(self) -> bytes:
        told = self.feed.presence_told(self._present)
        if told is None:
            return b""
        self._present = told.key
        return told.frame

    def _ended(self) -> bytes:
        game = self.feed.row
        self.close()
        ranking = [{**placing, "stage": placing["stage"] or None} for placing in game.ranking or ()]
        end = {"phase": game.phase, "version": game.version, "winner": game.winner, "ranking": ranking or None}
        return frame("end", end, version=game.version)


def lobby_json(feed: GameFeed, player: Player) -> dict[str, object]:
    """The table before the game, as the API tells it."""
    return {**game_json(feed.row, player, feed.presence), "now": NOW}
