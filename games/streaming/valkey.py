"""Valkey, as those use it who must not wait for it: Django's side of the streams."""

import logging
import time
from collections.abc import Callable
from functools import cache
from typing import Final, TypeVar

from django.conf import settings
from redis import Redis
from redis.backoff import NoBackoff
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
