"""Whole games from deal to revealed seed."""

import pytest

from games.models import Phase
from tests.builders import given_bots

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("levels", [("greedy",) * 4, ("random",) * 4, ("greedy", "random")])
def test_a_game_of_bots_comes_to_its_end(levels: tuple[str, ...]) -> None:
    """Bots alone finish a game: it has a ranking, and the seed is its last event."""
    table = given_bots(levels)
    table.bot_moves()
    game = table.game
    assert game.phase == Phase.FINISHED
    print(game.version, game.ranking)
