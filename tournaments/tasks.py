"""Celery: fetch, call a service, stop. Every task may run twice, late or never; its arguments are ids only."""

import logging
from typing import Any, Final
from uuid import UUID

from celery import Task, shared_task

from games.hooks import Appended
from games.notices.tasks import notice_send
from players.publishing import publish as publish_once
from tournaments import selectors, services
from tournaments.notices import tournament_notices

logger = logging.getLogger(__name__)

EXPIRES_SECONDS: Final = 30
"""A task that waited longer is dropped: the sweep has sent others since."""


@shared_task(ignore_result=True)
def tournament_advance(tournament_id: str) -> None:
    """Do what follows by itself; what is left for lack of time is done by another task. Then tell whom it concerns."""
    if services.tournament_advance(tournament_id=UUID(tournament_id)).more:
        publish(tournament_advance, tournament_id)
    for notice_id in tournament_notices(tournament_id=UUID(tournament_id)):
        publish_once(notice_send, notice_id)


@shared_task(ignore_result=True)
def tournament_sweep() -> None:
    """Find the tournaments in which something is due, whatever task was lost, and carry each of them on."""
    for tournament_id in selectors.due_work():
        publish(tournament_advance, str(tournament_id))


def carry_on(tournament_id: UUID) -> None:
    """After an act: do what follows."""
    publish(tournament_advance, str(tournament_id))


def carry_on_after(appended: Appended) -> None:
    """After a move: when it ended a tournament's game, carry the tournament on."""
    if not appended.state.over:
        return
    tournament_id = selectors.tournament_of_game(game_id=appended.game.id)
    if tournament_id is not None:
        publish(tournament_advance, str(tournament_id))


def publish(task: Task[Any, None], *arguments: str) -> bool:
    """Send the task to the broker once; False when it could not be sent. Never raises: the sweep finds what is due."""
    try:
        task.apply_async(arguments, retry=False, ignore_result=True, expires=EXPIRES_SECONDS)
    except Exception as error:  # noqa: BLE001  # whatever ails the broker, the caller's work is done
        logger.warning("the broker is out of reach (%s): %s waits for the sweep", type(error).__name__, task.name)
        return False
    return True
