"""Many clients of streams in a process of their own, so that they cost the measured one nothing but its work.

`python -m tests.bench.following` reads lines `URL TOKEN` from its input, opens them all, says `open`, and once it is
told to stop by a line writes for each what came: versions, and when each was received (milliseconds since 1970).
"""

import asyncio
import json
import sys
import time
from urllib.parse import urlsplit


class Following:
    """What has come on one connection, and when."""

    def __init__(self) -> None:
        self.received: list[float] = []
        self.versions: list[int] = []
        self.opened = asyncio.Event()

    async def follow(self, url: str, token: str) -> None:
        """Read until the connection ends."""
        parts = urlsplit(url)
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        head = ("Host: x", "Accept: text/event-stream", f"Authorization: Bearer {token}")
        writer.write(("\r\n".join((f"GET {parts.path} HTTP/1.1", *head)) + "\r\n\r\n").encode())
        event = b""
        while line := await reader.readline():
            if line.startswith(b"event: "):
                event = line[7:].strip()
                if event in (b"view", b"presence"):
                    self.opened.set()
            elif line.startswith(b"data: ") and event == b"event":
                self._take(line, time.time())
            elif line.startswith(b":"):
                self.opened.set()
            elif line.startswith(b"HTTP/1.1") and b" 200 " not in line:
                raise SystemExit(line.decode())

    def _take(self, line: bytes, now: float) -> None:
        self.received.append(1000 * now)
        self.versions.append(json.loads(line[6:])["version"])


async def main() -> None:
    """Open what is asked for, and tell what came."""
    asked = [line.split() for line in iter(sys.stdin.readline, "\n")]
    clients = [Following() for _ in asked]
    tasks = []
    for client, (url, token) in zip(clients, asked, strict=True):
        tasks.append(asyncio.create_task(client.follow(url, token)))
        if len(tasks) % 50 == 0:
            await asyncio.gather(*(each.opened.wait() for each in clients[: len(tasks)]))
    await asyncio.gather(*(client.opened.wait() for client in clients))
    print("open", flush=True)  # noqa: T201  # how the bench hears of it
    await asyncio.to_thread(sys.stdin.readline)
    for task in tasks:
        task.cancel()
    told = [{"received": client.received, "versions": client.versions} for client in clients]
    print(json.dumps(told), flush=True)  # noqa: T201


if __name__ == "__main__":
    asyncio.run(main())
