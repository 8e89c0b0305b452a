"""What may be asked of a tournament now. It says so without ``decide``; the tests hold the two against each other.

Besides, every act needs what its own words need: a reason (``acts.NEED_REASON``), the present attempt of a table, sound
terms, a sound result or list. That is the act's content, not a question of what may be asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from tournaments.rules import acts as a
from tournaments.rules.desk import ended_by_a_final, has_something_to_lose
from tournaments.rules.field import entrants, free_places, unsettled_table
from tournaments.rules.phases import belongs
from tournaments.rules.registration import has_place, has_waiting_place
from tournaments.rules.state import BEFORE_START, Entry, EntryStatus, Phase, State, Table, TableStatus
from tournaments.rules.tables import can_play_again
from tournaments.rules.terms import LEAST_SEATS, Seeding

WHOLE: Final = frozenset({0})
"""The target of an act that is about the tournament as a whole."""
NOTHING: Final[frozenset[int]] = frozenset()

_OPEN: Final = frozenset({TableStatus.SEATED, TableStatus.PLAYING, TableStatus.ENDING})


def legal_kinds(state: State, at: int) -> tuple[type[a.Act], ...]:
    """The kinds of act that may be asked at this instant (ms), about something at least."""
    return tuple(kind for kind in a.ACTS if legal_targets(state, kind, at))


def legal_targets(state: State, kind: type[a.Act], at: int) -> frozenset[int]:
    """The numbers of the entries, tables or rounds about which this kind of act may be asked at this instant (ms).

    ``WHOLE`` if the act is about the tournament as a whole; empty if it may not be asked. ``NoShow`` is listed for
    every entry at an unsettled table; with a bot it may be asked only if none plays for the entry yet.
    """
    if not belongs(state, kind, at):
        return NOTHING
    if kind in _WHOLE:
        return WHOLE if _WHOLE[kind](state, at) else NOTHING
    if kind in _ENTRIES:
        return _numbers(state.entries, lambda entry: _ENTRIES[kind](state, entry))
    if kind in _TABLES:
        standing = [table for table in state.tables if table.status is not TableStatus.VOID]
        return _numbers(standing, lambda table: _TABLES[kind](state, table))
    return frozenset(range(1, len(state.rounds)))


def _numbers(things: Iterable[Entry] | Iterable[Table], wanted: Callable[..., bool]) -> frozenset[int]:
    return frozenset(thing.number for thing in things if wanted(thing))


def _may_open(state: State, at: int) -> bool:
    return state.terms.closing is None or at < state.terms.closing


def _may_start(state: State, at: int) -> bool:
    return len(entrants(state)[0]) >= LEAST_SEATS


_WHOLE: Final[Mapping[type[a.Act], Callable[[State, int], bool]]] = {
    a.ChangeTerms: lambda state, at: True,
    a.ListSeeding: lambda state, at: state.terms.seeding is Seeding.LIST,
    a.OpenRegistration: _may_open,
    a.CloseRegistration: lambda state, at: True,
    a.Register: lambda state, at: has_place(state) or has_waiting_place(state),
    a.Start: _may_start,
    a.Pause: lambda state, at: True,
    a.Resume: lambda state, at: True,
    a.Cancel: lambda state, at: True,
}


def _registered(entry: Entry) -> bool:
    return entry.status in (EntryStatus.WAITING, EntryStatus.ENTERED)


def _may_disqualify(state: State, entry: Entry) -> bool:
    return _registered(entry) if state.phase in BEFORE_START else entry.status is EntryStatus.PLAYING


def _may_reinstate(state: State, entry: Entry) -> bool:
    gone = entry.started and entry.status in (EntryStatus.WITHDRAWN, EntryStatus.DISQUALIFIED)
    return gone and (state.phase is not Phase.FINISHED or ended_by_a_final(state))


def _at_table(state: State, entry: Entry) -> bool:
    return unsettled_table(state, entry.number) is not None


_ENTRIES: Final[Mapping[type[a.Act], Callable[[State, Entry], bool]]] = {
    a.Promote: lambda state, entry: entry.status is EntryStatus.WAITING and free_places(state) > 0,
    a.CheckIn: lambda state, entry: _registered(entry) and state.terms.check_in and not entry.checked_in,
    a.Withdraw: lambda state, entry: has_something_to_lose(state, entry.number),
    a.Replace: lambda state, entry: has_something_to_lose(state, entry.number),
    a.NoShow: _at_table,
    a.Forfeit: _at_table,
    a.Disqualify: _may_disqualify,
    a.Reinstate: _may_reinstate,
}


def _may_replay(state: State, table: Table) -> bool:
    begun = table.status is not TableStatus.SEATED
    return begun and table.round == len(state.rounds) and can_play_again(state, table) >= LEAST_SEATS


_TABLES: Final[Mapping[type[a.Act], Callable[[State, Table], bool]]] = {
    a.OpenTable: lambda state, table: table.status is TableStatus.SEATED,
    a.FinishTable: lambda state, table: table.status in _OPEN,
    a.AbortTable: lambda state, table: table.status in _OPEN,
    a.EndTable: lambda state, table: table.status not in (TableStatus.ENDING, TableStatus.FINISHED),
    a.ReplayTable: _may_replay,
    a.CorrectResult: lambda state, table: table.status is TableStatus.FINISHED,
}
