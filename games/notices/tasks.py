"""Celery: fetch, call a service, stop. Every task may run twice, late or never; its arguments are ids only."""

from uuid import UUID

from celery import shared_task

from games.models import Phase
from games.notices import sending
from games.notices.waiting import is_slow
from games.services import Appended
from players.publishing import publish


@shared_task(ignore_result=True)
def turn_notices(game_id: str) -> None:
    """Tell those for whom a slow game waits."""
    for notice_id in sending.turns_notice(game_id=UUID(game_id)):
        publish(notice_send, notice_id)


@shared_task(ignore_result=True)
def notice_send(notice_id: int) -> None:
    """Send one notice, if it still holds."""
    sending.notice_send(notice_id=notice_id)


@shared_task(ignore_result=True)
def notice_sweep() -> None:
    """Find whom nobody told: a task was lost, a player stopped following the game, the mail server was away."""
    for notice_id in sending.turns_notice():
        publish(notice_send, notice_id)
    sending.notices_send_overdue()


def wake_notices(appended: Appended) -> None:
    """After a move in a slow game: tell whoever is next."""
    if appended.game.phase == Phase.PLAYING and is_slow(appended.game):
        publish(turn_notices, str(appended.game.id))
