"""Celery: fetch, call a service, stop. Every task may run twice, late or never; its arguments are ids only."""

import logging
import threading
import time
from typing import Any, Final
from uuid import UUID

from celery import Task, shared_task

from games import services
from games.services import Appended

logger = logging.getLogger(__name__)

BROKER_REST_SECONDS: Final = 5.0
"""How long nothing is published after the broker could not be reached; the sweep finds what was left out."""


@shared_task(ignore_result=True)
def bot_move(game_id: str, version: int) -> None:
    """Let the bot move that is due at this version of the game."""
    services.bot_move(game_id=UUID(game_id), version=version)


@shared_task(ignore_result=True)
def clock_sweep() -> None:
    """Carry out what is due, and wake the bots that should have moved."""
    services.clock_sweep()
    for game_id, version in services.bots_claim():
        publish(bot_move, str(game_id), version)


def wake_bot(appended: Appended) -> None:
    """After a move: wake the bot that is to move next, if there is one."""
    if services.bot_awaited(appended):
        publish(bot_move, str(appended.game.id), appended.game.version)


class _Broker:
    """Remembers that the broker was out of reach, so that each move need not find out anew."""

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
    """Send the task to the broker once; False when it could not be sent. Never raises: the move is already made."""
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
