"""An audit: every game of a scope checked, one after the other. It may stop anywhere, and goes on from there."""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import IntegrityError, connection, transaction

from games.audit.check import Checked, game_check
from games.audit.scope import Scope, games_of
from games.models import AuditEntry, AuditKind, AuditRun
from games.services.freezing import game_freeze

logger = logging.getLogger(__name__)

PORTION: Final = 20
"""So many games are checked again at most when an audit was killed."""
MOST_FROZEN: Final = 50
"""One audit freezes no more games: so many at once speak for a fault of this program, and people must look."""
NIGHT_FROM: Final = timedelta(hours=3)
"""The night's audit begins at this time of the day, UTC."""
NIGHTLY_OLDEST: Final = 20_000
STILL_SECONDS: Final = 30
"""An audit of which nothing was heard for so long is at a standstill, and may be taken up by another process."""
_LOCK: Final = 7_241_012

FAULTS: Final = (ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What a fault of this program looks like: it is told, proves nothing, and does not keep the other games waiting."""

Told = Callable[[UUID, Checked], None]


class RunBusy(Exception):
    """Another process is at work on this audit."""


def run_begin(*, scope: Scope, night: date | None = None) -> AuditRun:
    """A new audit of the games that there are now. IntegrityError when the night has one."""
    now = datetime.now(UTC)
    settled = scope.settled(now=now)
    games = games_of(settled)
    last = games.order_by("-pk").values_list("pk", flat=True).first()
    return AuditRun.objects.create(
        night=night, scope=settled, started_at=now, seen_at=now, last=last, games=games.count() if last else 0
    )


def run_unfinished(*, scope: Scope) -> AuditRun | None:
    """The newest audit of just this scope that was begun and not finished."""
    asked = scope.asked()
    for run in AuditRun.objects.filter(night=None, finished_at=None).order_by("-id")[:100]:
        if {name: run.scope.get(name) for name in asked} == asked:
            return run
    return None


def run_go_on(*, run_id: int, seconds: float | None = None, told: Told | None = None) -> AuditRun:
    """Check the games that are left, for so long at most; ``finished_at`` says whether that was all.

    ``told`` hears of each game. RunBusy when another process is at it; what the database raises stops the audit,
    which then goes on from its last portion.
    """
    stop_at = None if seconds is None else time.monotonic() + seconds
    with _alone(run_id):
        run = AuditRun.objects.get(pk=run_id)
        while run.finished_at is None:
            games = _portion(run)
            if not games:
                _finish(run)
                break
            if not _through(run, games, stop_at, told):
                break
    return run


def night_due() -> int | None:
    """The night's audit, if it is time for it and nobody is at work on it: it is begun, or stands still."""
    now = datetime.now(UTC)
    night = (now - NIGHT_FROM).date()
    run = AuditRun.objects.filter(night=night).first()
    if run is None:
        try:
            with transaction.atomic():
                return run_begin(scope=Scope(oldest=NIGHTLY_OLDEST), night=night).pk
        except IntegrityError:  # another process has just begun it
            return None
    still = run.finished_at is None and now - run.seen_at > timedelta(seconds=STILL_SECONDS)
    return run.pk if still else None


def _portion(run: AuditRun) -> list[UUID]:
    if run.last is None:
        return []
    games = games_of(run.scope).filter(pk__lte=run.last)
    if run.cursor is not None:
        games = games.filter(pk__gt=run.cursor)
    return list(games.values_list("pk", flat=True)[:PORTION])


def _through(run: AuditRun, games: list[UUID], stop_at: float | None, told: Told | None) -> bool:
    """Check these games and note how far it came; False when the time was up."""
    done: list[Checked] = []
    for game_id in games:
        done.append(_checked(run, game_id, told))
        if stop_at is not None and time.monotonic() >= stop_at:
            break
    _save(run, games[len(done) - 1], done)
    return stop_at is None or time.monotonic() < stop_at


def _checked(run: AuditRun, game_id: UUID, told: Told | None) -> Checked:
    try:
        checked = game_check(game_id=game_id, freeze=False)
    except FAULTS as error:
        logger.exception("game %s could not be checked", game_id)
        what = f"it could not be checked: {type(error).__name__}"
        checked = Checked(False, what, 0, datetime.now(UTC), unjudged=True)
    if checked.problem is not None and not checked.unjudged:
        _freeze(run, game_id, checked.problem)
    if told is not None:
        told(game_id, checked)
    return checked


def _freeze(run: AuditRun, game_id: UUID, problem: str) -> None:
    frozen = AuditEntry.objects.filter(kind=AuditKind.FROZEN, at__gte=run.started_at).count()
    if frozen >= MOST_FROZEN:
        logger.error("game %s does not verify; it is not frozen, as %s games were in this audit", game_id, frozen)
    elif game_freeze(game_id=game_id, reason=problem):
        logger.error("game %s does not verify and is frozen: %s", game_id, problem)


def _save(run: AuditRun, cursor: UUID, done: list[Checked]) -> None:
    run.cursor, run.seen_at = cursor, datetime.now(UTC)
    run.checked += len(done)
    run.failed += sum(not checked.ok for checked in done)
    run.differing += sum(bool(checked.differing) for checked in done)
    run.save(update_fields=["cursor", "seen_at", "checked", "failed", "differing"])


def _finish(run: AuditRun) -> None:
    run.seen_at = run.finished_at = datetime.now(UTC)
    run.save(update_fields=["seen_at", "finished_at"])


@contextmanager
def _alone(run_id: int) -> Iterator[None]:
    """The lock belongs to the connection: the database lets go of it when the process dies."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [_LOCK, run_id])
        if not cursor.fetchone()[0]:
            raise RunBusy
    try:
        yield
    finally:
        if connection.connection is not None and not connection.connection.closed:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [_LOCK, run_id])
