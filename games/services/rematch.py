"""Once more with the same people: one rematch for each game, whoever asks for it and however often."""

from dataclasses import fields
from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from games.errors import GameNotFound, Kicked, NotSeated, WrongPhase
from games.invitations import rotated, was_kicked
from games.models import FirstPlayer, Game, Phase, Visibility, WhenAway
from games.models import Seat as SeatRow
from games.rules.cards import Seat
from games.rules.ruleset import Ruleset
from games.services.lobby import new_table
from games.services.seating import (
    free_seat,
    hold,
    lock_game,
    require_entropy,
    require_host_of_its_own,
    require_lobby,
    require_room,
    rows,
    save_lobby,
    sit,
)
from games.services.settings import GameSettings
from players.models import Player


class Rematch(NamedTuple):
    """The rematch of a game, and whether it was made just now."""

    game: Game
    created: bool


def game_rematch(*, game_id: UUID, player: Player, entropy: bytes = b"") -> Rematch:
    """Sit down at the rematch of a game that is over, which is made if it is not there; who sits there stays.

    It has the settings and the built-in bots of the game; everybody is offered the seat after the one of before.
    GameNotFound, NotSeated (who did not sit there), NoHost, WrongPhase (not_started, not_finished; of the rematch:
    already_started, finished, game_full), Kicked, TooManyOpenGames.
    """
    require_entropy(entropy)
    with transaction.atomic():
        hold(player)
        over = lock_game(game_id)
        seat = _seat_before(over, player)
        _require_over(over)
        found = _rematch_of(over)
        if found is None:
            require_room(player)
            return Rematch(_made(over, player, seat, entropy), created=True)
        return Rematch(_joined(found, player, seat, entropy), created=False)


def settings_of(game: Game) -> GameSettings:
    """What the table was created with."""
    plain = {field.name: getattr(game, field.name) for field in fields(GameSettings)}
    return GameSettings(
        **{
            **plain,
            "house_rules": Ruleset.from_mapping(game.house_rules),
            "visibility": Visibility(game.visibility),
            "when_away": WhenAway(game.when_away),
            "first_player": FirstPlayer(game.first_player),
        }
    )


def _seat_before(over: Game, player: Player) -> Seat:
    row = rows(over).filter(player_id=player.pk).first()
    if row is None:
        hidden = over.visibility == Visibility.PRIVATE and not player.is_staff
        raise GameNotFound(over.pk) if hidden else NotSeated
    return rotated(over, row.seat)


def _require_over(game: Game) -> None:
    require_host_of_its_own(game)
    if game.phase in (Phase.LOBBY, Phase.PLAYING):
        raise WrongPhase("not_finished", game.phase)
    if not game.version:
        raise WrongPhase("not_started", game.phase)  # given up in the lobby


def _rematch_of(over: Game) -> Game | None:
    """The rematch, locked; one that came to nothing in its lobby is none."""
    real = Game.objects.select_for_update().filter(~Q(phase=Phase.ABORTED, version=0), rematch_of=over)
    return real.order_by("-id").first()


def _made(over: Game, player: Player, seat: Seat, entropy: bytes) -> Game:
    game = new_table(settings_of(over), rematch_of=over)
    before = list(rows(over))
    for row in before:
        if row.bot:
            sit(game, rotated(over, row.seat), bot=row.bot)
    sit(game, seat, player=player, entropy=entropy)
    game.host_seat = seat
    save_lobby(game, *(row.player_id for row in before))
    return game


def _joined(game: Game, player: Player, offered: Seat, entropy: bytes) -> Game:
    taken: dict[int, SeatRow] = {row.seat: row for row in rows(game)}
    if any(row.player_id == player.pk for row in taken.values()):
        return game
    require_lobby(game)
    if was_kicked(game=game, player_id=player.pk):
        raise Kicked
    require_room(player)
    sit(game, free_seat(game, taken, None if offered in taken else offered), player=player, entropy=entropy)
    save_lobby(game)
    return game
