"""HTTP players for the API's tests."""

from collections.abc import Callable

import pytest
from django.conf import LazySettings

from tests.api.http import Caller


@pytest.fixture(autouse=True)
def no_limits(settings: LazySettings) -> None:
    """Only tests of the limits themselves meet them."""
    settings.TAKI_THROTTLE_FACTOR = 1_000_000


@pytest.fixture
def nobody() -> Caller:
    """A caller without a token."""
    return Caller()


@pytest.fixture
def guest(db: None) -> Callable[[], Caller]:
    """Makes callers, each of them a guest of its own."""

    def come_in() -> Caller:
        made = Caller().post("players/guest/", {}).json()
        return Caller(token=made["token"], player=made["player"])

    return come_in
