"""Whole tournaments on the real services: games of bots, rounds, standings, the seed at the end."""

from dataclasses import replace
from itertools import pairwise

import pytest

from tests.tournaments.given import KNOCKOUT, given_tournament
from tournaments import selectors, store
from tournaments.models import TournamentTable
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


def test_a_hundred_bots_play_a_knockout_to_its_end() -> None:
    """Six rounds, 52 tables: each with one game, everybody ranked once, eliminated ones never seen again."""
    given = given_tournament(replace(KNOCKOUT, capacity=100), bots=100)
    given.play_to_the_end()
    state = given.state
    assert state.phase is Phase.FINISHED
    assert [len(state.tables_of(of)) for of in state.rounds] == [25, 13, 7, 4, 2, 1]
    rows = TournamentTable.objects.filter(tournament_id=given.id).select_related("game")
    assert sorted(row.number for row in rows) == [table.number for table in state.tables]
    assert {row.game.phase for row in rows} == {"finished"}
    for before, after in pairwise(state.rounds):
        seated = {entry for table in state.tables_of(after) for entry in table.seats} | set(after.byes)
        assert seated == set(before.going_on or ())
    assert sorted(state.ranking) == list(range(1, 101))
    assert state.ranking[0] == given.row.champion
    assert discrepancies(_log(given.id), store.seed_of(given.id)) == ()
