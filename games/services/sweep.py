"""What the clock finds each second: time that is up, and bots that should have moved."""

import logging
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import connection

from games.errors import ChainBroken, LogUnreadable
from games.hooks import Appended
from games.models import Game, Phase
from games.services.absence import seat_abandon, seats_abandoned
from games.services.freezing import game_freeze_broken
from games.services.play import game_credit, game_time_up, game_timeout
from games.services.watch import Watching, games_uncredited

logger = logging.getLogger(__name__)

MOST_A_SWEEP: Final = 200
BOT_WAKE_AGAIN: Final = timedelta(seconds=5)
"""A bot that was woken and still has not moved is woken again after this long."""


def clock_sweep() -> int:
    """Carry out the timeouts, and end the games, that are due; how many. Two sweeps at once share the work.

    Time that was lost while nobody swept is credited first. One game's fault is logged and does not keep the
    others waiting.
    """
    watching = Watching()
    watching.keep()
    done = 0
    for act, which in _due():
        done += _carried_out(act, **which)
        watching.keep()
    return done


def _due() -> Iterator[tuple[Callable[..., Appended | None], dict[str, object]]]:
    """Every act that is due now; each kind is looked up when its turn comes."""
    for game_id in games_uncredited(MOST_A_SWEEP):
        yield game_credit, {"game_id": game_id}
    now = datetime.now(UTC)
    playing = Game.objects.filter(phase=Phase.PLAYING, frozen_at=None)
    overdue = playing.filter(deadline__lte=now).order_by("deadline").values_list("pk", "version")
    for game_id, version in overdue[:MOST_A_SWEEP]:
        yield game_timeout, {"game_id": game_id, "version": version}
    for game_id in playing.filter(stop_at__lte=now).order_by("stop_at").values_list("pk", flat=True)[:MOST_A_SWEEP]:
        yield game_time_up, {"game_id": game_id}
    for game_id, seat in seats_abandoned():
        yield seat_abandon, {"game_id": game_id, "seat": seat}


def bots_claim() -> tuple[tuple[UUID, int], ...]:
    """The games, each with its version, whose bot the caller is now to wake. No two callers get the same."""
    now = datetime.now(UTC)
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM, (now, Phase.PLAYING, now, now - BOT_WAKE_AGAIN, MOST_A_SWEEP))
        return tuple((game_id, version) for game_id, version in cursor)


def _carried_out(act: Callable[..., Appended | None], **which: object) -> bool:
    try:
        return act(**which) is not None
    except ChainBroken as broken:
        game_freeze_broken(broken=broken)  # or it would be found again twice a second
        return False
    except LogUnreadable as unreadable:
        logger.warning("the log of game %s cannot be read at version %s", unreadable.game_id, unreadable.version)
        return False
    except Exception:
        logger.exception("the clock could not act on %s", which)
        return False


_CLAIM: Final = """
    UPDATE games_game SET bot_sent_at = %s
    WHERE id IN (
        SELECT id FROM games_game
        WHERE phase = %s AND frozen_at IS NULL AND bot_due_at <= %s
            AND (bot_sent_at IS NULL OR bot_sent_at < bot_due_at OR bot_sent_at < %s)
        ORDER BY bot_due_at LIMIT %s
        FOR UPDATE SKIP LOCKED
    )
    RETURNING id, version
"""
