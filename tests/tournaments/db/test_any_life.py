"""Any order of any acts, any absences, any kill point: it ends, nobody is paired twice before it must be, nobody
eliminated plays, results equal the log, and no table is lost or doubled. (`walk` has the laws in detail.)"""

import random

import pytest

from tests.tournaments.db.walk import Walk

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("seed", range(12))
def test_a_random_life_keeps_every_law(seed: int) -> None:
    """A handful, each the same in every run."""
    Walk(random.Random(seed)).run()


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(100, 400))
def test_many_random_lives_keep_every_law(seed: int) -> None:
    """Three hundred more."""
    Walk(random.Random(seed)).run()
