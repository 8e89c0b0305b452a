"""What each request to the stream process is judged by before anything is streamed."""

import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final, cast

from django.conf import settings
from redis.asyncio import Redis
from redis.exceptions import RedisError
from rest_framework.exceptions import AuthenticationFailed, NotAcceptable

from games.api.commands import MOST_VERSION
from games.streaming.asgi import Header, Receive, Request, Send
from games.streaming.people import Caller, caller_of, secret_of
from games.streaming.process import StreamProcess
from games.streaming.stream import Stream
from players.api.bad_tokens import admit, note_bad, note_good
from players.api.errors import TooManyRequests
from players.api.fields import QueryNumber, StrictSerializer, Text, invalid
from players.api.throttles import GCRA, READS

logger = logging.getLogger(__name__)

EVENT_STREAM: Final = "text/event-stream"
JSON: Final = "application/json"
_MICROSECONDS: Final = 1_000_000


class StreamQuery(StrictSerializer):
    """Where to go on, and a ticket in place of a header."""

    after = QueryNumber(least=0, most=MOST_VERSION, required=False)
    ticket = Text(most=200, required=False)


class OwnStreamQuery(StrictSerializer):
    """A ticket in place of a header."""

    ticket = Text(most=200, required=False)


async def admitted(process: StreamProcess, request: Request) -> Caller:
    """Who asks, once it has been counted. What `caller_of` raises; TooManyRequests, also after many bad tokens."""
    asking, secret = request.as_django(), secret_of(request)
    if secret:  # a cookie is no guess at a token, here as on the API
        admit(asking, secret)
    try:
        caller = await caller_of(request, process.reader, process.valkey)
    except AuthenticationFailed:
        await process.by_orm(partial(note_bad, asking))  # it waits for Valkey, so not in the loop
        raise
    if secret:
        note_good(secret)
    await _spend(process.valkey, str(caller.player_id))
    return caller


def read_query(request: Request, serializer: type[StrictSerializer]) -> Mapping[str, Any]:
    """The checked query parameters. ValidationError names each that is unknown, wrong or given twice."""
    names = [name for name, _ in request.query]
    repeated = [name for name in names if names.count(name) > 1]
    if repeated:
        raise invalid(repeated[0][:64], "repeated")
    read = serializer(data=dict(request.query))
    read.is_valid(raise_exception=True)
    return cast("Mapping[str, Any]", read.validated_data)


def cursor_of(request: Request) -> int | None:
    """What the client has: `Last-Event-ID`, as it is the newer of the two, or `after`; None for nothing yet."""
    after: int | None = read_query(request, StreamQuery).get("after")
    last = request.headers.get("last-event-id", "")
    if not last:
        return after
    if not (last.isascii() and last.isdigit() and len(last) <= len(str(MOST_VERSION))):
        raise invalid("Last-Event-ID", "bad_cursor")
    return int(last)


def require_cursor(cursor: int | None, head: int, request: Request) -> None:
    """ValidationError when the cursor is beyond the head: it is another log's, and nothing would ever come."""
    if cursor is not None and cursor > head:
        raise invalid("Last-Event-ID" if request.headers.get("last-event-id") else "after", "bad_cursor")


def require_accepts(request: Request, media_type: str) -> None:
    """NotAcceptable when the client wants something else."""
    header = request.headers.get("accept", "*/*")
    group = media_type.split("/", maxsplit=1)[0]
    for part in header.split(","):
        name, *parameters = (word.strip().lower() for word in part.split(";"))
        if name in (media_type, f"{group}/*", "*/*") and not any(_is_zero(each) for each in parameters):
            return
    raise NotAcceptable


@asynccontextmanager
async def place_for(process: StreamProcess, caller: Caller, kind: str) -> AsyncIterator[None]:
    """One of the caller's places, while it lasts. TooManyRequests."""
    lease = await process.leases.take(caller.player_id)
    process.figures.open.labels(kind).inc()
    try:
        yield
    finally:
        process.figures.open.labels(kind).dec()
        await process.leases.give_back(lease)


async def stream_on(
    process: StreamProcess, stream: Stream, receive: Receive, send: Send, headers: tuple[Header, ...]
) -> None:
    """Send the stream until it ends, among those of this process."""
    process.streams.add(stream)
    try:
        if process.streams.closing:
            stream.close()
        await stream.serve(receive, send, headers)
    finally:
        process.streams.remove(stream)


async def _spend(valkey: Redis, who: str) -> None:
    """Count a request of the player among its reads, with those of the API. TooManyRequests."""
    factor = settings.TAKI_THROTTLE_FACTOR
    interval = READS.seconds * _MICROSECONDS / (READS.count * factor)
    try:
        answer = await valkey.eval(GCRA, 1, f"limit:{READS.name}:{who}", interval, max(1, READS.burst * factor))
    except (RedisError, OSError) as away:
        logger.warning("limits are not counted: %s", type(away).__name__)
        return
    wait = int(cast("int", answer))
    if wait > 0:
        raise TooManyRequests(limit=READS.name, seconds=-(-wait // _MICROSECONDS))


def _is_zero(parameter: str) -> bool:
    name, _, value = parameter.partition("=")
    try:
        return name.strip() == "q" and float(value) == 0
    except ValueError:
        return False
