"""Celery's consumer and scheduler, made to rejoin a broker within a second and to show that they work.

Celery itself waits ever longer between attempts, up to thirty seconds; a game's clock cannot.
"""

import contextlib
from functools import partial
from typing import Any

from celery import bootsteps
from celery.beat import PersistentScheduler
from celery.worker import state
from celery.worker.consumer import Consumer
from kombu import Connection

from config.current import ENV
from config.heartbeat import Pulse

RETRY_SECONDS = 1
BEAT_SECONDS = 2.0

WORKER = Pulse("worker", ENV.heartbeats)
SCHEDULER = Pulse("beat", ENV.heartbeats)


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
    """Beats from the event loop that fetches tasks, and only while it fetches those that wait."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def __init__(self, consumer: Any, **options: Any) -> None:
        super().__init__(consumer, **options)
        self.entry: Any = None
        self.fetched = -1

    def start(self, consumer: Any) -> None:
        """Begin: the queues are being consumed."""
        WORKER.beat()
        queues = tuple(consumer.app.amqp.queues.consume_from)
        self.entry = consumer.timer.call_repeatedly(BEAT_SECONDS, self._beat, (consumer, queues))

    def stop(self, consumer: Any) -> None:
        """Stop: the connection is lost or the worker ends."""
        if self.entry is not None:
            self.entry.cancel()
            self.entry = None

    def _beat(self, consumer: Any, queues: tuple[str, ...]) -> None:
        """Beat if something was fetched since the last look, or is being worked on, or nothing waits."""
        before, self.fetched = self.fetched, state.all_total_count[0]
        if self.fetched != before or state.active_requests or not _waiting(consumer, queues):
            WORKER.beat()


def _waiting(consumer: Any, queues: tuple[str, ...]) -> bool:
    client = consumer.connection.default_channel.client
    return any(client.llen(queue) for queue in queues)


class SteadyScheduler(PersistentScheduler):
    """Celery's scheduler with steady attempts to reach the broker; it beats with each tick while it can send.

    After an error of the broker (it was full, say) Celery would go on with a channel that never works again.
    """

    failing = False

    def tick(self, *arguments: Any, **options: Any) -> float:
        """Send what is due; the seconds until the next look."""
        wait = float(super().tick(*arguments, **options))
        if not self.failing:
            SCHEDULER.beat()
        return wait

    def apply_async(self, entry: Any, producer: Any = None, advance: bool = True, **options: Any) -> Any:
        """Send one task; when that fails, the next is sent over a new connection."""
        try:
            sent = super().apply_async(
                entry, producer=self.producer if self.failing else producer, advance=advance, **options
            )
        except Exception:
            self.failing = True
            self._forget_connection()
            raise
        self.failing = False
        return sent

    def _forget_connection(self) -> None:
        held = self.__dict__.pop("connection", None)
        self.__dict__.pop("producer", None)
        if held is not None:
            with contextlib.suppress(Exception):
                held.close()

    def _ensure_connected(self) -> Any:
        retry_steadily(self.connection)
        return super()._ensure_connected()  # type: ignore[misc]  # the stubs leave it out
