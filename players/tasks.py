"""Celery: fetch, call a service, stop. Every task may run twice, late or never; its arguments are ids only."""

from uuid import UUID

from celery import shared_task

from players.mail import mail_deliver, mails_claim
from players.publishing import publish
from players.services import leftovers_forget


@shared_task(ignore_result=True)
def mail_send(mail_id: str) -> None:
    """Send one mail."""
    mail_deliver(mail_id=UUID(mail_id))


@shared_task(ignore_result=True)
def mail_sweep() -> None:
    """Wake what should have left by now: a mail server or the broker was away, or a worker died."""
    for mail_id in mails_claim():
        if not wake_mail(mail_id):
            return


@shared_task(ignore_result=True)
def leftovers_sweep() -> None:
    """Take away what is over: sessions, tokens, kept answers."""
    leftovers_forget()


def wake_mail(mail_id: UUID) -> bool:
    """Let a worker send the mail; False when the broker is away, and the sweep will find it."""
    return publish(mail_send, str(mail_id))
