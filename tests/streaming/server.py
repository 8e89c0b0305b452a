"""The stream process inside the tests' own, under the same server, so that a test can lose its hints."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import uvicorn

T = TypeVar("T")


class StreamServer:
    """uvicorn in a thread, with the application of `config.asgi`. ``loss`` is the part of all hints that is lost."""

    def __init__(self, *, loss: float = 0.0, slow_tick_seconds: float | None = None) -> None:
        from config.asgi import refusal, routes  # after Django is set up, as conftest imports this module
        from games.streaming.application import Application
        from tournaments.streaming.routes import begin

        def quick(process: Any) -> None:
            begin(process)
            process.presence.grace_seconds = 0.2
            process.slow_tick_seconds = slow_tick_seconds or process.slow_tick_seconds

        self.application = Application(routes, refusal, quick)
        self.loss = loss
        self.chance = random.Random(7)
        config = uvicorn.Config(self.application, port=0, log_config=None, access_log=False)
        self.server = uvicorn.Server(config)
        self.loop: asyncio.AbstractEventLoop | None = None
        self.thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        async def serve() -> None:
            self.loop = asyncio.get_running_loop()
            await self.server.serve()

        asyncio.run(serve())

    def start(self) -> StreamServer:
        """Start, and wait until it answers and listens to Valkey."""
        self.thread.start()
        wait_for(lambda: self.server.started and self.process.hub.listening)
        hub = self.process.hub
        hear = hub._hear

        def lossy(message: list[str]) -> None:
            if message[0] != "message" or self.chance.random() >= self.loss:
                hear(message)

        hub._hear = lossy
        return self

    @property
    def process(self) -> Any:
        """The stream process."""
        return self.application.process

    @property
    def url(self) -> str:
        """Where it answers."""
        port = self.server.servers[0].sockets[0].getsockname()[1]
        return f"http://127.0.0.1:{port}/api/v1"

    def call(self, act: Callable[[], T]) -> T:
        """What the act returns, in the process's own loop."""
        assert self.loop is not None

        async def acting() -> T:
            return act()

        return asyncio.run_coroutine_threadsafe(acting(), self.loop).result(10)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """What the work returns, done in the process's own loop."""
        assert self.loop is not None
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(10)

    def stop(self) -> None:
        """As SIGTERM does."""
        assert self.loop is not None
        self.loop.call_soon_threadsafe(self.process.stop)
        self.server.should_exit = True
        self.thread.join(15)
        assert not self.thread.is_alive(), "the stream process does not stop"


def wait_for(true: Callable[[], object], seconds: float = 10.0) -> None:
    """Wait until it is true."""
    import time

    patience = time.monotonic() + seconds
    while True:
        try:
            if true():
                return
        except (AttributeError, IndexError):
            pass
        assert time.monotonic() < patience, "waited in vain"
        time.sleep(0.01)
