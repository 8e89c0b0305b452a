"""The tournament after an event. It copies outcomes and knows no rules.

It accepts every log that ``decide`` and ``advance`` can make, and does not judge others; an event about an entry, a
table or a round that there is not raises LookupError.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, assert_never

from tournaments.rules import events as e
from tournaments.rules.state import (
    NOT_CREATED,
    Entry,
    EntryNo,
    EntryStatus,
    Leaver,
    Phase,
    Round,
    State,
    Table,
    TableNo,
    TableStatus,
)


def replay(log: Iterable[e.Logged]) -> State:
    """The tournament after all of these lines."""
    state = NOT_CREATED
    for line in log:
        state = evolve(state, line)
    return state


def evolve(state: State, line: e.Logged) -> State:
    """The tournament after one more line."""
    after = _evolve(state, line.event, line.at)
    return replace(after, version=state.version + 1)


def _evolve(state: State, event: e.Event, at: int) -> State:  # noqa: C901  # one case an event
    match event:
        case e.TournamentCreated():
            return replace(NOT_CREATED, terms=event.terms, commitment=event.commitment)
        case e.TermsChanged():
            return replace(state, terms=event.terms)
        case e.SeedingListed():
            return replace(state, listed=event.order)
        case e.RegistrationOpened():
            return replace(state, phase=Phase.REGISTRATION)
        case e.RegistrationClosed():
            return replace(state, phase=Phase.CHECK_IN)
        case e.EntryRegistered():
            return _registered(state, event)
        case e.EntryPromoted():
            return _promoted(state, event)
        case e.EntryCheckedIn():
            return _with_entry(state, event.entry, checked_in=True)
        case e.EntryWithdrawn():
            return _gone(state, event.entry, EntryStatus.WITHDRAWN, event.table, at)
        case e.EntryDisqualified():
            return _gone(state, event.entry, EntryStatus.DISQUALIFIED, event.table, at)
        case e.EntryForfeited():
            return _out_of_table(state, event.table, event.entry, at)
        case e.EntryReplaced():
            return _with_entry(state, event.entry, holder=event.holder, bot=False, checked_in=False)
        case e.BotSeated():
            return _with_entry(state, event.entry, bot=True)
        case e.EntryReinstated():
            return _with_entry(state, event.entry, status=EntryStatus.PLAYING, left=0)
        case e.TournamentStarted():
            return _started(state, event)
        case e.EntriesSeeded():
            return replace(state, seeding=event.order)
        case e.RoundSeated():
            return _round_seated(state, event, at)
        case e.TableOpened():
            return _with_table(state, event.table, status=TableStatus.PLAYING, since=at)
        case e.TableEnding():
            return _with_table(state, event.table, status=TableStatus.ENDING, since=at)
        case e.TableAborted():
            return _with_table(state, event.table, status=TableStatus.ABORTED, since=at)
        case e.TableFinished():
            return _with_table(
                state,
                event.table,
                status=TableStatus.FINISHED,
                since=at,
                result=event.result,
                ending=event.ending,
            )
        case e.TableReplayed():
            return _table_replayed(state, event, at)
        case e.ResultCorrected():
            return _result_corrected(state, event)
        case e.RoundFinished():
            return _round_finished(state, event, at)
        case e.RoundReopened():
            return _round_reopened(state, event, at)
        case e.RankingSettled():
            return replace(state, ranking=event.order, ties=event.ties)
        case e.TournamentPaused():
            return replace(state, phase=Phase.PAUSED)
        case e.TournamentResumed():
            return replace(state, phase=Phase.RUNNING)
        case e.TournamentFinished():
            return replace(state, phase=Phase.FINISHED)
        case e.TournamentCancelled():
            return replace(state, phase=Phase.CANCELLED)
        case e.SeedRevealed():
            return replace(state, revealed=True)
        case _:
            assert_never(event)


def _with_entry(state: State, number: EntryNo, **changes: Any) -> State:
    entries, at = state.entries, number - 1
    return replace(state, entries=(*entries[:at], replace(entries[at], **changes), *entries[at + 1 :]))


def _with_table(state: State, number: TableNo, **changes: Any) -> State:
    tables, at = state.tables, number - 1
    return replace(state, tables=(*tables[:at], replace(tables[at], **changes), *tables[at + 1 :]))


def _with_latest(state: State, **changes: Any) -> State:
    return replace(state, rounds=(*state.rounds[:-1], replace(state.rounds[-1], **changes)))


def _registered(state: State, event: e.EntryRegistered) -> State:
    status = EntryStatus.WAITING if event.waiting else EntryStatus.ENTERED
    entry = Entry(event.entry, status, checked_in=event.bot, bot=event.bot)
    if event.waiting:
        return replace(state, entries=(*state.entries, entry), waiting=(*state.waiting, event.entry))
    return replace(state, entries=(*state.entries, entry), taken=state.taken + 1)


def _promoted(state: State, event: e.EntryPromoted) -> State:
    state = _with_entry(state, event.entry, status=EntryStatus.ENTERED)
    return replace(state, waiting=_without(state.waiting, event.entry), taken=state.taken + 1)


def _without(waiting: tuple[EntryNo, ...], entry: EntryNo) -> tuple[EntryNo, ...]:
    return tuple(other for other in waiting if other != entry)


def _gone(state: State, number: EntryNo, status: EntryStatus, table: TableNo | None, at: int) -> State:
    before = state.entry(number).status
    leavers = state.leavers + 1
    state = replace(_with_entry(state, number, status=status, left=leavers), leavers=leavers)
    if before is EntryStatus.WAITING:
        return replace(state, waiting=_without(state.waiting, number))
    if before is EntryStatus.ENTERED:
        return replace(state, taken=state.taken - 1)
    return state if table is None else _out_of_table(state, table, number, at)


def _out_of_table(state: State, table: TableNo, entry: EntryNo, at: int) -> State:
    return _with_table(state, table, out=(*state.table(table).out, Leaver(entry, at)))


def _started(state: State, event: e.TournamentStarted) -> State:
    entries = list(state.entries)
    for number in event.entries:
        entries[number - 1] = replace(entries[number - 1], status=EntryStatus.PLAYING, started=True)
    for number in event.bots:
        entries[number - 1] = replace(entries[number - 1], bot=True)
    for number in event.absent:
        entries[number - 1] = replace(entries[number - 1], status=EntryStatus.ABSENT)
    waiting = tuple(number for number in state.waiting if entries[number - 1].status is EntryStatus.WAITING)
    return replace(state, entries=tuple(entries), waiting=waiting, taken=len(event.entries), phase=Phase.RUNNING)


def _round_seated(state: State, event: e.RoundSeated, at: int) -> State:
    tables = tuple(
        Table(TableNo(number), event.round, seats, TableStatus.SEATED, at)
        for number, seats in enumerate(event.tables, start=event.first_table)
    )
    seated = Round(event.round, event.first_table, len(tables), event.byes, event.repeats, at)
    return replace(state, tables=state.tables + tables, rounds=(*state.rounds, seated))


def _table_replayed(state: State, event: e.TableReplayed, at: int) -> State:
    return _with_table(
        state,
        event.table,
        status=TableStatus.SEATED,
        since=at,
        attempt=event.attempt,
        out=event.out,
        result=(),
        corrections=0,
    )


def _result_corrected(state: State, event: e.ResultCorrected) -> State:
    corrections = state.table(event.table).corrections + 1
    return _with_table(state, event.table, result=event.result, out=event.out, corrections=corrections)


def _round_finished(state: State, event: e.RoundFinished, at: int) -> State:
    return _with_latest(state, going_on=event.going_on, ties=event.ties, finished_at=at)


def _round_reopened(state: State, event: e.RoundReopened, at: int) -> State:
    tables = tuple(
        replace(table, status=TableStatus.VOID, since=at)
        if table.round > event.round and table.status is not TableStatus.VOID
        else table
        for table in state.tables
    )
    state = replace(state, tables=tables, rounds=state.rounds[: event.round], ranking=(), ties=())
    return _with_latest(state, going_on=None, ties=(), finished_at=None) if state.rounds else state
