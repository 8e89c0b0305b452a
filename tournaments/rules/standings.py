"""Who stands where: while it goes on, and finally.

The order, first to last (choices; within a table it is E2 and G5 of the rules):

1. those who played to their end, by the last round they were in (a bye counts); of the last, the champion first;
2. those who withdrew, the last to withdraw first;
3. those who did not come to the start;
4. those who were disqualified, the last first.

Within the first group: the place at the table of that round; then the stage reached there (lower is better) and the
cards left; then a draw from the tournament's seed. A ladder has one table, so this is G5. Who withdrew before the
start, or was still on the waiting list, is not ranked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import groupby

from tournaments.rules.draws import RANKING_USE, drawn
from tournaments.rules.events import RankingSettled
from tournaments.rules.field import still_in
from tournaments.rules.results import ranked
from tournaments.rules.state import Entry, EntryNo, EntryStatus, Phase, Place, Result, State, TableNo


class Group(Enum):
    """The groups of the ranking, first to last."""

    PLAYED = "played"
    WITHDRAWN = "withdrawn"
    ABSENT = "absent"
    DISQUALIFIED = "disqualified"


_GROUP = {
    EntryStatus.PLAYING: Group.PLAYED,
    EntryStatus.WITHDRAWN: Group.WITHDRAWN,
    EntryStatus.ABSENT: Group.ABSENT,
    EntryStatus.DISQUALIFIED: Group.DISQUALIFIED,
}
_FIRST_TO_LAST = {group: index for index, group in enumerate(Group)}

Key = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the standings. Equals share a rank until the end; then ``drawn`` says that a draw parted them.

    ``round``: the last it was in (0: none). ``place``, ``stage``, ``cards``: at its table there, as far as known.
    ``still_in``: it may yet win. ``champion``: it has won.
    """

    rank: int
    entry: EntryNo
    group: Group
    round: int
    place: int | None
    stage: int | None
    cards: int | None
    still_in: bool
    champion: bool
    drawn: bool


@dataclass(frozen=True, slots=True)
class _Reached:
    """How far an entry has come."""

    round: int = 0
    place: Place | None = None
    goes_on: bool = False


def standings(state: State, live: Mapping[TableNo, Result] | None = None) -> tuple[Standing, ...]:
    """Everyone who is ranked, best first; ``live``: how tables that are being played stand, for a ladder above all.

    Before the start nobody is ranked.
    """
    reached = _how_far(state, live or {})
    keys = {entry.number: _key(entry, reached) for entry in ranked_entries(state)}
    if state.ranking:
        order = list(state.ranking)
        ranks = dict(zip(order, range(1, len(order) + 1), strict=True))
    else:
        order = sorted(keys, key=lambda number: (keys[number], number))
        ranks = _shared_ranks(order, keys)
    left, drawn_apart = frozenset(still_in(state)), {number for tie in state.ties for number in tie}
    return tuple(
        _standing(state, number, ranks[number], reached.get(number, _Reached()), left, number in drawn_apart)
        for number in order
    )


def settled(state: State, seed: bytes) -> RankingSettled:
    """The final ranking: equals by the draw."""
    reached = _how_far(state, {})
    keys = {entry.number: _key(entry, reached) for entry in ranked_entries(state)}
    lots = {number: lot for lot, number in enumerate(drawn(seed, RANKING_USE, tuple(sorted(keys))))}
    order = tuple(sorted(keys, key=lambda number: (keys[number], lots[number])))
    groups = (tuple(group) for _, group in groupby(order, key=keys.__getitem__))
    return RankingSettled(order, tuple(group for group in groups if len(group) > 1))


def ranked_entries(state: State) -> list[Entry]:
    """The entries that are ranked: who started, and who should have."""
    return [entry for entry in state.entries if entry.started or entry.status is EntryStatus.ABSENT]


def _how_far(state: State, live: Mapping[TableNo, Result]) -> dict[EntryNo, _Reached]:
    """For each entry the last round it was in, and its place there."""
    reached: dict[EntryNo, _Reached] = {}
    for of in state.rounds:
        on = frozenset(of.going_on or ())
        for entry in of.byes:
            reached[entry] = _Reached(of.number, None, entry in on)
        for table in state.tables_of(of):
            result = ranked(table) if table.result else live.get(table.number, ())
            places = {place.entry: place for place in result}
            for entry in table.seats:
                reached[entry] = _Reached(of.number, places.get(entry), entry in on)
    return reached


def _key(entry: Entry, reached: Mapping[EntryNo, _Reached]) -> Key:
    """What orders the entries; equal keys are equals. Unknown places come first (still playing), unknown cards last."""
    group = _FIRST_TO_LAST[_GROUP[entry.status]]
    if entry.status is not EntryStatus.PLAYING:
        return (group, -entry.left)
    far = reached.get(entry.number, _Reached())
    place = far.place
    if place is None:
        return (group, -far.round, not far.goes_on, 0, 0, 0, 0, 0)
    return (
        group,
        -far.round,
        not far.goes_on,
        place.rank,
        place.stage is None,
        place.stage or 0,
        place.cards is None,
        place.cards or 0,
    )


def _shared_ranks(order: list[EntryNo], keys: Mapping[EntryNo, Key]) -> dict[EntryNo, int]:
    ranks: dict[EntryNo, int] = {}
    for index, number in enumerate(order):
        equal = index and keys[order[index - 1]] == keys[number]
        ranks[number] = ranks[order[index - 1]] if equal else index + 1
    return ranks


def _standing(
    state: State, number: EntryNo, rank: int, far: _Reached, left: frozenset[EntryNo], drawn_apart: bool
) -> Standing:
    entry = state.entry(number)
    place = far.place
    over = state.phase is Phase.FINISHED
    return Standing(
        rank,
        number,
        _GROUP[entry.status],
        far.round,
        None if place is None else place.rank,
        None if place is None else place.stage,
        None if place is None else place.cards,
        still_in=number in left and not over,
        champion=number in left and over,
        drawn=drawn_apart,
    )
