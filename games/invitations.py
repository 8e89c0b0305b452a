"""Who is invited to a rematch, and who was taken off a table. Only reads.

A rematch in its lobby invites everybody who sat in the game before and has not been kicked; nothing is stored of it.
"""

from typing import Final
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet

from games.models import Game, GameNotice, Phase
from games.models import Seat as SeatRow
from games.rules.cards import Seat
from players.models import Player

KICKED: Final = "kicked"
"""The kind of the notice that is left when a player is taken off a table."""


def rotated(game: Game, seat: int) -> Seat:
    """The seat in a rematch of the game for whoever sat here: one further, so that everybody's neighbours stay."""
    return Seat((seat + 1) % game.seats)


def offered_seat(*, game: Game, player_id: UUID) -> Seat | None:
    """The seat that the lobby of a rematch offers to a player; None for who is not invited."""
    if game.rematch_of_id is None or game.phase != Phase.LOBBY:
        return None
    before = SeatRow.objects.filter(game_id=game.rematch_of_id, until_version=None, player_id=player_id)
    seat = before.values_list("seat", flat=True).first()
    return None if seat is None or was_kicked(game=game, player_id=player_id) else rotated(game, seat)


def was_kicked(*, game: Game, player_id: UUID) -> bool:
    """The player was taken off this table by its host."""
    return GameNotice.objects.filter(game_id=game.pk, player_id=player_id, kind=KICKED).exists()


def invitations_of(player: Player) -> QuerySet[Game]:
    """The lobbies of rematches that wait for the player, the newest first."""
    now = SeatRow.objects.filter(until_version=None, player_id=player.pk)
    kicked = GameNotice.objects.filter(game_id=OuterRef("pk"), player_id=player.pk, kind=KICKED)
    return Game.objects.filter(
        Exists(now.filter(game_id=OuterRef("rematch_of_id"))),
        ~Exists(now.filter(game_id=OuterRef("pk"))),
        ~Exists(kicked),
        phase=Phase.LOBBY,
        rematch_of__isnull=False,
    ).order_by("-id")
