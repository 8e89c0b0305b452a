"""Valkey, as those use it who must not wait for it: Django's side of the streams."""

import logging
import os
import threading
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, TypeVar, cast

from django.conf import settings
from redis import ConnectionPool, Redis
from redis.backoff import NoBackoff
from redis.connection import AbstractConnection
from redis.exceptions import RedisError
from redis.retry import Retry

T = TypeVar("T")
logger = logging.getLogger(__name__)

TIMEOUT_SECONDS: Final = 0.25
PAUSE_SECONDS: Final = 1.0


class ValkeyAway(Exception):
    """Valkey does not answer; what only it knows cannot be done now."""


class _Outage:
    """Until when this process does not ask Valkey again: an outage must not slow down every move."""

    until = 0.0


def ask(question: Callable[[Redis], T]) -> T:
    """What the question gets from Valkey, within a quarter of a second. ValkeyAway, at once while it is known."""
    if time.monotonic() < _Outage.until:
        raise ValkeyAway
    try:
        return question(client())
    except (RedisError, OSError) as away:
        _Outage.until = time.monotonic() + PAUSE_SECONDS
        logger.warning("Valkey is not asked for a second: %s", type(away).__name__)
        raise ValkeyAway from away


@cache
def client() -> Redis:
    """This process's client, whose every wait is short."""
    return Redis.from_url(
        settings.TAKI_VALKEY_URL,
        socket_timeout=TIMEOUT_SECONDS,
        socket_connect_timeout=TIMEOUT_SECONDS,
        retry=Retry(NoBackoff(), 1),  # once, for a connection that broke while it lay idle
    )


class _Mouth:
    """A connection on which nothing is answered, so that whoever speaks does not wait: one a process."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._connection: AbstractConnection | None = None
        self._process = 0

    def say(self, commands: Sequence[tuple[str, ...]]) -> None:
        """Write the commands. RedisError or OSError when they could not be; they are not tried again."""
        with self._guard:
            connection = self._open()
            try:
                connection.send_packed_command(connection.pack_commands(commands), check_health=False)  # type: ignore[no-untyped-call]
            except BaseException:
                self._connection = None
                connection.disconnect()  # type: ignore[no-untyped-call]
                raise

    def _open(self) -> AbstractConnection:
        if self._connection is None or self._process != os.getpid():  # a fork must not share its parent's
            self._connection, self._process = connect(), os.getpid()
            self._connection.send_command("CLIENT", "REPLY", "OFF")  # type: ignore[no-untyped-call]
        return self._connection


_mouth: Final = _Mouth()


def say(*commands: tuple[str, ...]) -> None:
    """Have Valkey carry out the commands, without waiting for it; they may be lost. ValkeyAway, at once while known."""
    if time.monotonic() < _Outage.until:
        raise ValkeyAway
    try:
        _mouth.say(commands)
    except (RedisError, OSError) as away:
        _Outage.until = time.monotonic() + PAUSE_SECONDS
        logger.warning("Valkey is told nothing for a second: %s", type(away).__name__)
        raise ValkeyAway from away


def connect() -> AbstractConnection:
    """A connection of its own, whose every wait is short. RedisError, OSError."""
    pool = ConnectionPool.from_url(
        settings.TAKI_VALKEY_URL,
        protocol=2,
        socket_timeout=TIMEOUT_SECONDS,
        socket_connect_timeout=TIMEOUT_SECONDS,
        retry=Retry(NoBackoff(), 0),
    )
    connection = cast("AbstractConnection", pool.make_connection())
    connection.connect()  # type: ignore[no-untyped-call]
    return connection
