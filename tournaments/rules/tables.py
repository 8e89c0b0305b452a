"""Acts about one table or round. (Phase, reason, table, round and attempt have been judged already.)"""

from __future__ import annotations

from tournaments.rules import acts as a
from tournaments.rules import events as e
from tournaments.rules.desk import ended_by_a_final, reopened
from tournaments.rules.refusals import Refusal, Refused
from tournaments.rules.results import in_order, keeps_who_goes_on, result_fault, unplayed_result
from tournaments.rules.state import (
    Ending,
    EntryStatus,
    Leaver,
    Phase,
    Result,
    State,
    Table,
    TableStatus,
)
from tournaments.rules.terms import LEAST_SEATS

OVER = (TableStatus.FINISHED, TableStatus.ABORTED)


def open_table(state: State, act: a.OpenTable) -> tuple[e.Event, ...]:
    table = state.table(act.table)
    if table.status in OVER:
        raise Refused(Refusal.TABLE_OVER)
    if table.status is not TableStatus.SEATED:
        raise Refused(Refusal.TABLE_OPEN)
    return (e.TableOpened(table.number, table.attempt),)


def finish_table(state: State, act: a.FinishTable) -> tuple[e.Event, ...]:
    """Also of a table that is not known to have begun: a game may end before its beginning was noted."""
    table = state.table(act.table)
    if table.status in OVER:
        raise Refused(Refusal.TABLE_OVER)
    _refuse_bad_result(act.result, table)
    return (e.TableFinished(table.number, table.attempt, in_order(act.result), Ending.PLAYED),)


def abort_table(state: State, act: a.AbortTable) -> tuple[e.Event, ...]:
    table = state.table(act.table)
    if table.status in OVER:
        raise Refused(Refusal.TABLE_OVER)
    return (e.TableAborted(table.number, table.attempt),)


def end_table(state: State, act: a.EndTable) -> tuple[e.Event, ...]:
    """A game under way is told to stop, and its ranking follows; without a game all are equal, and a draw decides."""
    table = state.table(act.table)
    if table.status is TableStatus.ENDING:
        raise Refused(Refusal.TABLE_ENDING)
    if table.status is TableStatus.FINISHED:
        raise Refused(Refusal.TABLE_OVER)
    if table.status is TableStatus.PLAYING:
        return (e.TableEnding(table.number, table.attempt),)
    return (e.TableFinished(table.number, table.attempt, unplayed_result(table), Ending.UNPLAYED),)


def replay_table(state: State, act: a.ReplayTable) -> tuple[e.Event, ...]:
    """Everyone at the table plays again, who forfeited it too; not who is out of the tournament."""
    table = state.table(act.table)
    if can_play_again(state, table) < LEAST_SEATS:
        raise Refused(Refusal.TOO_FEW)
    if table.status is TableStatus.SEATED:
        raise Refused(Refusal.TABLE_NOT_BEGUN)
    if table.round != len(state.rounds):
        raise Refused(Refusal.ROUND_OVER)
    return (*reopened(state), replayed(state, table))


def can_play_again(state: State, table: Table) -> int:
    """How many of those at the table are not out of the tournament."""
    return sum(state.entry(entry).status is EntryStatus.PLAYING for entry in table.seats)


def replayed(state: State, table: Table) -> e.TableReplayed:
    """The table set up anew. Who was put out of the tournament after the table was over is out of it now, too."""
    out = list(out_for_good(state, table))
    known = {leaver.entry for leaver in out}
    gone = [entry for entry in table.seats if state.entry(entry).status is not EntryStatus.PLAYING]
    late = sorted((entry for entry in gone if entry not in known), key=lambda entry: state.entry(entry).left)
    out += [Leaver(entry, table.since) for entry in late]
    return e.TableReplayed(table.number, table.attempt + 1, tuple(out))


def out_for_good(state: State, table: Table) -> tuple[Leaver, ...]:
    """Those who left the table and are out of the tournament; a replay or a correction takes back a mere forfeit."""
    return tuple(leaver for leaver in table.out if state.entry(leaver.entry).status is not EntryStatus.PLAYING)


def correct_result(state: State, act: a.CorrectResult) -> tuple[e.Event, ...]:
    """The organiser's ruling overrides the game and the table's forfeits, but not who is out of the tournament."""
    table, result = state.table(act.table), in_order(act.result)
    if table.status is not TableStatus.FINISHED:
        raise Refused(Refusal.TABLE_NOT_OVER)
    _refuse_bad_result(result, table)
    out = out_for_good(state, table)
    if (result, out) == (table.result, table.out):
        raise Refused(Refusal.NOTHING_CHANGES)
    if is_built_on(state, table) and not keeps_who_goes_on(state, state.rounds[table.round - 1], table, result, out):
        raise Refused(Refusal.CHANGES_WHO_GOES_ON)
    return (e.ResultCorrected(table.number, result, out), *_settled_anew(state, table))


def is_built_on(state: State, table: Table) -> bool:
    """Whether who goes on from this table can no longer change: a later round is seated, or no further one can be."""
    if table.round < len(state.rounds):
        return True
    return state.phase is Phase.FINISHED and not ended_by_a_final(state)


def _settled_anew(state: State, table: Table) -> tuple[e.Event, ...]:
    if table.round == len(state.rounds) or state.phase is Phase.FINISHED:
        return reopened(state)
    return ()


def reopen_round(state: State, act: a.ReopenRound) -> tuple[e.Event, ...]:
    return (e.RoundReopened(act.round),)


def _refuse_bad_result(result: Result, table: Table) -> None:
    fault = result_fault(result, table.seats)
    if fault is not None:
        raise Refused(Refusal.BAD_RESULT, fault.value)
