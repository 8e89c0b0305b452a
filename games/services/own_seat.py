"""What a player sets for its own seat: which one it is, its entropy, and what it does unasked."""

from typing import NamedTuple
from uuid import UUID

from django.db import transaction

from games.errors import GameNotFound, WrongPhase
from games.models import Game, Phase
from games.models import Seat as SeatRow
from games.rules.cards import Seat
from games.services.seating import free_seat, lock_game, require_entropy, require_lobby, row_of, rows, save_lobby
from players.models import Player


class OwnSeat(NamedTuple):
    """A player's seat as the player itself may know it, and the game."""

    game: Game
    seat: Seat
    auto_accept: bool
    entropy: bytes


def own_seat(*, game_id: UUID, player: Player) -> OwnSeat:
    """The player's seat as it is. GameNotFound, NotSeated."""
    game = Game.objects.filter(pk=game_id).first()
    if game is None:
        raise GameNotFound(game_id)
    return _told(game, row_of(game, player))


def _told(game: Game, row: SeatRow) -> OwnSeat:
    return OwnSeat(game, Seat(row.seat), row.auto_accept, bytes(row.entropy))


def seat_change(
    *,
    game_id: UUID,
    player: Player,
    seat: Seat | None = None,
    entropy: bytes | None = None,
    auto_accept: bool | None = None,
) -> OwnSeat:
    """Change what is named, all or nothing; in the lobby: move to a free seat, give other entropy.

    GameNotFound, NotSeated, NoSuchSeat, WrongPhase (seat_taken, already_started, finished), NoHost.
    """
    require_entropy(entropy or b"")
    with transaction.atomic():
        game = lock_game(game_id)
        row = row_of(game, player)
        told = _told(game, row)
        wanted = told._replace(
            seat=told.seat if seat is None else seat,
            entropy=told.entropy if entropy is None else entropy,
            auto_accept=told.auto_accept if auto_accept is None else auto_accept,
        )
        if (wanted.seat, wanted.entropy) != (told.seat, told.entropy):
            _settle(row, wanted)
        if auto_accept is not None:
            _accept_beforehand(told, wanted)
    return wanted


def seat_auto_accept(*, game_id: UUID, player: Player, auto_accept: bool) -> Game:
    """Whether the seat accepts every +3 window unasked, whatever it holds. Private to the player.

    GameNotFound, NotSeated, WrongPhase (finished).
    """
    return seat_change(game_id=game_id, player=player, auto_accept=auto_accept).game


def _settle(row: SeatRow, wanted: OwnSeat) -> None:
    """Another seat or other entropy: the seed hangs on both, so before the start only."""
    game = wanted.game
    require_lobby(game)
    own = rows(game).filter(seat=row.seat)
    if wanted.seat != row.seat:
        free_seat(game, set(rows(game).values_list("seat", flat=True)), wanted.seat)
    own.update(seat=wanted.seat, entropy=wanted.entropy)
    if game.host_seat == row.seat:
        game.host_seat = wanted.seat
    save_lobby(game)


def _accept_beforehand(told: OwnSeat, wanted: OwnSeat) -> None:
    game = wanted.game
    if game.phase in (Phase.FINISHED, Phase.ABORTED):
        raise WrongPhase("finished", game.phase)
    if told.auto_accept != wanted.auto_accept:
        rows(game).filter(seat=wanted.seat).update(auto_accept=wanted.auto_accept)
        game.seating_revision += 1
        game.save(update_fields=["seating_revision"])
