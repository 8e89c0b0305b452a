"""A table's result: whether it is well formed, how it ranks those at the table, and who goes on by it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import Enum

from tournaments.rules.knockout import places_that_go_on
from tournaments.rules.state import EntryNo, EntryStatus, Leaver, Place, Result, Round, State, Table


class ResultFault(Enum):
    """What is wrong with a result."""

    WRONG_ENTRIES = "WRONG_ENTRIES"  # not exactly those who sit at the table, once each
    WRONG_RANKS = "WRONG_RANKS"  # not 1, 2, 2, 4 …
    BELOW_ZERO = "BELOW_ZERO"  # a stage or number of cards below 0


def result_fault(result: Result, seats: Collection[EntryNo]) -> ResultFault | None:
    """What is wrong with this result of a table of these entries; the first that applies."""
    if sorted(place.entry for place in result) != sorted(seats):
        return ResultFault.WRONG_ENTRIES
    ranks = [place.rank for place in result]
    if any(rank != 1 + sum(other < rank for other in ranks) for rank in ranks):
        return ResultFault.WRONG_RANKS
    if any((place.stage or 0) < 0 or (place.cards or 0) < 0 for place in result):
        return ResultFault.BELOW_ZERO
    return None


def in_order(result: Result) -> Result:
    """The same result, sorted by rank and then by entry."""
    return tuple(sorted(result, key=lambda place: (place.rank, place.entry)))


def unplayed_result(table: Table) -> Result:
    """The result of a table that was not played: all are equal. (Who left it comes last all the same.)"""
    return tuple(Place(1, entry) for entry in sorted(table.seats))


def ranked(table: Table) -> Result:
    """The result as it counts: those who stayed, among themselves, then those who left, the last to leave first.

    It is E2 of the rules, and holds also for one who was disqualified after the game had ranked it well.
    """
    gone = {leaver.entry for leaver in table.out}
    places = {place.entry: place for place in table.result}
    staying = among(table.result, [entry for entry in table.seats if entry not in gone])
    leavers = [
        Place(rank, leaver.entry, places[leaver.entry].stage, places[leaver.entry].cards)
        for rank, leaver in enumerate(reversed(table.out), start=len(staying) + 1)
    ]
    return (*staying, *leavers)


def among(result: Result, entries: Collection[EntryNo]) -> Result:
    """The result of these entries alone, ranked anew from 1."""
    kept = [place for place in result if place.entry in entries]
    ranks = [place.rank for place in kept]
    return in_order(tuple(Place(1 + sum(r < p.rank for r in ranks), p.entry, p.stage, p.cards) for p in kept))


@dataclass(frozen=True, slots=True)
class Cut:
    """Who goes on from a table: ``sure``, and ``places`` of those who are ``tied`` at the last place that goes on."""

    sure: tuple[EntryNo, ...]
    tied: tuple[EntryNo, ...]
    places: int


def cut(places: Result, going_on: int) -> Cut:
    """The cut after this many places. ``tied`` is empty, and ``places`` 0, if the ranks decide it alone."""
    best = [place.entry for place in places if _lowest(places, place.rank) <= going_on]
    free = going_on - len(best)
    tied = sorted(place.entry for place in places if place.rank <= going_on and place.entry not in best)
    return Cut(tuple(sorted(best)), tuple(tied), free) if tied else Cut(tuple(sorted(best)), (), 0)


def _lowest(places: Result, rank: int) -> int:
    """The last place that those of this rank take up: three who share rank 2 take up 2, 3 and 4."""
    return rank - 1 + sum(place.rank == rank for place in places)


def going_on_from(table: Table, final: bool, go_on: int) -> int:
    """How many go on from this table, if as many are able to: one from the final, where it is the champion."""
    return 1 if final else places_that_go_on(len(table.seats), go_on)


def cut_of(state: State, of: Round, table: Table) -> Cut:
    """Who goes on from a finished table of this round: the best who neither left it nor the tournament since."""
    able = [entry for entry in table.staying if state.entry(entry).status is EntryStatus.PLAYING]
    return cut(among(table.result, able), going_on_from(table, of.final, state.terms.go_on))


def keeps_who_goes_on(state: State, of: Round, table: Table, result: Result, out: Sequence[Leaver]) -> bool:
    """Whether with this result the same would have gone on from a table of a finished round as did.

    A tie at the last place counts as the same only if it was drawn among exactly these, so no draw is needed anew.
    """
    gone = {leaver.entry for leaver in out}
    went = {entry for entry in table.seats if entry in set(of.going_on or ())}
    able = [
        entry
        for entry in table.seats
        if entry not in gone and (entry in went or state.entry(entry).status is EntryStatus.PLAYING)
    ]
    now = cut(among(result, able), going_on_from(table, of.final, state.terms.go_on))
    if not now.tied:
        return set(now.sure) == went
    drawn = [tie for tie in of.ties if tie.table == table.number]
    return (
        len(drawn) == 1 and set(drawn[0].order) == set(now.tied) and {*now.sure, *drawn[0].order[: now.places]} == went
    )
