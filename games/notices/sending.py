"""Writing notices down, and sending what still holds. Each may be called twice, late or by two at once.

A notice is written before it is sent, so that a mail server that is away costs no notice and no move; for a day it is
tried again.
"""

import logging
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from enum import Enum
from smtplib import SMTPRecipientsRefused, SMTPResponseException
from typing import Final
from uuid import UUID

from django.conf import settings
from django.core.mail import get_connection
from django.db import transaction

from games.models import GameNotice, Phase
from games.notices.kinds import AWAITED, TABLE, WORDS
from games.notices.waiting import awaited_at, players_awaited
from games.notices.writing import notice_mail
from games.selectors import seat_of
from games.streaming.presence import connected_seats
from players.models import Player
from players.selectors import mail_address

logger = logging.getLogger(__name__)

KEPT: Final = timedelta(hours=24)
"""What could not be sent for so long is not worth reading any more."""
OVERDUE: Final = timedelta(seconds=60)
"""A notice that has not left after this is found by the sweep."""
MOST_AT_ONCE: Final = 50
MOST_FAILURES: Final = 3
_PERMANENT: Final = 500


class Sent(Enum):
    """What became of a notice: ``DROPPED`` holds no longer; ``FAILED`` is tried again."""

    SENT = "sent"
    DROPPED = "dropped"
    FAILED = "failed"


def turns_notice(*, game_id: UUID | None = None) -> tuple[int, ...]:
    """Write down for whom a slow game waits, of one game or of all; the notices that are to be sent."""
    found: list[int] = []
    for awaited in players_awaited(game_id=game_id):
        found += players_notice(
            game_id=awaited.game_id, player_ids=(awaited.player_id,), kind=awaited.kind, version=awaited.version
        )
    return tuple(found)


def players_notice(*, game_id: UUID, player_ids: Iterable[UUID], kind: str, version: int = 0) -> tuple[int, ...]:
    """Write down a notice for those of the players who want mails, once for each; those that are to be sent."""
    wanting = Player.objects.filter(pk__in=tuple(player_ids), notify_by_email=True, is_active=True)
    chosen = tuple(wanting.values_list("pk", flat=True))
    if not chosen:
        return ()
    rows = [GameNotice(game_id=game_id, player_id=player, kind=kind, version=version) for player in chosen]
    GameNotice.objects.bulk_create(rows, ignore_conflicts=True)
    written = GameNotice.objects.filter(game_id=game_id, player_id__in=chosen, kind=kind, version=version, sent_at=None)
    return tuple(written.values_list("pk", flat=True))


def notice_send(*, notice_id: int) -> Sent:
    """Send the notice if it still holds; who is sent to twice gets the same Message-ID."""
    with transaction.atomic():
        rows = GameNotice.objects.select_for_update(skip_locked=True, of=("self",)).select_related("game", "player")
        notice = rows.filter(pk=notice_id, sent_at=None).first()
        if notice is None:
            return Sent.DROPPED
        address = mail_address(notice.player)
        if address is None or not _holds(notice):
            notice.delete()
            return Sent.DROPPED
        return _sent(notice, address)


def notices_overdue() -> tuple[int, ...]:
    """Some of the notices that should have been sent; in no order, so that none holds up the others for long."""
    unsent = GameNotice.objects.filter(sent_at=None, kind__in=tuple(WORDS), created_at__lt=_now() - OVERDUE)
    return tuple(unsent.order_by("?").values_list("pk", flat=True)[:MOST_AT_ONCE])


def notices_send_overdue() -> int:
    """Send what is overdue, until the mail server has failed a few times; how many left."""
    left = failures = 0
    for notice_id in notices_overdue():
        sent = notice_send(notice_id=notice_id)
        left += sent is Sent.SENT
        failures += sent is Sent.FAILED
        if failures >= MOST_FAILURES:
            break
    return left


def _holds(notice: GameNotice) -> bool:
    """The player still wants mails, and what the notice says is still so and not known to the player."""
    player, game = notice.player, notice.game
    if not player.is_active or not player.notify_by_email:
        return False
    if notice.kind in AWAITED:
        awaited = awaited_at(game_id=game.pk, player_id=player.pk)
        return awaited is not None and (awaited.kind, awaited.version) == (notice.kind, notice.version)
    if notice.kind == TABLE:
        seat = seat_of(game_id=game.pk, player=player)
        return game.phase == Phase.PLAYING and seat is not None and seat not in connected_seats(game_id=game.pk)
    return True


def _sent(notice: GameNotice, address: str) -> Sent:
    mail = notice_mail(notice, address)
    mail.connection = get_connection(**settings.TAKI_MAIL_WAY)
    try:
        mail.send()
    except Exception as error:  # noqa: BLE001  # whatever ails the mail server: it is tried again
        return _put_off(notice, error)
    notice.sent_at = _now()
    notice.save(update_fields=["sent_at"])
    return Sent.SENT


def _put_off(notice: GameNotice, error: Exception) -> Sent:
    """Leave it to the sweep, or give it up. The log names no address."""
    refused = isinstance(error, SMTPRecipientsRefused) or (
        isinstance(error, SMTPResponseException) and error.smtp_code >= _PERMANENT
    )
    if refused or notice.created_at < _now() - KEPT:
        logger.error("notice %s was given up: %s", notice.pk, type(error).__name__)
        notice.delete()
        return Sent.DROPPED
    logger.warning("notice %s did not leave (%s); it is tried again", notice.pk, type(error).__name__)
    return Sent.FAILED


def _now() -> datetime:
    return datetime.now(UTC)
