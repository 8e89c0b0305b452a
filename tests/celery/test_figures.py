"""Games are counted by a real worker, however often it is asked."""

import pytest

from games import tasks
from games.figures.counting import EDITION, count
from games.models import GameFigures
from games.store import log
from tests.builders import given_bots
from tests.celery.conftest import Celery, eventually

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_worker_counts_what_has_ended_once_however_often_it_is_told(celery: Celery) -> None:
    """Three messages at once, one row a game, as the log has it."""
    tables = [given_bots(("greedy", "greedy")) for _ in range(2)]
    for table in tables:
        table.bot_moves()
    celery.start("worker")
    for _ in range(3):
        tasks.figures_sweep.apply_async(retry=False)
    eventually(lambda: GameFigures.objects.count() == 2, "the games were never counted")
    for table in tables:
        row = GameFigures.objects.get(pk=table.game_id)
        assert (row.edition, row.turns) == (EDITION, count(log(game_id=table.game_id)).turns)
