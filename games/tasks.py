"""Celery: fetch, call a service, stop. Every task may run twice, late or never; its arguments are ids only."""

from typing import Final
from uuid import UUID

from celery import shared_task

from games import services
from games.audit import runs
from games.figures.services import figures_catch_up
from games.services import Appended
from games.services.audit_log import entries_expire
from players.publishing import BROKER_REST_SECONDS, broker, publish

AUDIT_SECONDS: Final = 2.0
FIGURES_SECONDS: Final = 5.0


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


@shared_task(ignore_result=True)
def audit_sweep() -> None:
    """Begin the night's audit when it is time, or take it up where it stands still; forget what has expired."""
    entries_expire()
    run_id = runs.night_due()
    if run_id is not None:
        publish(audit_slice, run_id)


@shared_task(ignore_result=True)
def audit_slice(run_id: int) -> None:
    """Go on with an audit for a moment, and have another go on after it, so that moves need not wait for it."""
    try:
        run = runs.run_go_on(run_id=run_id, seconds=AUDIT_SECONDS)
    except runs.RunBusy:
        return
    if run.finished_at is None:
        publish(audit_slice, run_id)


@shared_task(ignore_result=True)
def figures_sweep() -> None:
    """Count the games that have ended since, for a moment; the next sweep goes on where this one stops."""
    figures_catch_up(seconds=FIGURES_SECONDS)


def wake_bot(appended: Appended) -> None:
    """After a move: wake the bot that is to move next, if there is one."""
    if services.bot_awaited(appended):
        publish(bot_move, str(appended.game.id), appended.game.version)


__all__ = [
    "BROKER_REST_SECONDS",
    "audit_slice",
    "audit_sweep",
    "bot_move",
    "broker",
    "clock_sweep",
    "figures_sweep",
    "publish",
    "wake_bot",
]
