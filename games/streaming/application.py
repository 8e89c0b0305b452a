"""The stream process's ASGI application: which path is what, who may call from which page, what an error becomes."""

import asyncio
import contextlib
import logging
import re
import resource
import signal
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db import OperationalError
from django.http import Http404, HttpResponse
from django.utils import translation
from psycopg import OperationalError as DatabaseAway
from psycopg_pool import PoolTimeout
from rest_framework.exceptions import MethodNotAllowed

from games.streaming.asgi import Header, Message, Receive, Request, Scope, Send, respond
from games.streaming.figures import CONTENT_TYPE
from games.streaming.games import game_stream
from games.streaming.own import own_stream
from games.streaming.poll import game_poll
from games.streaming.process import StreamProcess

logger = logging.getLogger(__name__)

Serve = Callable[[StreamProcess, Request, UUID, Receive, Send, tuple[Header, ...]], Awaitable[None]]
Refusal = Callable[[Exception], HttpResponse]
"""What an exception becomes, in the language that is active."""

METHODS: Final = b"GET, OPTIONS"
ASKED_HEADERS: Final = b"accept-language, authorization, cache-control, last-event-id, x-session-token"
_UUID: Final = r"(?P<subject>[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})"
NO_SUBJECT: Final = UUID(int=0)


@dataclass(frozen=True, slots=True)
class Route:
    """A path, and what serves it. ``{id}`` in the path stands for the subject's id."""

    path: str
    serve: Serve

    def pattern(self) -> re.Pattern[str]:
        """The path as a pattern."""
        return re.compile("/api/v1/" + self.path.replace("{id}", _UUID))


GAME_ROUTES: Final = (
    Route("games/{id}/stream/", game_stream),
    Route("games/{id}/events/", game_poll),
    Route("players/me/stream/", own_stream),
)


class Application:
    """Routes, and around them what is the same for all. The process begins with the server's lifespan."""

    def __init__(
        self, routes: Sequence[Route], refusal: Refusal, begin: Callable[[StreamProcess], None] = lambda _: None
    ) -> None:
        self._routes = [(route.pattern(), route.serve) for route in routes]
        self._refusal, self._begin = refusal, begin
        self.process: StreamProcess | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http":
            await self._answer(Request(scope), receive, send)

    async def open(self) -> None:
        """Begin."""
        _allow_many_files()
        self.process = StreamProcess()
        self._begin(self.process)
        await self.process.open()
        _on_signal(self.process)

    async def close(self) -> None:
        """End."""
        if self.process is not None:
            await self.process.close()

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            await (self.open() if message["type"] == "lifespan.startup" else self.close())
            await send({"type": message["type"] + ".complete"})
            if message["type"] == "lifespan.shutdown":
                return

    async def _answer(self, request: Request, receive: Receive, send: Send) -> None:
        headers = cors_headers(request)
        started = False

        async def telling(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._serve(request, receive, telling, headers)
        except Exception as error:
            if started:  # the client comes again with what it has
                away = isinstance(_known(error), OperationalError)
                logger.warning("a stream broke off", exc_info=None if away else error)
                return
            await self._refuse(request, error, send, headers)

    async def _serve(self, request: Request, receive: Receive, send: Send, headers: tuple[Header, ...]) -> None:
        process = self.process
        if process is None:
            raise OperationalError("not begun")
        if request.path == "/healthz":
            await respond(send, 200, [(b"content-type", b"application/json"), _NO_STORE], b'{"status":"ok"}')
            return
        if request.path == "/metrics":
            kind = CONTENT_TYPE.encode("latin-1")
            await respond(send, 200, [(b"content-type", kind), _NO_STORE], process.figures.exposition())
            return
        serve, subject = self._found(request.path)
        if request.method == "OPTIONS":
            await respond(send, 204, [(b"allow", METHODS), *headers, *_preflight(request)])
            return
        if request.method != "GET":
            raise MethodNotAllowed(request.method)
        await serve(process, request, subject, receive, send, headers)

    def _found(self, path: str) -> tuple[Serve, UUID]:
        for pattern, serve in self._routes:
            if match := pattern.fullmatch(path):
                subject = match.groupdict().get("subject")
                return serve, UUID(subject) if subject else NO_SUBJECT
        raise Http404

    async def _refuse(self, request: Request, error: Exception, send: Send, headers: tuple[Header, ...]) -> None:
        with translation.override(translation.get_language_from_request(request.as_django())):
            told = self._refusal(_known(error))
        if self.process is not None:
            self.process.figures.refused.labels(str(told.status_code)).inc()
        if told.status_code == MethodNotAllowed.status_code:
            told.headers["Allow"] = METHODS.decode()
        own = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in told.headers.items()]
        await respond(send, told.status_code, [*own, *headers], told.content)


def _known(error: Exception) -> Exception:
    """The same in Django's words, which the map of problems knows."""
    return OperationalError(str(error)) if isinstance(error, DatabaseAway | PoolTimeout | TimeoutError) else error


def cors_headers(request: Request) -> tuple[Header, ...]:
    """What a page of another origin may do: read anything, without cookies; with them if its origin is named."""
    origin = request.headers.get("origin", "")
    if not origin:
        return ()
    named: list[str] = getattr(settings, "CORS_ALLOWED_ORIGINS", [])
    if origin.lower() in named:
        allowed = (b"access-control-allow-origin", origin.encode("latin-1"))
        return (allowed, (b"access-control-allow-credentials", b"true"), *_TOLD)
    if getattr(settings, "CORS_ALLOW_ALL_ORIGINS", False):
        return ((b"access-control-allow-origin", b"*"), *_TOLD)
    return (_VARY,)


def _preflight(request: Request) -> tuple[Header, ...]:
    if "access-control-request-method" not in request.headers:
        return ()
    return (
        (b"access-control-allow-methods", METHODS),
        (
            b"access-control-allow-headers",
            b"accept-language, authorization, cache-control, last-event-id, x-request-id, x-session-token",
        ),
        (b"access-control-max-age", b"7200"),
    )


def _allow_many_files() -> None:
    """Each stream is an open file, and 1,024 is what many a shell allows unless one asks for more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _on_signal(process: StreamProcess) -> None:
    """Let a signal to stop reach the streams too: the server waits for them before it says that it stops."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(ValueError):  # not the main thread: whoever runs the loop stops it
            signal.signal(number, _then(signal.getsignal(number), lambda: loop.call_soon_threadsafe(process.stop)))


def _then(before: Any, stop: Callable[[], object]) -> Callable[[int, FrameType | None], None]:
    def handle(number: int, frame: FrameType | None) -> None:
        stop()
        if callable(before):
            before(number, frame)

    return handle


_NO_STORE: Final = (b"cache-control", b"no-store")
_VARY: Final = (b"vary", b"origin")
_TOLD: Final = (_VARY, (b"access-control-expose-headers", b"Retry-After, WWW-Authenticate, Content-Language"))
