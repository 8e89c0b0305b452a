"""How late the clock comes: a thousand deadlines within one minute, a real worker and a real beat."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from statistics import median, quantiles

import psycopg
import pytest

from tests.bench.measure import report
from tests.e2e.system import ROOT, System

GAMES = 1_000
SPREAD_SECONDS = 60
PATIENCE_SECONDS = 300

pytestmark = pytest.mark.bench

# Each game's first deadline has its place in the minute that begins when the last game has been made.
_GAMES = f"""
import time
import django
django.setup()
from games import services
from games.services import GameSettings, SystemActor
from players.services import player_create_guest
players = [player_create_guest()[0] for _ in range(2)]
began, lead = time.time(), 75
for number in range({GAMES}):
    due = began + lead + number * {SPREAD_SECONDS} / {GAMES}
    turn = max(5, round(due - time.time()))
    game = services.game_open(settings=GameSettings(seats=2, turn_seconds=turn), seating=players)
    services.game_start(game_id=game.id, actor=SystemActor("server"))
print(time.time() - began)
"""

_LATENESS = """
SELECT extract(epoch FROM missed.recorded_at) - (set_at.data->>'at')::numeric / 1000
FROM (SELECT DISTINCT ON (game_id) * FROM games_gameevent WHERE type = 'DeadlineSet' ORDER BY game_id, version) set_at
JOIN (SELECT DISTINCT ON (game_id) * FROM games_gameevent WHERE type = 'TurnMissed' ORDER BY game_id, version) missed
    USING (game_id)
"""


@pytest.fixture
def system() -> Iterator[System]:
    own = System()
    try:
        own.start()
        yield own
    finally:
        own.close()


def test_a_thousand_deadlines_in_a_minute(system: System) -> None:
    """Every one is served, once; the seconds after the deadline that it took are for reading."""
    addresses: dict[str, str] = json.loads((system.folder / "environment.json").read_text())
    settings = {"DJANGO_SETTINGS_MODULE": "config.settings.production", "TAKI_DATA_DIR": str(system.folder)}
    environment = {"PATH": os.environ["PATH"], **addresses, **settings}
    made = subprocess.run(
        [sys.executable, "-c", _GAMES], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr
    late = _lateness(addresses["DATABASE_OWNER_URL"])
    assert len(late) == GAMES
    assert min(late) >= 0
    p99 = quantiles(late, n=100)[98]
    figures = {"made in s": float(made.stdout), "p50": median(late), "p99": p99, "most": max(late)}
    report(f"seconds after the deadline, {GAMES} in {SPREAD_SECONDS} s", figures)


def _lateness(url: str) -> list[float]:
    """Of the first deadline of each game, once all have passed."""
    patience = time.monotonic() + PATIENCE_SECONDS
    with psycopg.connect(url, autocommit=True) as database:
        while True:
            late = [float(seconds) for (seconds,) in database.execute(_LATENESS)]
            if len(late) >= GAMES or time.monotonic() > patience:
                return late
            time.sleep(2)
