"""The API's players, and people with accounts."""

from collections.abc import Callable

import pytest

from tests.api.conftest import guest, lobby, no_limits, nobody, table
from tests.players.people import PASSWORD, Person

__all__ = ["guest", "lobby", "no_limits", "nobody", "table"]


@pytest.fixture
def person(db: None) -> Callable[..., Person]:
    """Makes people who have signed up by an app, each with a name and an address of its own."""

    def sign_up(name: str = "Dana Levi", email: str = "", password: str = PASSWORD) -> Person:
        made = Person(name, email or f"{name.replace(' ', '.').lower()}@example.org", password)
        assert made.sign_up().status_code == 200
        return made

    return sign_up
