"""What readiness and `/metrics` say of clocks and bots."""

import re

import pytest
from django.test import Client

from config import health
from games import services
from games.selectors import bot_overdue_oldest
from tests.builders import given_bots, given_game, given_lobby
from tests.db.later import later, watched

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def look_anew(monkeypatch: pytest.MonkeyPatch, broker_url: str) -> None:
    """No answer of another test's."""
    monkeypatch.setattr(health, "_last", None)


def figures() -> dict[str, float]:
    """Name (with labels) → value."""
    answer = Client().get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/plain; version=")
    return {
        name: float(value) for name, value in re.findall(r"^(taki\S+) (\S+)$", answer.content.decode(), re.MULTILINE)
    }


def test_a_system_that_keeps_up_says_so() -> None:
    """No deadline and no bot is late, every part is well, and the games are counted."""
    given_game()
    given_lobby()
    watched(ended_ago=2)
    told = figures()
    assert (told["taki_overdue_deadline_seconds"], told["taki_overdue_bot_move_seconds"]) == (0, 0)
    assert told['taki_up{part="database"}'] == told['taki_up{part="broker"}'] == told['taki_up{part="migrations"}'] == 1
    assert (told['taki_games{phase="playing"}'], told['taki_games{phase="lobby"}']) == (1, 1)
    assert 2 <= told["taki_clocks_unwatched_seconds"] < 60


def test_late_clocks_and_bots_are_told_by_readiness_and_by_figures() -> None:
    """The oldest of each; nothing once they have been served."""
    with later(-100):
        given_game()
        table = given_bots(("greedy", "greedy"))
    told = figures()
    assert 39 <= told["taki_overdue_deadline_seconds"] < 99
    assert 97 <= told["taki_overdue_bot_move_seconds"] < 157
    ready = Client().get("/readyz").json()
    assert ready["overdue_oldest"]
    assert ready["bot_overdue_oldest"]
    services.clock_sweep()
    table.bot_moves()
    assert bot_overdue_oldest() is None


def test_figures_cannot_be_changed_and_are_kept_by_nobody() -> None:
    """GET and HEAD alone."""
    assert Client().post("/metrics").status_code == 405
    assert "no-cache" in Client().get("/metrics").headers["Cache-Control"]
