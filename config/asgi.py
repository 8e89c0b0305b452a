"""The stream process: a bare ASGI application, because Django's own handler costs 42 KiB a stream."""

import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer `/healthz`; every other path is not found."""
    if scope["type"] == "lifespan":
        await _lifespan(receive, send)
    elif scope["type"] == "http":
        found = scope["path"] == "/healthz"
        await _json(send, 200 if found else 404, {"status": "ok"} if found else {"title": "Not found", "status": 404})


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": message["type"] + ".complete"})
        if message["type"] == "lifespan.shutdown":
            return


async def _json(send: Send, status: int, body: dict[str, object]) -> None:
    kind = b"application/json" if status < 400 else b"application/problem+json"
    headers = [(b"content-type", kind), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(body).encode()})
