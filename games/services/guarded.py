"""An act that is carried out only if the game is as the caller saw it."""

from collections.abc import Callable
from typing import TypeVar
from uuid import UUID

from django.db import transaction

from games.models import Game
from games.services.seating import hold, lock_game
from players.models import Player

T = TypeVar("T")


def under_lock(*, game_id: UUID, player: Player, check: Callable[[Game], None], act: Callable[[], T]) -> T:
    """What the player's ``act`` returns, in one transaction with ``check``, which may raise. GameNotFound.

    The locks are those that the act itself takes, in the same order, so nothing comes between the two.
    """
    with transaction.atomic():
        hold(player)
        check(lock_game(game_id))
        return act()
