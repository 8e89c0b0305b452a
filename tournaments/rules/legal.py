"""What may be asked of a tournament now. It says so without ``decide``; the tests hold the two against each other.

Besides, every act needs what its own words need: a reason (``acts.NEED_REASON``), the present attempt of a table, sound
terms, a sound result or list. That is the act's content, not a question of what may be asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from tournaments.rules import acts as a
from tournaments.rules.desk import ended_by_a_final
from tournaments.rules.field import entrants, free_places, still_in
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
        return frozenset(_ENTRIES[kind](state))
    if kind in _TABLES:
        standing = (table for table in state.tables if table.status is not TableStatus.VOID)
        return frozenset(table.number for table in standing if _TABLES[kind](state, table))
    return frozenset(range(1, len(state.rounds)))


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


def _registered(state: State) -> Iterator[Entry]:
    return (entry for entry in state.entries if entry.status in (EntryStatus.WAITING, EntryStatus.ENTERED))


def _may_promote(state: State) -> Iterable[int]:
    return state.waiting if free_places(state) else ()


def _may_check_in(state: State) -> Iterable[int]:
    return (entry.number for entry in _registered(state) if state.terms.check_in and not entry.checked_in)


def _in(state: State) -> Iterable[int]:
    return map(_number, _registered(state)) if state.phase in BEFORE_START else still_in(state)


def _at_tables(state: State) -> Iterable[int]:
    """Who sits at a table that awaits its result, and has left neither it nor the tournament."""
    latest = state.latest
    if latest is None or latest.going_on is not None:
        return ()
    return (entry for table in state.tables_of(latest) if table.unsettled for entry in table.staying)


def _may_disqualify(state: State) -> Iterable[int]:
    if state.phase in BEFORE_START:
        return map(_number, _registered(state))
    return (entry.number for entry in state.entries if entry.status is EntryStatus.PLAYING)


def _may_reinstate(state: State) -> Iterable[int]:
    if state.phase is Phase.FINISHED and not ended_by_a_final(state):
        return ()
    gone = (EntryStatus.WITHDRAWN, EntryStatus.DISQUALIFIED)
    return (entry.number for entry in state.entries if entry.started and entry.status in gone)


def _number(entry: Entry) -> int:
    return entry.number


_ENTRIES: Final[Mapping[type[a.Act], Callable[[State], Iterable[int]]]] = {
    a.Promote: _may_promote,
    a.CheckIn: _may_check_in,
    a.Withdraw: _in,
    a.Replace: _in,
    a.NoShow: _at_tables,
    a.Forfeit: _at_tables,
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
