"""A finished game in the real system, for the browser's tests of its replay."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import httpx
import pytest

from tests.e2e.system import System

PLAY: Final = (
    "from dataclasses import replace; from games.rules.ruleset import Mode; from tests.builders import QUICK\n"
    "from tests.pages.evenings import finished\n"
    "table = finished(('Noa', 'יעל', 'Dana', 'Itamar'), rules=replace(QUICK, mode=Mode.LADDER, hand_size=3),"
    " name='Friday night', seed=34)\n"
    "print(table.game_id, table.game.version)"
)


@dataclass(frozen=True)
class Game:
    """A finished public game in the system, and its events as a program reads them."""

    id: str
    versions: int
    api: httpx.Client

    def path(self, query: str = "", **where: object) -> str:
        """Its replay, at a version and through somebody's eyes."""
        return f"/games/{self.id}/replay/{query}" + (
            "#" + "&".join(f"{k}={v}" for k, v in where.items()) if where else ""
        )

    def state(self, version: int, viewer: object) -> dict[str, Any]:
        """The position as the API tells it."""
        answer = self.api.get(f"games/{self.id}/states/{version}/", params={"as": str(viewer)})
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def first(self, kind: str) -> int:
        """The version of the first event of a type."""
        events = self.api.get(f"games/{self.id}/events/", params={"limit": 1000}).json()["results"]
        return int(next(event["version"] for event in events if event["type"] == kind))


@pytest.fixture(scope="module")
def game(system: System) -> Iterator[Game]:
    """Four people have played a short ladder."""
    game_id, versions = system.manage("shell", "-v", "0", "-c", PLAY).split()[-2:]
    guest = httpx.post(f"{system.url}/api/v1/players/guest/", json={}).json()
    with httpx.Client(base_url=f"{system.url}/api/v1/", headers={"Authorization": f"Bearer {guest['token']}"}) as api:
        yield Game(game_id, int(versions), api)
