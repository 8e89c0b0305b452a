"""Seats and their rows: what the lobby's acts are made of. Each needs the game's lock."""

import hmac
from collections.abc import Collection
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from games import hooks
from games.chain import MOST_ENTROPY_BYTES
from games.errors import GameNotFound, NoHost, NoSuchSeat, NotHost, NotSeated, TooManyOpenGames, WrongPhase
from games.invitations import offered_seat
from games.models import Game, Phase, Visibility
from games.models import Seat as SeatRow
from games.rules.cards import Seat
from players.models import Player

OPEN_GAMES: Final = 20
OPEN_GAMES_OF_A_GUEST: Final = 3


def lock_game(game_id: UUID) -> Game:
    """The game, its row locked until the end of the transaction. GameNotFound."""
    game = Game.objects.select_for_update().filter(pk=game_id).first()
    if game is None:
        raise GameNotFound(game_id)
    return game


def lock_lobby(game_id: UUID) -> Game:
    """The game, locked, and still in the lobby. GameNotFound, WrongPhase; NoHost for a table without a host."""
    game = lock_game(game_id)
    require_lobby(game)
    return game


def require_host_of_its_own(game: Game) -> None:
    """NoHost for a tournament's table that has begun: nobody joins it or plays it again, whatever its phase."""
    if game.host_seat is None and game.version:
        raise NoHost


def require_lobby(game: Game) -> None:
    """WrongPhase unless the game is in the lobby; NoHost for a table without a host."""
    _require_lobby(game)
    if game.host_seat is None:
        raise NoHost


def lock_as_host(game_id: UUID, actor: Player) -> Game:
    """The game, locked, in the lobby, and the actor its host. GameNotFound, NotHost, WrongPhase."""
    game = lock_game(game_id)
    require_host(game, actor)
    _require_lobby(game)
    return game


def _require_lobby(game: Game) -> None:
    if game.phase != Phase.LOBBY:
        raise WrongPhase("already_started" if game.version else "finished", game.phase)


def require_host(game: Game, actor: Player) -> None:
    """NotHost unless the actor is the host, NoHost without one; GameNotFound for a stranger to a private game."""
    row = rows(game).filter(player_id=actor.id).first()
    if row is None and _hidden(game, actor):
        raise GameNotFound(game.id)
    if game.host_seat is None:
        raise NoHost
    if row is None or row.seat != game.host_seat:
        raise NotHost


def rows(game: Game) -> QuerySet[SeatRow]:
    """The rows of those who sit at the table now, by seat."""
    return SeatRow.objects.filter(game_id=game.id, until_version=None).order_by("seat")


def row_of(game: Game, player: Player) -> SeatRow:
    """The player's row. NotSeated; GameNotFound for a stranger to a private game."""
    row = rows(game).filter(player_id=player.id).first()
    if row is None:
        raise GameNotFound(game.id) if _hidden(game, player) else NotSeated
    return row


def _hidden(game: Game, player: Player) -> bool:
    """The player, who does not sit there, may not know of the game."""
    if game.visibility != Visibility.PRIVATE or player.is_staff:
        return False
    if offered_seat(game=game, player_id=player.pk) is not None:
        return False
    return not any(watches(game.pk, player) for watches in hooks.may_watch)


def sit(game: Game, seat: Seat, *, player: Player | None = None, bot: str = "", entropy: bytes = b"") -> None:
    """Put a player or a bot on a seat, which is free."""
    SeatRow.objects.create(game=game, seat=seat, player=player, bot=bot, entropy=entropy)
    game.seats_free -= 1


def rise(game: Game, row: SeatRow) -> None:
    """Take whoever sits there off the seat again, before the game."""
    row.delete()
    game.seats_free += 1


def pass_host(game: Game, seat: Seat) -> None:
    """Make the next player after ``seat`` host; without any the table is aborted."""
    players = [row.seat for row in rows(game).exclude(player=None)]
    if not players:
        game.host_seat = None
        game.phase = Phase.ABORTED
        return
    game.host_seat = min(players, key=lambda other: (other - seat) % game.seats)


def save_lobby(game: Game, *others: UUID | None) -> None:
    """Write the lobby's columns, count the change, and tell those who sit there and these others of it."""
    game.lobby_revision += 1
    game.seating_revision += 1
    game.save(update_fields=["host_seat", "seats_free", "phase", "abort_reason", "lobby_revision", "seating_revision"])
    tell_seated(game, *others)


def tell_seated(game: Game, *others: UUID | None) -> None:
    """Once this is committed, tell those who sit at the table now, and these others, that something has changed."""
    seated = rows(game).values_list("player_id", flat=True)
    concerned = tuple(player for player in {*seated, *others} if player is not None)
    transaction.on_commit(lambda: hooks.tell_lobby(game.pk, concerned))


def seat_at(game: Game, seat: Seat) -> Seat:
    """The seat, if the table has it. NoSuchSeat."""
    if not 0 <= seat < game.seats:
        raise NoSuchSeat(game.seats)
    return seat


def free_seat(game: Game, taken: Collection[int], wanted: Seat | None) -> Seat:
    """The wanted seat, or the first free one. NoSuchSeat, WrongPhase (game_full, seat_taken)."""
    if wanted is not None and seat_at(game, wanted) in taken:
        raise WrongPhase("seat_taken", game.phase)
    free = [Seat(seat) for seat in range(game.seats) if seat not in taken]
    if not free:
        raise WrongPhase("game_full", game.phase)
    return free[0] if wanted is None else wanted


def hold(player: Player) -> None:
    """Lock the player's row; always before a game's, so that no two transactions wait for each other."""
    Player.objects.select_for_update(no_key=True).filter(pk=player.pk).first()


def require_room(player: Player) -> None:
    """TooManyOpenGames when the player sits at as many games as it may, frozen ones not counted. Locks its row."""
    hold(player)
    limit = max(1, int((OPEN_GAMES_OF_A_GUEST if player.guest else OPEN_GAMES) * settings.TAKI_THROTTLE_FACTOR))
    seats = SeatRow.objects.filter(
        player_id=player.pk, until_version=None, game__phase__in=(Phase.LOBBY, Phase.PLAYING), game__frozen_at=None
    )
    if sum(seat not in left for seat, left in seats.values_list("seat", "game__left")) >= limit:
        raise TooManyOpenGames(limit)


def require_entropy(entropy: bytes) -> None:
    """ValueError when it is longer than the chain's formula was promised for."""
    if len(entropy) > MOST_ENTROPY_BYTES:
        raise ValueError(f"entropy: at most {MOST_ENTROPY_BYTES} bytes")


def same_code(given: str | None, code: str) -> bool:
    """The invite code is right; how long the comparison takes tells nothing."""
    return given is not None and hmac.compare_digest(given.encode(), code.encode())
