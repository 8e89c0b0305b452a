"""A player's own stream: everything that concerns it, told as a whole on every connect and then change by change.

Nothing hangs on a single hint: what is told is the difference between what the client was told and what is so now.
"""

from uuid import UUID

from games.streaming.asgi import Header, Receive, Request, Send
from games.streaming.door import (
    EVENT_STREAM,
    OwnStreamQuery,
    admitted,
    place_for,
    read_query,
    require_accepts,
    stream_on,
)
from games.streaming.own_feeds import OwnFeed, OwnFeeds
from games.streaming.own_state import OwnState, changes
from games.streaming.people import Caller
from games.streaming.process import StreamProcess
from games.streaming.sse import NOW, frame
from games.streaming.stream import Stream


class OwnStream(Stream):
    """Everything that concerns its player."""

    __slots__ = ("_feeds", "_known", "feed")

    feed: OwnFeed

    def __init__(self, caller: Caller, feeds: OwnFeeds) -> None:
        super().__init__(caller)
        self._feeds = feeds
        self._known: OwnState | None = None

    async def due(self) -> bytes:
        """See `Stream`."""
        before, now = self._known, self.feed.state
        if before is now:
            return b""
        self._known = now
        if before is None:
            return frame("state", {**now.json(), "now": NOW})
        told = [*changes(before, now)]
        for name, section in self._feeds.sections.items():
            told += section.changes(before.sections.get(name, {}), now.sections.get(name, {}))
        return b"".join(frame(event, {**data, "now": NOW}) for event, data in told)


async def own_stream(
    process: StreamProcess, request: Request, _subject: UUID, receive: Receive, send: Send, headers: tuple[Header, ...]
) -> None:
    """`GET players/me/stream/`. What `admitted` raises; NotAcceptable, ValidationError."""
    require_accepts(request, EVENT_STREAM)
    read_query(request, OwnStreamQuery)
    caller = await admitted(process, request)
    feeds = process.part(OwnFeeds)
    stream = OwnStream(caller, feeds)
    async with feeds.following(caller.player_id, stream) as feed, place_for(process, caller, "own"):
        stream.feed = feed
        await stream_on(process, stream, receive, send, headers)
