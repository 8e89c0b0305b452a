"""Freezing a game whose log does not verify, and letting it go on."""

import logging
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from django.db import transaction

from games import clock, store
from games.chain import private_uuid
from games.clock import milliseconds
from games.errors import ChainBroken
from games.models import AuditEntry, AuditKind, Game, Phase
from games.services.actors import SystemActor, request_digest
from games.services.appending import CommandKey, commit_events, time_now
from games.services.seating import lock_game, tell_seated
from games.store import Locked, NewEvent
from players.models import Player

logger = logging.getLogger(__name__)

MOST_REASON: Final = 200
CLOCK: Final = SystemActor("clock")


def game_freeze(*, game_id: UUID, reason: str) -> bool:
    """Add nothing more to the game from now on, and say why; whether it was this call that froze it. GameNotFound.

    Every act on a frozen game is WrongPhase (frozen), and its clocks and bots rest.
    """
    with transaction.atomic():
        game = lock_game(game_id)
        if game.frozen_at is not None:
            return False
        game.frozen_at = datetime.now(UTC)
        game.frozen_reason = reason[:MOST_REASON]
        _save(game)
        _enter(game, AuditKind.FROZEN, game.frozen_reason, None)
        return True


def game_freeze_broken(*, broken: ChainBroken) -> None:
    """Freeze a game whose log was found, under its lock, not to lead to its head; to be called outside of that."""
    logger.error("game %s is frozen: its log is broken at version %s", broken.game_id, broken.version)
    game_freeze(game_id=broken.game_id, reason=f"version {broken.version}: the log does not lead to the noted head")


def game_unfreeze(*, game_id: UUID, actor: Player, reason: str) -> Game:
    """Let the game go on; its running clock gets back the time that it was frozen. One that is not frozen stays so.

    GameNotFound; ChainBroken for a running game whose log still does not hold; ValueError without a reason.
    """
    if not reason.strip():
        raise ValueError("a reason is needed")
    with transaction.atomic():
        game = lock_game(game_id)
        if game.frozen_at is None:
            return game
        since = milliseconds(game.frozen_at)
        game.frozen_at, game.frozen_reason = None, ""
        _save(game)
        _enter(game, AuditKind.UNFROZEN, reason.strip(), actor)
        return _credited(store.lock(game_id=game_id), since) if game.phase == Phase.PLAYING else game


def _save(game: Game) -> None:
    game.lobby_revision += 1
    game.save(update_fields=["frozen_at", "frozen_reason", "lobby_revision"])
    tell_seated(game)


def _enter(game: Game, kind: AuditKind, reason: str, actor: Player | None) -> None:
    AuditEntry.objects.create(
        game=game, at=datetime.now(UTC), kind=kind, version=game.version, reason=reason[:500], player=actor
    )


def _credited(locked: Locked, since: int) -> Game:
    """Whatever else was lost meanwhile is part of it: an event credits all time up to itself."""
    counted = clock.lost_from(locked.table.folded.clock, store.limits_of(locked.game))
    if counted is None:
        return locked.game
    now = time_now(locked)
    credited = clock.credit_for(max(now - max(since, counted), store.lost_ms(locked)))
    if credited is None:
        return locked.game
    purpose = f"unfreeze/{locked.game.version}"
    key = CommandKey(private_uuid(locked.table.server_seed, purpose), request_digest(CLOCK, purpose.encode("ascii")))
    events = (NewEvent(credited, CLOCK.name),)
    return commit_events(locked=locked, events=events, state=locked.table.folded.state, key=key, now=now).game
