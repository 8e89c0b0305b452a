"""Sending a task to the broker: once, without ever raising. Whatever was left out is found by a sweep."""

import logging
import threading
import time
from typing import Any, Final

from celery import Task

logger = logging.getLogger(__name__)

BROKER_REST_SECONDS: Final = 5.0
"""How long nothing is published after the broker could not be reached; the sweep finds what was left out."""


class _Broker:
    """Remembers that the broker was out of reach, so that each caller need not find out anew."""

    def __init__(self) -> None:
        self._rest_until = 0.0
        self._guard = threading.Lock()

    def resting(self) -> bool:
        with self._guard:
            return time.monotonic() < self._rest_until

    def rest(self) -> None:
        with self._guard:
            self._rest_until = time.monotonic() + BROKER_REST_SECONDS

    def wake(self) -> None:
        with self._guard:
            self._rest_until = 0.0


broker: Final = _Broker()


def publish(task: Task[Any, None], *arguments: str | int) -> bool:
    """Send the task to the broker once; False when it could not be sent. Never raises: the work is already done."""
    if broker.resting():
        return False
    try:
        task.apply_async(arguments, retry=False, ignore_result=True)
    except Exception as error:  # noqa: BLE001  # whatever ails the broker, the caller's work is done
        broker.rest()
        logger.warning("the broker is out of reach (%s): %s waits for the sweep", type(error).__name__, task.name)
        return False
    broker.wake()
    return True
