"""Who has met whom, and how to seat a round so that nobody meets again before it must be.

To seat people so that no two who have met share a table is to colour the graph of meetings evenly, which is hard in
general. What is done here, and how far it goes:

* A pair costs as often as it has met, so that nobody meets a third time where a second would do.
* The search exchanges entries, first only between tables within one row of the seeding (so the tables stay even in
  strength), then anywhere, as long as that helps. It uses no chance: the same entries in the same order are seated the
  same way everywhere.
* If repeats are left with up to ``EXACT`` entries, everything is tried, so there are as few as can be.
* With more, a tabu search of a stated length (``TRIES``) goes on. A seating without a repeated pairing exists whenever
  everyone has met fewer of the others than there are tables (Hajnal and Szemerédi, 1970), and the tests show that the
  search finds one then. Beyond that it is the best found, and the event says how many repeats there are.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Final

from tournaments.rules.state import EntryNo

Meetings = Mapping[EntryNo, Mapping[EntryNo, int]]
"""For each entry, how often it has met each other; those it never met are absent."""
Tables = tuple[tuple[EntryNo, ...], ...]

EXACT: Final = 12
"""Up to so many entries the fewest repeats are found for sure: at most 15,400 ways to seat them."""
TRIES: Final = 100_000
"""So many exchanges are weighed by the tabu search: about a tenth of a second."""
_TABU: Final = 8


def met_before(tables: Iterable[Sequence[EntryNo]], among: Collection[EntryNo]) -> Meetings:
    """How often each two of these entries have shared one of the tables."""
    met: dict[EntryNo, dict[EntryNo, int]] = {}
    for seats in tables:
        for one, other in combinations([entry for entry in seats if entry in among], 2):
            for entry, partner in ((one, other), (other, one)):
                times = met.setdefault(entry, {})
                times[partner] = times.get(partner, 0) + 1
    return met


def repeats(tables: Iterable[Sequence[EntryNo]], met: Meetings) -> int:
    """How many meetings the pairs at these tables have had already."""
    return sum(
        met.get(one, {}).get(other, 0) for seats in tables for one, other in combinations(seats, 2) if one in met
    )


def seat_apart(tables: Sequence[Sequence[EntryNo]], met: Meetings) -> Tables:
    """The same entries at tables of the same sizes, with as few repeats as this module promises."""
    seating = _Seating(tables, met)
    if len(tables) == 1:
        return seating.tables()
    if seating.cost:
        _exchange(seating, within_row=True)
        _exchange(seating, within_row=False)
    fewest = _bound(seating) if seating.cost else 0
    if seating.cost <= fewest:
        return seating.tables()
    return _try_everything(seating, fewest) if len(seating.table) <= EXACT else _wander(seating, fewest)


class _Seating:
    """Tables under exchange. ``load[e][t]``: how many meetings entry e has had with those now at table t."""

    def __init__(self, tables: Sequence[Sequence[EntryNo]], met: Meetings) -> None:
        self.met = met
        self.seats = [list(seats) for seats in tables]
        self.table = {entry: at for at, seats in enumerate(self.seats) for entry in seats}
        self.row = {entry: row for seats in self.seats for row, entry in enumerate(seats)}
        self.load: dict[EntryNo, dict[int, int]] = {entry: {} for entry in self.table}
        for entry in self.table:
            self._count(entry, self.table[entry], 1)
        self.cost = sum(map(self.clash, self.table)) // 2

    def clash(self, entry: EntryNo) -> int:
        """How many meetings this entry has had with those at its table."""
        return self.load[entry].get(self.table[entry], 0)

    def clashing(self) -> list[EntryNo]:
        return [entry for entry in self.table if self.clash(entry)]

    def change(self, one: EntryNo, other: EntryNo) -> int:
        """By how much the cost would grow if the two, at different tables, changed places."""
        there, here = self.load[one], self.load[other]
        home, away = self.table[one], self.table[other]
        moved = there.get(away, 0) + here.get(home, 0) - there.get(home, 0) - here.get(away, 0)
        return moved - 2 * self.met.get(one, {}).get(other, 0)

    def exchange(self, one: EntryNo, other: EntryNo) -> None:
        self.cost += self.change(one, other)
        places = [(entry, self.table[entry], self.row[entry]) for entry in (one, other)]
        for entry, (_, table, row) in zip((other, one), places, strict=True):
            self._count(entry, self.table[entry], -1)
            self._count(entry, table, 1)
            self.seats[table][row], self.table[entry], self.row[entry] = entry, table, row

    def tables(self) -> Tables:
        return tuple(map(tuple, self.seats))

    def _count(self, entry: EntryNo, table: int, by: int) -> None:
        for partner, times in self.met.get(entry, {}).items():
            load = self.load.get(partner)
            if load is not None:
                load[table] = load.get(table, 0) + by * times


def _exchange(seating: _Seating, *, within_row: bool) -> None:
    """Exchange whoever clashes for the better, until no single exchange is for the better."""
    waiting = deque(seating.clashing())
    while waiting:
        one = waiting.popleft()
        other = _improving(seating, one, within_row=within_row) if seating.clash(one) else None
        if other is not None:
            seating.exchange(one, other)
            waiting.extend(entry for entry in (one, other) if seating.clash(entry))


def _improving(seating: _Seating, one: EntryNo, *, within_row: bool) -> EntryNo | None:
    """The best partner for an exchange, or the first that rids ``one`` of all its clashes; None if none helps."""
    best, least, goal = None, 0, -seating.clash(one)
    for other in _others(seating, one, within_row=within_row):
        change = seating.change(one, other)
        if change < least:
            best, least = other, change
            if change <= goal:
                break
    return best


def _others(seating: _Seating, one: EntryNo, *, within_row: bool) -> Iterable[EntryNo]:
    """Those at the other tables, from the next table round; only those in the same row, if so asked."""
    home, row = seating.table[one], seating.row[one]
    for step in range(1, len(seating.seats)):
        seats = seating.seats[(home + step) % len(seating.seats)]
        yield from seats[row : row + 1] if within_row else seats


def _bound(seating: _Seating) -> int:
    """A number of repeats that no seating of these entries can go below: each meets those it has met least."""
    partners = min(map(len, seating.seats)) - 1
    forced = 0
    for entry in seating.table:
        met = [times for other, times in seating.met.get(entry, {}).items() if other in seating.table]
        unmet = len(seating.table) - 1 - len(met)
        if unmet < partners:
            forced += sum(sorted(met)[: partners - unmet])
    return (forced + 1) // 2


def _wander(seating: _Seating, fewest: int) -> Tables:
    """Tabu search: exchange the next that clashes with its best partner, even for the worse; the best seating seen."""
    best, best_cost = seating.tables(), seating.cost
    barred: dict[tuple[EntryNo, int], int] = {}
    tries = turn = 0
    while tries < TRIES and best_cost > fewest:
        clashing = seating.clashing()
        one = clashing[turn % len(clashing)]
        least, partner = None, None
        for other in _others(seating, one, within_row=False):
            tries += 1
            change = seating.change(one, other)
            tabu = max(barred.get((one, seating.table[other]), 0), barred.get((other, seating.table[one]), 0)) > turn
            if (least is None or change < least) and (not tabu or seating.cost + change < best_cost):
                least, partner = change, other
        turn += 1
        if partner is None:
            continue
        for entry in (one, partner):
            barred[entry, seating.table[entry]] = turn + _TABU + len(clashing) % _TABU
        seating.exchange(one, partner)
        if seating.cost < best_cost:
            best, best_cost = seating.tables(), seating.cost
    return best


def _try_everything(seating: _Seating, fewest: int) -> Tables:
    """The seating with the fewest repeats."""
    trial = _Trial(seating, fewest)
    trial.place(0, 0)
    return trial.best


class _Trial:
    """All seatings, depth first, those who have met most first, cut off where they get no better than the best yet."""

    def __init__(self, seating: _Seating, fewest: int) -> None:
        self.met, self.fewest = seating.met, fewest
        self.best, self.best_cost = seating.tables(), seating.cost
        self.sizes = [len(seats) for seats in seating.seats]
        self.seats: list[list[EntryNo]] = [[] for _ in self.sizes]
        self.order = sorted(seating.table, key=lambda entry: (-sum(self.met.get(entry, {}).values()), entry))

    def place(self, index: int, cost: int) -> None:
        """Seat all from this one of the order on; those before it cost so much."""
        if index == len(self.order):
            self.best, self.best_cost = tuple(map(tuple, self.seats)), cost
            return
        entry = self.order[index]
        met = self.met.get(entry, {})
        for seats in self._worth_trying():
            more = cost + sum(met.get(partner, 0) for partner in seats)
            if more < self.best_cost > self.fewest:
                seats.append(entry)
                self.place(index + 1, more)
                seats.pop()

    def _worth_trying(self) -> list[list[EntryNo]]:
        """The tables with a free seat; of the empty ones of one size only the first, since they are alike."""
        empty_sizes: set[int] = set()
        tables: list[list[EntryNo]] = []
        for seats, size in zip(self.seats, self.sizes, strict=True):
            if len(seats) < size and (seats or size not in empty_sizes):
                tables.append(seats)
                if not seats:
                    empty_sizes.add(size)
        return tables
