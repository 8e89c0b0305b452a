"""The Celery worker's consumer: it rejoins a broker within a second, shows that it consumes, and gives up in time.

Celery itself waits ever longer between attempts, up to thirty seconds; a game's clock cannot. A worker that has
not consumed for a minute ends itself, so that whatever restarts ended processes restarts it.
"""

import logging
import os
import threading
import time
from functools import partial
from typing import Any

from celery import bootsteps
from celery.worker.consumer import Consumer
from kombu import Connection

from config.current import ENV

RETRY_SECONDS = 1
BEAT_SECONDS = 2.0
GIVE_UP_SECONDS = 60.0

logger = logging.getLogger(__name__)


def retry_steadily(connection: Connection) -> Connection:
    """The connection, made to try again every second for ever when it is down."""
    steadily = partial(
        connection.ensure_connection,
        interval_start=RETRY_SECONDS,
        interval_step=0,
        interval_max=RETRY_SECONDS,
    )
    connection.ensure_connection = steadily  # type: ignore[method-assign]  # Celery passes no interval
    return connection


class SteadyConsumer(Consumer):
    """Celery's consumer with steady attempts to reach the broker."""

    def ensure_connected(self, conn: Connection) -> Connection:
        """Connect, for as long as it takes."""
        connected: Connection = super().ensure_connected(retry_steadily(conn))
        return connected


class Heartbeat(bootsteps.StartStopStep):
    """Touches a file every two seconds, from the event loop that fetches tasks and only while it is connected."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def __init__(self, consumer: Any, **options: Any) -> None:
        super().__init__(consumer, **options)
        self.entry: Any = None

    def start(self, consumer: Any) -> None:
        """Begin: the queues are being consumed."""
        self.beat()
        self.entry = consumer.timer.call_repeatedly(BEAT_SECONDS, self.beat)

    def stop(self, consumer: Any) -> None:
        """Stop: the connection is lost or the worker ends."""
        if self.entry is not None:
            self.entry.cancel()
            self.entry = None

    def beat(self) -> None:
        """Show that the loop turns."""
        _Watch.seen = time.monotonic()
        if ENV.heartbeat is not None:
            ENV.heartbeat.touch()


class _Watch:
    seen = time.monotonic()


def end_when_idle_for_long() -> None:
    """Start the thread that ends this process when its consumer has not turned for a minute."""
    _Watch.seen = time.monotonic()
    threading.Thread(target=_watch, name="consumer-watch", daemon=True).start()


def _watch() -> None:
    while time.monotonic() - _Watch.seen < GIVE_UP_SECONDS:
        time.sleep(BEAT_SECONDS)
    logger.error("The worker has not consumed for %d seconds and ends itself.", GIVE_UP_SECONDS)
    os._exit(1)
