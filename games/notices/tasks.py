"""Celery: fetch, call a service, stop. Every task may run twice, late or never; its arguments are ids only."""

from celery import shared_task

from games.notices import sending
from players.publishing import publish


@shared_task(ignore_result=True)
def notice_send(notice_id: int) -> None:
    """Send one notice, if it still holds."""
    sending.notice_send(notice_id=notice_id)


@shared_task(ignore_result=True)
def notice_sweep() -> None:
    """Tell those for whom slow games wait, and send what the mail server did not take.

    No move wakes it: who moved a moment ago is not written to anyway, and a task for each move cost a third of them.
    """
    for notice_id in sending.turns_notice():
        publish(notice_send, notice_id)
    sending.notices_send_overdue()
