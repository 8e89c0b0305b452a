"""Writing figures: each finished game once, whoever counts, however often. They can always be counted anew."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import fields
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import Q, QuerySet

from games import store
from games.errors import GameNotFound
from games.figures.counting import EDITION, Counted, count
from games.models import Game, GameFigures, Phase
from games.models import Seat as SeatRow

logger = logging.getLogger(__name__)

_COLUMNS: Final = ("edition", "ended_at", *(field.name for field in fields(Counted)))
BATCH: Final = 200


def figures_write(*, game_id: UUID) -> bool:
    """Count a finished game and write its figures, in place of older ones; False when its log cannot be counted.

    GameNotFound also for a game that is not finished. Twice at once both write the same.
    """
    game = Game.objects.filter(pk=game_id, phase=Phase.FINISHED).only("pk", "ended_at").first()
    if game is None or game.ended_at is None:
        raise GameNotFound(game_id)
    try:
        counted = count(store.log(game_id=game_id))
    except (ValueError, IndexError, KeyError) as unreadable:  # somebody changed the log: the audit's affair
        logger.warning("game %s cannot be counted: %s", game_id, unreadable)
        return False
    _write(game, game.ended_at, counted)
    return True


def figures_catch_up(
    *, most: int | None = None, seconds: float | None = None, told: Callable[[], Any] | None = None
) -> int:
    """Write the figures of finished games that have none of this edition, oldest first; how many were written.

    At most so many games, and no new one after so many seconds (each is at an end when it is written, so whoever
    is interrupted goes on where it stopped). ``told`` is called after each game.
    """
    until = None if seconds is None else time.monotonic() + seconds
    written, after = 0, None
    while found := _outstanding(after, BATCH):
        for game_id in found:
            if (most is not None and written >= most) or (until is not None and time.monotonic() > until):
                return written
            written += figures_write(game_id=game_id)
            if told is not None:
                told()
        after = found[-1]
    return written


def figures_forget() -> int:
    """Drop all figures, so that every game is counted anew; how many there were."""
    return GameFigures.objects.all().delete()[0]


def figures_outstanding() -> int:
    """How many finished games have no figures of this edition."""
    return _without_figures().count()


def _without_figures() -> QuerySet[Game]:
    old = Q(figures=None) | ~Q(figures__edition=EDITION)
    return Game.objects.filter(old, phase=Phase.FINISHED, ended_at__isnull=False, frozen_at=None)


def _outstanding(after: UUID | None, most: int) -> list[UUID]:
    games = _without_figures()
    if after is not None:
        games = games.filter(pk__gt=after)
    return list(games.order_by("pk").values_list("pk", flat=True)[:most])


def _write(game: Game, ended_at: datetime, counted: Counted) -> None:
    bots = SeatRow.objects.filter(game_id=game.pk, until_version=None).exclude(bot="").count()
    counted.people = counted.seats - bots
    values = {field.name: getattr(counted, field.name) for field in fields(counted)}
    row = GameFigures(game_id=game.pk, edition=EDITION, ended_at=ended_at, **values)
    GameFigures.objects.bulk_create(
        [row], update_conflicts=True, unique_fields=["game"], update_fields=[*_COLUMNS, "counted_at"]
    )
