"""A broker that is down or hangs never harms a move: it is made, answered, and the bots resume by the sweep."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from games.models import Game, GameEvent, Phase
from tests.builders import Table
from tests.celery.conftest import ROOT, Celery, eventually

_SCRIPT = """
import django
django.setup()
from games import services, tasks
from games.services import GameSettings, SystemActor
game = services.game_open(settings=GameSettings(seats=3), seating=("greedy", "greedy", "greedy"))
started = services.game_start(game_id=game.id, actor=SystemActor("server"))
assert tasks.broker.resting(), "the broker was not tried"
moved = services.bot_move(game_id=game.id, version=started.version)
print(game.id, moved.version)
"""


@contextmanager
def dead_port() -> Iterator[int]:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    yield port


@contextmanager
def silent_port() -> Iterator[int]:
    """A port that takes connections and never says a word."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(50)
        yield listener.getsockname()[1]


@pytest.mark.parametrize("port", [dead_port, silent_port])
def test_moves_are_made_without_a_broker_and_bots_resume_with_it(celery: Celery, port: object) -> None:
    """The process that moves gets its answer; when broker and worker are back, the game plays on to its end."""
    with port() as number:  # type: ignore[operator]  # one of the two above
        environment = {**celery.environment, "BROKER_URL": f"redis://127.0.0.1:{number}/0"}
        process = subprocess.run(
            [sys.executable, "-c", _SCRIPT],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=50,
            check=False,
        )
    assert process.returncode == 0, process.stderr
    assert "the broker is out of reach" in process.stderr
    game = Game.objects.get()
    game_id, version = process.stdout.split()
    assert (str(game.id), game.version) == (game_id, int(version))
    assert GameEvent.objects.filter(game=game).count() == int(version)
    celery.start("worker")
    celery.start("beat")
    table = Table(game.id, ())
    eventually(lambda: table.game.phase == Phase.FINISHED, "the bots never resumed")
