"""The structure of a knockout: how many tables, who sits where, who rests, how many go on. Pure numbers, no life.

Every rule is a choice unless a source is named; docs/tournament-rules.md says them for players.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournaments.rules.meetings import Meetings, Tables, repeats, seat_apart
from tournaments.rules.state import EntryNo


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """A round to be seated: the entry of every seat of every table, who has a bye, and how many pairings repeat."""

    tables: Tables
    byes: tuple[EntryNo, ...]
    repeats: int


@dataclass(frozen=True, slots=True)
class RoundOutline:
    """A round as it will be if nobody drops out: how many are in it, the tables' sizes, byes, how many go on."""

    entries: int
    sizes: tuple[int, ...]
    byes: int
    going_on: int


def table_sizes(entries: int, seats: int) -> tuple[int, ...]:
    """As few tables as hold everyone who plays, their sizes differing by at most one, larger ones first.

    A bye is not counted in. No size is below 2 for ``entries`` ≥ 2: with tables of three or more, entries over one
    table's seats make two tables of at least two; with tables of two, the odd one out has the bye.
    """
    playing = entries - bye_count(entries, seats)
    tables = -(-playing // seats)
    small, larger = divmod(playing, tables) if tables else (0, 0)
    return (small + 1,) * larger + (small,) * (tables - larger)


def bye_count(entries: int, seats: int) -> int:
    """How many byes are unavoidable: one if tables have two seats and an odd number is left, else none."""
    return 1 if seats == 2 and entries > 2 and entries % 2 else 0


def places_that_go_on(size: int, go_on: int) -> int:
    """How many of a table of this size go on: K, but never all, so that every table thins the field."""
    return min(go_on, size - 1)


def outline(entries: int, seats: int, go_on: int) -> tuple[RoundOutline, ...]:
    """All rounds of a tournament of this many entries, up to the final, whose one table has one winner."""
    rounds: list[RoundOutline] = []
    while entries > 1:
        sizes, byes = table_sizes(entries, seats), bye_count(entries, seats)
        final = len(sizes) == 1 and not byes
        on = 1 if final else byes + sum(places_that_go_on(size, go_on) for size in sizes)
        rounds.append(RoundOutline(entries, sizes, byes, on))
        entries = on
    return tuple(rounds)


def plan_round(
    order: Sequence[EntryNo], *, seats: int, byes_had: Mapping[EntryNo, int], meetings: Meetings
) -> RoundPlan:
    """Seat these entries (at least two, best seed first) at tables of up to ``seats``.

    Byes go to the first in the order among those who have had fewest, so nobody gets a second before everyone who is
    still in has had one. The others are dealt in a snake, then exchanged to avoid repeated pairings (``meetings``).
    """
    if len(order) < 2:
        raise ValueError("a round needs at least two entries")
    byes = _byes(order, bye_count(len(order), seats), byes_had)
    playing = [entry for entry in order if entry not in byes]
    tables = seat_apart(snake(playing, len(table_sizes(len(order), seats))), meetings)
    return RoundPlan(tables, byes, repeats(tables, meetings))


def snake(order: Sequence[EntryNo], tables: int) -> Tables:
    """Deal to tables in rows, every second one backwards: seeds 1 8 9 …, 2 7 10 …, 3 6 11 …, 4 5 12 …

    The sum of the seeds is then as even as it can be; this is how seeded groups are made in most sports.
    """
    dealt: list[list[EntryNo]] = [[] for _ in range(tables)]
    for index, entry in enumerate(order):
        row, column = divmod(index, tables)
        dealt[tables - 1 - column if row % 2 else column].append(entry)
    return tuple(map(tuple, dealt))


def _byes(order: Sequence[EntryNo], count: int, byes_had: Mapping[EntryNo, int]) -> tuple[EntryNo, ...]:
    fewest_first = sorted(order, key=lambda entry: byes_had.get(entry, 0))
    return tuple(fewest_first[:count])
