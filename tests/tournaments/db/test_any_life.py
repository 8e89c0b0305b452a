"""Any order of any acts, any absences, any kill point: it ends, nobody is paired twice before it must be, nobody
eliminated plays, results equal the log, and no table is lost or doubled. (`walk` has the laws in detail.)"""

import random

import pytest

from games.audit.check import game_check
from games.models import Game
from tests.tournaments.db.walk import Walk

pytestmark = pytest.mark.django_db


def every_game_verifies() -> None:
    """What an audit says of the games of a life; it must not freeze one that nobody touched."""
    games = Game.objects.filter(version__gt=0).values_list("pk", flat=True)
    checked = [game_check(game_id=game_id, freeze=False) for game_id in games]
    assert [(found.problem, found.differing) for found in checked if not found.ok or found.differing] == []


@pytest.mark.parametrize("seed", range(12))
def test_a_random_life_keeps_every_law(seed: int) -> None:
    """A handful, each the same in every run."""
    Walk(random.Random(seed)).run()
    every_game_verifies()


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(100, 400))
def test_many_random_lives_keep_every_law(seed: int) -> None:
    """Three hundred more."""
    Walk(random.Random(seed)).run()
    every_game_verifies()
