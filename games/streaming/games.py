"""The streams and polls of games: `games/{id}/stream/` and `games/{id}/events/`."""

from typing import Final
from uuid import UUID

from games.errors import GameNotFound
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
from games.streaming.game_stream import GameStream
from games.streaming.looking import Looking
from games.streaming.process import StreamProcess

NOTHING_MORE: Final = 204


async def game_stream(
    process: StreamProcess, request: Request, subject: UUID, receive: Receive, send: Send, headers: tuple[Header, ...]
) -> None:
    """`GET games/{id}/stream/`. What `admitted` raises; GameNotFound, NotAcceptable, ValidationError."""
    require_accepts(request, EVENT_STREAM)
    cursor = cursor_of(request)
    caller = await admitted(process, request)
    looking = Looking(process)
    stream = GameStream(caller, cursor, process, looking)
    async with process.feeds.following(subject, stream) as feed:
        if not await looking.may_know(feed.row, caller.player):
            raise GameNotFound(subject)
        require_cursor(cursor, feed.version, request)
        if feed.over and cursor == feed.version:
            # EventSource stops at this; at anything else it would come again for ever.
            await respond(send, NOTHING_MORE, [(b"cache-control", b"no-store"), *headers])
            return
        stream.feed = feed
        async with place_for(process, caller, "game"):
            try:
                await stream_on(process, stream, receive, send, headers)
            finally:
                stream.leave()
