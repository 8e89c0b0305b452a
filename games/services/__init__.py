"""Acts on a game: each owns its transaction and takes keyword arguments only. Errors are those of `games.errors`."""

from games.hooks import Appended
from games.services.absence import seat_abandon, seat_return
from games.services.actors import Actor, BotActor, PlayerActor, SystemActor
from games.services.bots import bot_awaited, bot_move
from games.services.freezing import game_freeze, game_unfreeze
from games.services.lobby import (
    game_create,
    game_join,
    game_kick,
    game_leave,
    game_open,
    game_seat_bot,
)
from games.services.own_seat import OwnSeat, own_seat, seat_auto_accept, seat_change
from games.services.play import game_credit, game_submit, game_time_up, game_timeout
from games.services.rematch import Rematch, game_rematch
from games.services.replacing import game_give_up, game_stop, seat_replace, seat_resign
from games.services.settings import GameSettings
from games.services.starting import game_abort, game_start
from games.services.sweep import bots_claim, clock_sweep

__all__ = [
    "Actor",
    "Appended",
    "BotActor",
    "GameSettings",
    "OwnSeat",
    "PlayerActor",
    "Rematch",
    "SystemActor",
    "bot_awaited",
    "bot_move",
    "bots_claim",
    "clock_sweep",
    "game_abort",
    "game_create",
    "game_credit",
    "game_freeze",
    "game_give_up",
    "game_join",
    "game_kick",
    "game_leave",
    "game_open",
    "game_rematch",
    "game_seat_bot",
    "game_start",
    "game_stop",
    "game_submit",
    "game_time_up",
    "game_timeout",
    "game_unfreeze",
    "own_seat",
    "seat_abandon",
    "seat_auto_accept",
    "seat_change",
    "seat_replace",
    "seat_resign",
    "seat_return",
]
