"""Whole tournaments on the real services: games of bots, rounds, standings, the seed at the end."""

import pytest

from tests.tournaments.given import KNOCKOUT, given_tournament
from tournaments import selectors, store
from tournaments.rules import Logged, Phase, discrepancies

pytestmark = pytest.mark.django_db


def _log(tournament_id: object) -> list[Logged]:
    return [line.logged for line in store.log(tournament_id=tournament_id)]  # type: ignore[arg-type]


def test_a_knockout_of_bots_is_played_to_its_champion() -> None:
    """Rounds of tables of four until one is left; nobody is eliminated twice, and every draw can be checked."""
    given = given_tournament(KNOCKOUT, bots=9)
    given.play_to_the_end()
    state = given.state
    assert state.phase is Phase.FINISHED
    assert [len(state.tables_of(of)) for of in state.rounds] == [3, 2, 1]
    places = selectors.standings_of(tournament_id=given.id, state=state)
    assert sorted(place.entry for place in places) == list(range(1, 10))
    assert given.row.champion == places[0].entry
    assert discrepancies(_log(given.id), store.seed_of(given.id)) == ()
