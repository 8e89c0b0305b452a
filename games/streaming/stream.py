"""One open stream: what is due is asked for and sent, then it sleeps until woken. All of them, and their heartbeats.

A stream keeps no queue. It knows what it has sent, and asks its feed for what comes after; so a slow client costs
nothing but delay, and nothing can be lost or doubled on the way.
"""

import asyncio
import contextlib
import random
import time
from abc import ABC, abstractmethod
from typing import Final

from games.streaming.asgi import Header, Receive, Send
from games.streaming.people import Caller
from games.streaming.sse import HEARTBEAT, retry, stamped

HEARTBEAT_SECONDS: Final = 15
STUCK_SECONDS: Final = 30.0
"""A client that takes nothing for so long is cut off; it resumes when it can."""
RETRY_MS: Final = 1_000
RESTART_MS: Final = (500, 3_000)
"""When a process stops, its clients come again within this time, not all at once."""
HEADERS: Final[tuple[Header, ...]] = (
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"connection", b"close"),
)


class Stream(ABC):
    """A stream of server-sent events to one client."""

    __slots__ = ("_asleep", "_beat", "_dirty", "_farewell", "_gone", "_sending_since", "_task", "caller", "closed")

    def __init__(self, caller: Caller) -> None:
        self.caller = caller
        self.closed = False
        self._farewell = b""
        self._gone = False
        self._asleep: asyncio.Future[None] | None = None
        self._beat = False
        self._dirty = False
        self._sending_since = 0.0
        self._task: asyncio.Task[None] | None = None

    @abstractmethod
    async def due(self) -> bytes:
        """The frames to send now; empty when nothing is due. It may call `close`; what it returns is sent before."""

    def wake(self) -> None:
        """Something may be due."""
        self._dirty = True
        if self._asleep is not None and not self._asleep.done():
            self._asleep.set_result(None)

    def close(self, farewell: bytes = b"") -> None:
        """Send what is due, and this, and end."""
        self.closed, self._farewell = True, farewell
        self.wake()

    def revoke(self) -> None:
        """End at once and send nothing more: the caller may no longer look."""
        self._gone = True
        self.close()

    def beat(self) -> None:
        """Send a heartbeat, so that both sides find out when the line is dead."""
        self._beat = True
        self.wake()

    def cut_if_stuck(self) -> None:
        """End a stream whose client takes nothing."""
        stuck = self._sending_since and time.monotonic() - self._sending_since > STUCK_SECONDS
        if stuck and self._task is not None:
            self.closed = True
            self._task.cancel()

    async def serve(self, receive: Receive, send: Send, headers: tuple[Header, ...]) -> None:
        """Send until it is closed or the client has gone."""
        self._task = asyncio.current_task()
        watching = asyncio.ensure_future(self._watch(receive))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": [*HEADERS, *headers]})
            await self._send(send, retry(RETRY_MS))
            await self._send_on(send)
            await send({"type": "http.response.body", "body": b""})
        except asyncio.CancelledError:
            if not self.closed:
                raise
        finally:
            self.closed = True
            watching.cancel()

    async def _send_on(self, send: Send) -> None:
        while not self._gone:
            self._dirty, last = False, self.closed
            frames = await self.due()
            if self._beat:
                self._beat = False
                frames += HEARTBEAT
            if last:
                await self._send(send, stamped(frames) + self._farewell)
                return
            if frames:
                await self._send(send, stamped(frames))
            elif not self._dirty:
                await self._sleep()

    async def _send(self, send: Send, body: bytes) -> None:
        self._sending_since = time.monotonic()
        await send({"type": "http.response.body", "body": body, "more_body": True})
        self._sending_since = 0.0

    async def _sleep(self) -> None:
        self._asleep = asyncio.get_running_loop().create_future()
        try:
            await self._asleep
        finally:
            self._asleep = None

    async def _watch(self, receive: Receive) -> None:
        with contextlib.suppress(asyncio.CancelledError):
            while (await receive())["type"] != "http.disconnect":
                pass
            self._gone = True
            self.close()


class Streams:
    """The open streams of this process, and the one clock by which their hearts beat."""

    def __init__(self) -> None:
        self._slots: list[set[Stream]] = [set() for _ in range(HEARTBEAT_SECONDS)]
        self._next = 0
        self.closing = False

    def add(self, stream: Stream) -> None:
        """It is open."""
        min(self._slots, key=len).add(stream)

    def remove(self, stream: Stream) -> None:
        """It has ended."""
        for slot in self._slots:
            slot.discard(stream)

    def all(self) -> list[Stream]:
        """Those that are open."""
        return [stream for slot in self._slots for stream in slot]

    def tick(self) -> None:
        """Once a second: a fifteenth of all hearts beat."""
        self._next = (self._next + 1) % HEARTBEAT_SECONDS
        for stream in tuple(self._slots[self._next]):
            stream.beat()
            stream.cut_if_stuck()

    def close_all(self) -> None:
        """The process stops: every client is told when to come again."""
        self.closing = True
        for stream in self.all():
            stream.close(retry(random.randint(*RESTART_MS)))  # no secret hangs on it
