"""The long-poll: `games/{id}/events/` on the stream process, for clients that cannot keep a stream open."""

import asyncio
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

from django.conf import settings

from games.api.answers import event_json, game_path
from games.api.serializers import EventQuery
from games.errors import GameNotFound
from games.fold import StoredEvent
from games.models import Game, Phase
from games.selectors import MOST_EVENTS, seen
from games.streaming.asgi import Header, Receive, Request, Send, respond
from games.streaming.door import JSON, admitted, place_for, read_query, require_accepts, require_cursor
from games.streaming.feed import Viewer, seat_of
from games.streaming.feeds import BrokenLog
from games.streaming.looking import Looking
from games.streaming.people import Caller, players_valid
from games.streaming.process import StreamProcess
from games.streaming.reading import Read
from players.api.answers import PRIVATE, json_bytes
from players.api.fields import QueryNumber, Text

MOST_WAIT_SECONDS: Final = 25
PAGE: Final = 100
_OVER: Final = (Phase.FINISHED, Phase.ABORTED)


class PollQuery(EventQuery):
    """Which part of a log, how long to wait for its next event, and a ticket in place of a header."""

    wait = QueryNumber(least=0, most=MOST_WAIT_SECONDS, default=0)
    ticket = Text(most=200, required=False)


async def game_poll(
    process: StreamProcess, request: Request, subject: UUID, receive: Receive, send: Send, headers: tuple[Header, ...]
) -> None:
    """`GET games/{id}/events/`. What `admitted` raises; GameNotFound, NotAcceptable, ValidationError."""
    require_accepts(request, JSON)
    asked = read_query(request, PollQuery)
    caller = await admitted(process, request)
    read = await _read(process, caller, subject, asked)
    require_cursor(asked["after"], read.game.version, request)
    if asked["wait"] and not read.events and read.game.phase not in _OVER:
        async with place_for(process, caller, "poll"):
            await _wait(process, subject, asked, receive)
        caller = await _still(process, caller)
        read = await _read(process, caller, subject, asked)
    body = json_bytes(_page(read.game, read.events, seat_of(read.game, caller.player_id), asked))
    told = [(b"content-type", JSON.encode()), (b"cache-control", PRIVATE.encode()), *headers]
    await respond(send, 200, told, body)


class _Waiting:
    """Waits for a feed to change."""

    def __init__(self) -> None:
        self.changed = asyncio.Event()

    def wake(self) -> None:
        """It has."""
        self.changed.set()


async def _wait(process: StreamProcess, game_id: UUID, asked: Any, receive: Receive) -> None:
    """Until there is an event after the one asked about, the game is over, the client has gone, or time is up."""
    waiting = _Waiting()
    leaving = asyncio.ensure_future(_gone(receive))
    closing = asyncio.ensure_future(process.closing.wait())
    ended = (leaving, closing)

    async def further() -> None:
        async with process.feeds.following(game_id, waiting) as feed:
            while not (feed.gone or feed.over or feed.version > asked["after"]):
                waiting.changed.clear()
                await waiting.changed.wait()

    coming = asyncio.ensure_future(further())
    try:
        await asyncio.wait((coming, *ended), timeout=asked["wait"], return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (coming, *ended):
            task.cancel()
        await asyncio.gather(coming, *ended, return_exceptions=True)


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _read(process: StreamProcess, caller: Caller, game_id: UUID, asked: Any) -> Read:
    most = min((asked.get("limit") or PAGE) + 1, MOST_EVENTS)
    read = await process.reader.game(game_id, after=asked["after"], limit=most)
    if read is None or not await Looking(process).may_know(read.game, caller.player):
        raise GameNotFound(game_id)
    if read.broken:
        raise BrokenLog(game_id)
    return read


async def _still(process: StreamProcess, caller: Caller) -> Caller:
    """The caller after a while; AuthenticationFailed when it may no longer look."""
    valid = await players_valid([caller.credential], process.reader)
    return caller.renewed(valid.get(caller.credential))


def _page(game: Game, found: Sequence[StoredEvent], viewer: Viewer, asked: Any) -> dict[str, object]:
    limit, after = asked.get("limit") or PAGE, asked["after"]
    events = found[:limit]
    more = len(found) > limit or len(events) == MOST_EVENTS

    def link(version: int) -> str:
        chosen = {"after": version, "limit": limit, **({"wait": asked["wait"]} if asked["wait"] else {})}
        return f"{settings.TAKI_STREAM_URL}{game_path(game.pk)}events/?{urlencode(chosen)}"

    return {
        "next": link(events[-1].version) if more else None,
        "previous": link(max(0, after - limit)) if after else None,
        "results": [event_json(seen(stored, viewer)) for stored in events],
    }
