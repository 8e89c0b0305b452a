"""The table before the game: create, join, leave, seat bots. The lobby belongs to its host."""

import secrets
from collections.abc import Sequence
from typing import Final
from uuid import UUID

from django.db import transaction

from games import chain
from games.bots.registry import LEVELS
from games.errors import InviteCodeWrong, Kicked, NoSuchLevel, WrongPhase
from games.invitations import KICKED, offered_seat, was_kicked
from games.models import Game, GameNotice, GameSecret, Visibility
from games.rules.cards import Seat
from games.services.seating import (
    free_seat,
    lock_as_host,
    lock_game,
    lock_lobby,
    pass_host,
    require_entropy,
    require_host_of_its_own,
    require_lobby,
    require_room,
    rise,
    row_of,
    rows,
    same_code,
    save_lobby,
    seat_at,
    sit,
)
from games.services.settings import GameSettings
from players.models import Player

HOST_SEAT: Final = Seat(0)
CODE_LENGTH: Final = 8
_CODE_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none that is read as another


def game_create(*, host: Player, settings: GameSettings, entropy: bytes = b"") -> Game:
    """A new table in the lobby with its host on seat 0, its commitment published. TooManyOpenGames."""
    require_entropy(entropy)
    with transaction.atomic():
        require_room(host)
        game = new_table(settings)
        sit(game, HOST_SEAT, player=host, entropy=entropy)
        game.host_seat = HOST_SEAT
        save_lobby(game)
    return game


def game_open(*, settings: GameSettings, seating: Sequence[Player | str]) -> Game:
    """A new table without a host (a tournament's), every seat given to a player or to a bot of a level.

    Nobody joins or leaves it; the server starts it. NoSuchLevel; ValueError unless there is one for each seat.
    """
    if len(seating) != settings.seats:
        raise ValueError(f"{settings.seats} seats, {len(seating)} to sit on them")
    with transaction.atomic():
        game = new_table(settings)
        for seat, whom in enumerate(seating):
            if isinstance(whom, Player):
                sit(game, Seat(seat), player=whom)
            else:
                sit(game, Seat(seat), bot=level_named(whom))
        save_lobby(game)
    return game


def game_join(
    *,
    game_id: UUID,
    player: Player,
    seat: Seat | None = None,
    invite_code: str | None = None,
    entropy: bytes = b"",
) -> Game:
    """Sit down, on the first free seat if none is named; who is invited needs no code, and has a seat offered.

    GameNotFound, InviteCodeWrong, WrongPhase (already_started, already_seated, game_full, seat_taken), Kicked,
    NoHost (a table without a host is not joined), NoSuchSeat, TooManyOpenGames.
    """
    require_entropy(entropy)
    with transaction.atomic():
        require_room(player)
        game = lock_game(game_id)
        taken = {row.seat: row for row in rows(game)}
        seated = any(row.player_id == player.id for row in taken.values())
        offered = offered_seat(game=game, player_id=player.pk)
        # First of all: whoever has no code is told nothing of the table, its phase neither.
        invited = seated or offered is not None or game.visibility == Visibility.PUBLIC
        if not invited and not same_code(invite_code, game.invite_code):
            raise InviteCodeWrong
        require_host_of_its_own(game)
        require_lobby(game)
        if seated:
            raise WrongPhase("already_seated", game.phase)
        if was_kicked(game=game, player_id=player.pk):
            raise Kicked
        wanted = offered if seat is None and offered not in taken else seat
        sit(game, free_seat(game, taken, wanted), player=player, entropy=entropy)
        save_lobby(game)
    return game


def game_leave(*, game_id: UUID, player: Player) -> Game:
    """Leave the lobby. If the host leaves, the next seated player is host; after the last one the table is aborted.

    GameNotFound, WrongPhase (already_started), NotSeated. Leaving a running game is a command (rule Z4).
    """
    with transaction.atomic():
        game = lock_lobby(game_id)
        row = row_of(game, player)
        seat = Seat(row.seat)
        rise(game, row)
        if seat == game.host_seat:
            pass_host(game, seat)
        save_lobby(game, player.pk)
    return game


def game_seat_bot(*, game_id: UUID, actor: Player, seat: Seat, level: str) -> Game:
    """Put a built-in bot of a level on a free seat, or give the bot there another level.

    GameNotFound, WrongPhase (already_started, seat_taken), NotHost, NoSuchLevel, NoSuchSeat.
    """
    level_named(level)
    with transaction.atomic():
        game = lock_as_host(game_id, actor)
        row = rows(game).filter(seat=seat_at(game, seat)).first()
        if row is not None and not row.bot:
            raise WrongPhase("seat_taken", game.phase)
        if row is not None:
            rise(game, row)
        sit(game, seat, bot=level)
        save_lobby(game)
    return game


def game_kick(*, game_id: UUID, actor: Player, seat: Seat) -> Game:
    """Take whoever sits there off the seat, bot or player. A player does not sit down at this table again.

    GameNotFound, WrongPhase (already_started; seat_free: nobody sits there; host_seat: the host's own), NotHost,
    NoSuchSeat.
    """
    with transaction.atomic():
        game = lock_as_host(game_id, actor)
        row = rows(game).filter(seat=seat_at(game, seat)).first()
        if row is None:
            raise WrongPhase("seat_free", game.phase)
        if seat == game.host_seat:
            raise WrongPhase("host_seat", game.phase)
        rise(game, row)
        if row.player_id is not None:
            GameNotice.objects.get_or_create(game=game, player_id=row.player_id, kind=KICKED, version=0)
        save_lobby(game, row.player_id)
    return game


def level_named(level: str) -> str:
    """The level, if there is a bot of it. NoSuchLevel."""
    if level not in LEVELS:
        raise NoSuchLevel(tuple(LEVELS))
    return level


def new_table(settings: GameSettings, *, rematch_of: Game | None = None) -> Game:
    """An empty table with its secret, in the caller's transaction."""
    server_seed = secrets.token_bytes(chain.SEED_BYTES)
    game = _new_game(settings, server_seed)
    game.rematch_of = rematch_of
    game.save(force_insert=True)
    GameSecret.objects.create(game=game, server_seed=server_seed)
    return game


def _new_game(settings: GameSettings, server_seed: bytes) -> Game:
    game = Game(
        name=settings.name,
        visibility=settings.visibility,
        house_rules=settings.house_rules.chosen(),
        seats=settings.seats,
        seats_free=settings.seats,
        turn_seconds=settings.turn_seconds,
        bank_seconds=settings.bank_seconds,
        increment_seconds=settings.increment_seconds,
        reaction_seconds=settings.reaction_seconds,
        game_minutes=settings.game_minutes,
        when_away=settings.when_away,
        first_player=settings.first_player,
        commitment=chain.commitment(server_seed).hex(),
    )
    game.head_hash = chain.genesis(game.id)
    if settings.visibility == Visibility.PRIVATE:
        game.invite_code = "".join(secrets.choice(_CODE_LETTERS) for _ in range(CODE_LENGTH))
    return game
