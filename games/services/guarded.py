"""An act that is carried out only if the game is as the caller saw it."""

from collections.abc import Callable
from typing import TypeVar
from uuid import UUID

from django.db import transaction

from games.models import Game
from games.services.seating import lock_game

T = TypeVar("T")


def under_lock(*, game_id: UUID, check: Callable[[Game], None], act: Callable[[], T]) -> T:
    """What ``act`` returns, in one transaction with ``check``, which may raise. GameNotFound.

    The lock is the one that the act itself takes, so nothing comes between the two.
    """
    with transaction.atomic():
        check(lock_game(game_id))
        return act()
