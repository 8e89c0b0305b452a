"""Tables of a round: sizes, byes, the snake, and how many go on."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.rules.knockout import (
    bye_count,
    outline,
    places_that_go_on,
    plan_round,
    snake,
    table_sizes,
)
from tournaments.rules.state import EntryNo

ALL_SIZES = [(seats, entries) for seats in range(2, 11) for entries in [*range(2, 400), 999, 1000, 9_999, 10_000]]


def test_tables_hold_everyone_and_differ_by_at_most_one_seat() -> None:
    """For every table size and every number of entries; no table has fewer than two."""
    for seats, entries in ALL_SIZES:
        sizes = table_sizes(entries, seats)
        assert sum(sizes) + bye_count(entries, seats) == entries
        assert max(sizes) - min(sizes) <= 1
        assert 2 <= min(sizes) <= max(sizes) <= seats


def test_there_are_as_few_tables_as_can_be() -> None:
    """One table fewer could not hold them."""
    for seats, entries in ALL_SIZES:
        assert (len(table_sizes(entries, seats)) - 1) * seats < entries - bye_count(entries, seats)


def test_a_bye_is_given_only_when_no_seating_can_do_without() -> None:
    """Without a bye a table of two-seat tables would have one seat; larger tables never need one."""
    for seats, entries in ALL_SIZES:
        can_do_without = any(2 * tables <= entries <= seats * tables for tables in range(1, entries + 1))
        assert bye_count(entries, seats) == (0 if can_do_without else 1)


def test_every_table_sends_someone_home_and_someone_on() -> None:
    """K of a table, but never all of it."""
    for size in range(2, 11):
        for go_on in range(1, 10):
            assert 1 <= places_that_go_on(size, go_on) < size
            assert places_that_go_on(size, go_on) in (go_on, size - 1)


@pytest.mark.parametrize(("seats", "go_on"), [(n, k) for n in range(2, 11) for k in range(1, n)])
def test_every_tournament_narrows_to_one_table_and_one_winner(seats: int, go_on: int) -> None:
    """Whatever N, K and the number of entries: each round is smaller, the last is one table and has one winner."""
    for entries in [*range(2, 120), 997, 10_000]:
        rounds = outline(entries, seats, go_on)
        assert [r.entries for r in rounds[1:]] == [r.going_on for r in rounds[:-1]]
        assert all(r.going_on < r.entries for r in rounds)
        assert (len(rounds[-1].sizes), rounds[-1].byes, rounds[-1].going_on) == (1, 0, 1)
        assert all(len(r.sizes) > 1 or r.byes for r in rounds[:-1])


def test_the_snake_turns_at_every_row() -> None:
    """Seeds 1 6 7, 2 5 8, 3 4 9: equal sums."""
    dealt = snake([EntryNo(n) for n in range(1, 10)], 3)
    assert dealt == ((1, 6, 7), (2, 5, 8), (3, 4, 9))
    assert {sum(seats) for seats in dealt} <= {14, 15, 16}


@given(entries=st.integers(3, 60), had=st.data())
@settings(max_examples=60, deadline=None)
def test_the_bye_goes_to_the_best_seed_of_those_who_had_fewest(entries: int, had: st.DataObject) -> None:
    """So nobody has two before everyone who is still in has had one."""
    order = [EntryNo(n) for n in range(1, entries + 1)]
    byes = {n: had.draw(st.integers(0, 2)) for n in order}
    plan = plan_round(order, seats=2, byes_had=byes, meetings={})
    fewest = min(byes.values())
    assert plan.byes == (tuple(n for n in order if byes[n] == fewest)[:1] if entries % 2 else ())
    assert sorted([*plan.byes, *(n for seats in plan.tables for n in seats)]) == order


def test_a_round_of_one_is_refused() -> None:
    """A last table of one never is."""
    with pytest.raises(ValueError, match="at least two"):
        plan_round([EntryNo(1)], seats=4, byes_had={}, meetings={})
