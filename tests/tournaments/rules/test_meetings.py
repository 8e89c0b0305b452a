"""Nobody meets again before it must be."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.rules.knockout import plan_round, snake, table_sizes
from tournaments.rules.meetings import EXACT, Meetings, met_before, repeats, seat_apart
from tournaments.rules.state import EntryNo


def entries(count: int) -> list[EntryNo]:
    return [EntryNo(number) for number in range(1, count + 1)]


def seatings(left: Sequence[EntryNo], sizes: Sequence[int]) -> Iterator[list[tuple[EntryNo, ...]]]:
    """Every way to seat these at tables of these sizes (the first always sits with the next table's)."""
    if not sizes:
        yield []
        return
    for place, size in enumerate(sizes):
        if size in sizes[:place]:
            continue
        others = [*sizes[:place], *sizes[place + 1 :]]
        for partners in combinations(left[1:], size - 1):
            rest = [entry for entry in left[1:] if entry not in partners]
            yield from ([(left[0], *partners), *more] for more in seatings(rest, others))


def fewest_repeats(left: Sequence[EntryNo], sizes: Sequence[int], met: Meetings) -> int:
    return min(repeats(tables, met) for tables in seatings(left, sizes))


@st.composite
def small_fields(draw: st.DrawFn) -> tuple[int, int, list[tuple[EntryNo, EntryNo]]]:
    count = draw(st.integers(3, 9))
    pairs = list(combinations(entries(count), 2))
    met = draw(st.lists(st.sampled_from(pairs), max_size=3 * count))
    return count, draw(st.integers(2, 4)), met


@given(small_fields())
@settings(max_examples=150, deadline=None)
def test_a_small_field_has_as_few_repeats_as_any_seating(field: tuple[int, int, list[tuple[EntryNo, EntryNo]]]) -> None:
    """Whoever has met whom, and how often: no seating of all possible ones has fewer repeats."""
    count, seats, pairs = field
    order, met = entries(count), met_before(pairs, entries(count))
    plan = plan_round(order, seats=seats, byes_had={}, meetings=met)
    playing = [entry for entry in order if entry not in plan.byes]
    assert plan.repeats == repeats(plan.tables, met)
    assert plan.repeats == fewest_repeats(playing, [len(seats) for seats in plan.tables], met)
    assert sorted(entry for seats in plan.tables for entry in seats) == playing


def test_the_largest_field_that_is_tried_throughout_is_exact() -> None:
    """Twelve at four tables of three, who have met so that hardly a seating is free of repeats."""
    chance = random.Random(5)
    order = entries(EXACT)
    for _ in range(3):
        pairs = [pair for pair in combinations(order, 2) if chance.random() < 0.6]
        met = met_before(pairs, order)
        assert repeats(seat_apart(snake(order, 4), met), met) == fewest_repeats(order, [3, 3, 3, 3], met)


@pytest.mark.parametrize("tables", [2, 3, 5, 12, 40, 120])
@pytest.mark.parametrize("seats", [2, 3, 4, 7, 10])
def test_nobody_meets_again_while_everyone_has_met_fewer_than_there_are_tables(tables: int, seats: int) -> None:
    """A seating without repeats exists then (Hajnal and Szemerédi), and it is found, at the very limit too."""
    chance = random.Random(tables * 100 + seats)
    order = entries(tables * seats - chance.randrange(seats))
    met: dict[EntryNo, dict[EntryNo, int]] = {entry: {} for entry in order}
    pairs = list(combinations(order, 2)) if len(order) < 300 else [chance.sample(order, 2) for _ in range(60_000)]
    chance.shuffle(pairs)
    for one, other in pairs:
        if max(len(met[one]), len(met[other])) < tables - 1:
            met[one][other] = met[other][one] = 1
    assert max(map(len, met.values())) == min(tables - 1, len(order) - 1)
    plan = plan_round(order, seats=seats, byes_had=dict.fromkeys(order, 0), meetings=met)
    assert plan.repeats == 0


@given(seats=st.integers(3, 10), go_on=st.data(), tables=st.integers(2, 60), seed=st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_those_who_go_on_from_a_first_table_do_not_meet_at_the_second(
    seats: int, go_on: st.DataObject, tables: int, seed: int
) -> None:
    """As long as there are tables enough to part them: K of a table need K tables."""
    on = go_on.draw(st.integers(1, seats - 1))
    first = snake(entries(tables * seats), tables)
    left = [entry for table in first for entry in table[:on]]
    random.Random(seed).shuffle(left)
    met = met_before(first, frozenset(left))
    plan = plan_round(left, seats=seats, byes_had={}, meetings=met)
    if len(plan.tables) >= on:
        assert plan.repeats == 0


def test_seeds_stay_in_their_row_when_that_suffices() -> None:
    """Avoiding repeats costs no evenness in strength: each table still has one of each row of the snake."""
    order = entries(40)
    first = snake(order, 10)
    met = met_before(first, order)
    tables = seat_apart(first, met)
    assert repeats(tables, met) == 0
    rows = [{table[row] for table in first} for row in range(4)]
    assert all(len(row & set(table)) == 1 for row in rows for table in tables)


def test_a_pair_costs_as_often_as_it_has_met() -> None:
    """Nobody meets for the third time while a second time would do."""
    one, two, three = entries(3)
    met = met_before([(one, two), (one, two), (one, three)], entries(3))
    assert met[one] == {two: 2, three: 1}
    assert repeats([(one, two, three)], met) == 3
    assert met_before([(one, two), (two, three)], frozenset({one, three})) == {}


def test_the_same_field_is_seated_the_same_way_every_time() -> None:
    """The search draws nothing by chance."""
    order = entries(30)
    met = met_before(snake(order, 8), order)
    assert len({seat_apart(snake(order, len(table_sizes(30, 4))), met) for _ in range(3)}) == 1
