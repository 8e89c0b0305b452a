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
    game, log = table.game, table.events()
    assert game.phase == Phase.FINISHED
    assert game.ranking is not None
    assert [place["seat"] for place in game.ranking if place["rank"] == 1] == [game.winner]
    assert [event.type for event in log[:4]] == ["GameStarted", "SeedCommitted", "CardsDealt", "DeadlineSet"]
    assert [event.type for event in log[-2:]] == ["GameEnded", "SeedRevealed"]
