"""An act that is carried out only if the tournament is as the caller saw it."""

from collections.abc import Callable
from typing import TypeVar
from uuid import UUID

from django.db import transaction

from tournaments import store
from tournaments.models import Tournament

T = TypeVar("T")


def under_lock(*, tournament_id: UUID, check: Callable[[Tournament], None], act: Callable[[], T]) -> T:
    """What ``act`` returns, in one transaction with ``check``, which may raise. TournamentNotFound.

    The lock is the one that the act itself takes, so nothing comes between the two.
    """
    with transaction.atomic():
        check(store.lock(tournament_id=tournament_id).tournament)
        return act()
