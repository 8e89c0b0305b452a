"""Large fields: up to ten thousand entries, played to the end."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from tests.tournaments.rules.desk import Desk, knockout
from tests.tournaments.rules.laws import (
    byes_are_fair,
    nobody_eliminated_plays,
    numbers_agree,
    only_rounds_that_count_are_open,
    results_equal_the_log,
    tables_are_even,
    the_log_is_honest,
    the_ranking_is_of_everyone,
)
from tournaments.rules import acts as a
from tournaments.rules.knockout import outline
from tournaments.rules.meetings import met_before
from tournaments.rules.state import EntryNo, Phase, State
from tournaments.rules.terms import Seeding


def nobody_met_again_needlessly(state: State) -> None:
    """No repeats in a round in which everyone had met fewer of the others than there are tables."""
    for before, of in pairwise(state.rounds):
        entries = [*of.byes, *(entry for table in state.tables_of(of) for entry in table.seats)]
        earlier = [table.seats for table in state.tables if table.round <= before.number]
        met = met_before(earlier, frozenset(entries))
        if max(map(len, met.values()), default=0) < of.tables:
            assert of.repeats == 0


def the_laws_hold(desk: Desk) -> None:
    state = desk.state
    assert state.phase is Phase.FINISHED
    for law in (nobody_eliminated_plays, tables_are_even, byes_are_fair, only_rounds_that_count_are_open):
        law(state)
    numbers_agree(state, desk.log)
    results_equal_the_log(state, desk.log)
    the_ranking_is_of_everyone(state)
    nobody_met_again_needlessly(state)


@pytest.mark.parametrize(("entries", "seats", "go_on"), [(10_000, 4, 2), (9_999, 10, 4), (4_097, 2, 1), (1_000, 3, 2)])
def test_a_large_field_is_played_to_the_end_under_the_laws(entries: int, seats: int, go_on: int) -> None:
    """Rounds, tables and byes as outlined; drawn seeds; ties; the seed proves all draws."""
    desk = Desk(knockout(seats, go_on, entries, seeding=Seeding.RANDOM)).started(entries)
    desk.play_on(random.Random(entries))
    the_laws_hold(desk)
    the_log_is_honest(desk)
    planned = outline(entries, seats, go_on)
    assert [len(of.byes) for of in desk.state.rounds] == [plan.byes for plan in planned]
    assert [of.tables for of in desk.state.rounds] == [len(plan.sizes) for plan in planned]


def test_a_large_field_of_absent_players_ends_by_walkovers() -> None:
    """Four in five never come: every round still ends, mostly without a game."""
    desk, chance = Desk(knockout(4, 2, 5_000)).started(5_000), random.Random(3)
    for _ in range(60):
        if desk.state.over:
            break
        for table in desk.open_tables:
            desk.ask(*(a.NoShow(entry, bot=False) for entry in table.seats if chance.random() < 0.8))
        desk.advance()
        if not desk.state.over:
            desk.finish_round()
    the_laws_hold(desk)


@pytest.mark.deep
def test_the_slowest_thinning_keeps_the_laws() -> None:
    """Tables of ten of which nine go on: more than sixty rounds, in which at last everyone has met everyone."""
    desk = Desk(knockout(10, 9, 10_000)).started(10_000)
    desk.play_on(random.Random(9))
    the_laws_hold(desk)
    assert len(desk.state.rounds) > 60


def test_every_small_number_of_entries_ends() -> None:
    """For several table sizes; the entry with the lowest number always wins, so it is the champion."""
    for seats, go_on in ((2, 1), (3, 2), (4, 2), (5, 3)):
        for entries in range(2, 41):
            desk = Desk(knockout(seats, go_on)).started(entries).to_the_end()
            assert desk.state.ranking[0] == EntryNo(1)
            assert sorted(desk.state.ranking) == list(range(1, entries + 1))
