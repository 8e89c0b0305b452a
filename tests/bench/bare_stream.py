"""The least that a stream can be under the same server: headers, then nothing until the client has gone."""

from typing import Any


async def application(scope: Any, receive: Any, send: Any) -> None:
    """ASGI."""
    if scope["type"] == "lifespan":
        while True:
            message = await receive()
            await send({"type": message["type"] + ".complete"})
            if message["type"] == "lifespan.shutdown":
                return
    headers = [(b"content-type", b"text/event-stream")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b":\n\n", "more_body": True})
    while (await receive())["type"] != "http.disconnect":
        pass
