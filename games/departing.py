"""A player who goes for good: what becomes of its seats, and what it may take along of them."""

from collections.abc import Iterator
from typing import Final

from django.db.models import F, QuerySet

from games.errors import GameError
from games.models import GameNotice, Phase
from games.models import Seat as SeatRow
from games.services import game_leave
from players.models import Player

_AT_ONCE: Final = 500


def lobbies_leave(player: Player) -> None:
    """Get up from every table that has not started: an empty lobby seat that nobody can take would stall it."""
    for game_id in _lobbies(player).values_list("game_id", flat=True):
        try:
            game_leave(game_id=game_id, player=player)
        except GameError:
            continue  # it has just started, or the player has just left; whether any is left is asked again


def in_a_lobby(player: Player) -> bool:
    """The player sits at a table that has not started, and could leave it."""
    return _lobbies(player).exists()


def at_a_running_table(player: Player) -> bool:
    """The player sits at a running table, and has not left its game."""
    playing = SeatRow.objects.filter(player_id=player.pk, until_version=None, game__phase=Phase.PLAYING)
    return any(seat not in left for seat, left in playing.values_list("seat", "game__left"))


def seats_told(player: Player) -> Iterator[dict[str, object]]:
    """Every seat that the player had, of which game, from and until which version, with what was given to it."""
    rows = SeatRow.objects.filter(player_id=player.pk).select_related("game").order_by("game_id", "from_version")
    for row in rows.iterator(_AT_ONCE):
        yield {
            "game": str(row.game_id),
            "name": row.game.name or None,
            "phase": row.game.phase,
            "seat": row.seat,
            "from_version": row.from_version,
            "until_version": row.until_version,
            "entropy": bytes(row.entropy).hex() or None,
            "auto_accept": row.auto_accept,
            "created_at": row.game.created_at.isoformat(),
            "ended_at": row.game.ended_at.isoformat() if row.game.ended_at else None,
            "ranking": row.game.ranking,
        }


def notices_told(player: Player) -> Iterator[dict[str, object]]:
    """Every mail about a game that is kept as sent, or to be sent."""
    for notice in GameNotice.objects.filter(player_id=player.pk).order_by("id").iterator(_AT_ONCE):
        yield {
            "game": str(notice.game_id),
            "kind": notice.kind,
            "version": notice.version,
            "created_at": notice.created_at.isoformat(),
            "sent_at": notice.sent_at.isoformat() if notice.sent_at else None,
        }


def _lobbies(player: Player) -> QuerySet[SeatRow]:
    """Its seats in lobbies. Tables of tournaments have no host: they seat somebody else themselves."""
    sits = SeatRow.objects.filter(player_id=player.pk, until_version=None, game__phase=Phase.LOBBY)
    return sits.exclude(game__host_seat=None).order_by(F("game_id"))
