"""Mails: written into a table in the transaction that they tell of, sent by a task, tried again for a day."""

import logging
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from smtplib import SMTPAuthenticationError, SMTPRecipientsRefused, SMTPResponseException
from typing import Final
from uuid import UUID

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction

from players.models import Mail

logger = logging.getLogger(__name__)

FIRST_PAUSE: Final = timedelta(seconds=30)
LONGEST_PAUSE: Final = timedelta(hours=1)
KEPT: Final = timedelta(hours=24)
"""A mail that could not leave for so long is dropped: what it tells is out of date."""
PERMANENT: Final = 500
"""From this on an SMTP code means: never."""
CLAIMED: Final = timedelta(seconds=60)
MOST_AT_ONCE: Final = 50


class OutboxBackend(BaseEmailBackend):
    """Django's way to send a mail. It waits in the table until the transaction is committed, then a task takes it."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Put the mails into the table, one for each recipient; how many messages.

        Plain text alone: ValueError for a mail with more, which would be lost here.
        """
        if any(message.attachments or getattr(message, "alternatives", None) for message in email_messages):
            raise ValueError("mails are plain text: no attachment, no other form")
        from players.tasks import wake_mail  # noqa: PLC0415  (tasks call services, which send mails)

        now = datetime.now(UTC)
        mails = Mail.objects.bulk_create(
            Mail(
                to=to, subject=str(message.subject), body=str(message.body), headers=message.extra_headers, next_at=now
            )
            for message in email_messages
            for to in message.recipients()
        )
        for mail in mails:
            transaction.on_commit(partial(wake_mail, mail.pk))
        return len(email_messages)


def mails_claim() -> tuple[UUID, ...]:
    """The mails that should have left by now, oldest first, some at a time; none of them again for a minute."""
    now = datetime.now(UTC)
    with transaction.atomic():
        due = Mail.objects.select_for_update(skip_locked=True).filter(next_at__lte=now).order_by("next_at")
        found = tuple(due.values_list("pk", flat=True)[:MOST_AT_ONCE])
        Mail.objects.filter(pk__in=found).update(next_at=now + CLAIMED)
    return found


def mail_deliver(*, mail_id: UUID) -> bool:
    """Send the mail, if it still waits and nobody else is sending it; whether it left.

    Death between sending and forgetting sends it a second time, under the same Message-ID.
    """
    with transaction.atomic():
        mail = Mail.objects.select_for_update(skip_locked=True).filter(pk=mail_id).first()
        if mail is None:
            return False
        try:
            _send(mail)
        except Exception as error:  # noqa: BLE001  # whatever ails the mail server: it is tried again
            _put_off(mail, error)
            return False
        mail.delete()
        return True


def _send(mail: Mail) -> None:
    domain = settings.DEFAULT_FROM_EMAIL.rpartition("@")[2].rstrip(">")
    headers = {"Message-ID": f"<{mail.pk.hex}@{domain}>", "Auto-Submitted": "auto-generated", **mail.headers}
    way = get_connection(**settings.TAKI_MAIL_WAY)
    EmailMessage(
        mail.subject, mail.body, settings.DEFAULT_FROM_EMAIL, [mail.to], headers=headers, connection=way
    ).send()


def _put_off(mail: Mail, error: Exception) -> None:
    """Try again later, or give the mail up. The log names no address."""
    now = datetime.now(UTC)
    if _for_good(error) or mail.created_at < now - KEPT:
        logger.error("mail %s was given up after %s tries: %s", mail.pk, mail.tries + 1, type(error).__name__)
        mail.delete()
        return
    logger.warning("mail %s did not leave (%s); it is tried again", mail.pk, type(error).__name__)
    mail.tries += 1
    mail.next_at = now + min(FIRST_PAUSE * 2 ** min(mail.tries - 1, 10), LONGEST_PAUSE)
    mail.save(update_fields=["tries", "next_at"])


def _for_good(error: Exception) -> bool:
    """The mail server has said that it will never take this mail: no such mailbox, say."""
    refused = next(iter(error.recipients.values()))[0] if isinstance(error, SMTPRecipientsRefused) else None
    code = error.smtp_code if isinstance(error, SMTPResponseException) else refused
    return isinstance(code, int) and code >= PERMANENT and not isinstance(error, SMTPAuthenticationError)
