"""HTTP players and organisers for the tests of the tournaments' API. (Models are imported once Django is set up.)"""

from collections.abc import Callable

import pytest
from django.conf import LazySettings

from tests.api.http import Caller


@pytest.fixture(autouse=True)
def no_limits(settings: LazySettings) -> None:
    """No test here is about limits."""
    settings.TAKI_THROTTLE_FACTOR = 1_000_000


@pytest.fixture
def account(db: None) -> Callable[..., Caller]:
    """Makes callers with accounts."""
    from tests.tournaments.api.callers import caller_for
    from tests.tournaments.given import given_account

    return lambda **fields: caller_for(given_account(**fields))


@pytest.fixture
def guest(db: None) -> Callable[[], Caller]:
    """Makes callers who are guests."""
    from players.services import player_create_guest
    from tests.tournaments.api.callers import caller_for

    return lambda: caller_for(player_create_guest()[0])
