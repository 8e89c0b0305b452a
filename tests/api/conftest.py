"""HTTP players for the API's tests."""

from collections.abc import Callable

import pytest
from django.conf import LazySettings

from tests.api.http import Caller
from tests.api.tables import Table


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


@pytest.fixture
def lobby(guest: Callable[[], Caller]) -> Table:
    """A table of two in the lobby, one seat free."""
    host = guest()
    game = host.post("games/", {"seats": 2, "name": "Friday night", "turn_seconds": None}).json()
    return Table(game["id"], host, [host])


@pytest.fixture
def table(lobby: Table, guest: Callable[[], Caller]) -> Table:
    """A running game of two."""
    other = guest()
    assert other.post(lobby.path("join/"), {}).status_code == 200
    assert lobby.host.post(lobby.path("start/")).status_code == 200
    return Table(lobby.id, lobby.host, [lobby.host, other])
