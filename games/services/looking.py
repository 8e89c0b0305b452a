"""A look at the hidden hands of a running game: told in the audit log first, and only then given."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import transaction

from games import store
from games.errors import GameNotFound, WrongPhase
from games.models import AuditEntry, AuditKind, Game, Phase
from games.models import Seat as SeatRow
from games.rules.cards import Card
from players.models import Player

LOOK: Final = "games.look_at_hands"
LEAST_REASON: Final = 10
MOST_REASON: Final = 500


@dataclass(frozen=True, slots=True)
class Hands:
    """Every hand by seat, at a version. Neither the pile's order nor the seed is ever looked at."""

    game: Game
    version: int
    hands: tuple[tuple[Card, ...], ...]
    entry_id: int


def may_look(player: Player) -> bool:
    """Staff with the right to look at hidden hands."""
    return player.is_active and player.is_staff and player.has_perm(LOOK)


def hands_look(*, game_id: UUID, actor: Player, reason: str) -> Hands:
    """The hands of a running game, once the audit log has the look and its reason for good.

    PermissionDenied without the right, and for who sits, or ever sat, in this game; ValueError without a reason of
    some length; GameNotFound; WrongPhase (not_started, finished). RuntimeError inside another transaction, which
    could take the entry back.
    """
    reason = reason.strip()
    if not may_look(actor):
        raise PermissionDenied
    if not LEAST_REASON <= len(reason) <= MOST_REASON:
        raise ValueError(f"a reason of {LEAST_REASON} to {MOST_REASON} characters")
    with transaction.atomic(durable=True):
        entry = _enter(game_id, actor, reason)
    # Committed: only now are the hands read.
    game, table = store.load(game_id=game_id)
    return Hands(game, table.folded.version, table.folded.state.hands, entry.pk)


def has_looked(*, player: Player, games: Iterable[UUID]) -> bool:
    """Whether the player has looked at the hidden hands of one of these games, and so is nobody to be seated there."""
    return AuditEntry.objects.filter(kind=AuditKind.LOOKED, player=player, game_id__in=list(games)).exists()


def _enter(game_id: UUID, actor: Player, reason: str) -> AuditEntry:
    # Locked, so that nobody sits down while it is looked at who sits there.
    game = Game.objects.select_for_update().filter(pk=game_id).first()
    if game is None:
        raise GameNotFound(game_id)
    if game.phase != Phase.PLAYING:
        raise WrongPhase("finished" if game.version else "not_started", game.phase)
    if SeatRow.objects.filter(game_id=game_id, player_id=actor.pk).exists():
        raise PermissionDenied
    return AuditEntry.objects.create(
        game=game, at=datetime.now(UTC), kind=AuditKind.LOOKED, player=actor, version=game.version, reason=reason
    )
