"""The organiser's desk: acts about one entry or the whole. (Phase, reason and entry have been judged already.)"""

from __future__ import annotations

from tournaments.rules import acts as a
from tournaments.rules import events as e
from tournaments.rules.field import is_still_in, unsettled_table
from tournaments.rules.refusals import Refusal, Refused
from tournaments.rules.state import BEFORE_START, EntryNo, EntryStatus, Phase, RoundNo, State, TableNo


def withdraw(state: State, act: a.Withdraw) -> tuple[e.Event, ...]:
    if not has_something_to_lose(state, act.entry):
        raise Refused(Refusal.ENTRY_OUT)
    return (e.EntryWithdrawn(act.entry, _table_left(state, act.entry)), *reopened(state))


def replace(state: State, act: a.Replace) -> tuple[e.Event, ...]:
    """The entry keeps its seat, its cards and its place in the tournament; only who plays for it changes."""
    if not has_something_to_lose(state, act.entry):
        raise Refused(Refusal.ENTRY_OUT)
    return (e.EntryReplaced(act.entry, state.entry(act.entry).holder + 1),)


def no_show(state: State, act: a.NoShow) -> tuple[e.Event, ...]:
    table = _table_to_be_settled(state, act.entry)
    if not act.bot:
        return (e.EntryForfeited(act.entry, table, no_show=True),)
    if state.entry(act.entry).bot:
        raise Refused(Refusal.ALREADY_BOT)
    return (e.BotSeated(act.entry),)


def forfeit(state: State, act: a.Forfeit) -> tuple[e.Event, ...]:
    return (e.EntryForfeited(act.entry, _table_to_be_settled(state, act.entry), no_show=False),)


def disqualify(state: State, act: a.Disqualify) -> tuple[e.Event, ...]:
    """Also of one who is eliminated already, and after the end: the ranking is then settled anew."""
    status = state.entry(act.entry).status
    before = state.phase in BEFORE_START and status in (EntryStatus.WAITING, EntryStatus.ENTERED)
    if not before and status is not EntryStatus.PLAYING:
        raise Refused(Refusal.ENTRY_OUT)
    return (e.EntryDisqualified(act.entry, _table_left(state, act.entry)), *reopened(state))


def reinstate(state: State, act: a.Reinstate) -> tuple[e.Event, ...]:
    """It is in again from here on: a table that it left, or that was seated without it, stays as it is."""
    entry = state.entry(act.entry)
    if not entry.started or entry.status is EntryStatus.PLAYING:
        raise Refused(Refusal.ENTRY_IN)
    if state.phase is Phase.FINISHED and not ended_by_a_final(state):
        raise Refused(Refusal.CHANGES_WHO_GOES_ON)
    return (e.EntryReinstated(act.entry), *reopened(state))


def has_something_to_lose(state: State, entry: EntryNo) -> bool:
    """Whether the entry is registered, or still in a tournament that runs."""
    if state.phase in BEFORE_START:
        return state.entry(entry).status in (EntryStatus.WAITING, EntryStatus.ENTERED)
    return is_still_in(state, entry)


def ended_by_a_final(state: State) -> bool:
    """Whether the last round was a final; if not, all but one or none had dropped out before there was one.

    Then nobody more may be let into the last round afterwards: it would call for a round that can no longer be played.
    """
    return state.latest is not None and state.latest.final


def reopened(state: State) -> tuple[e.Event, ...]:
    """What follows from a change of who is in, if the last round or the ranking was settled without knowing it.

    Who takes the place of one that goes on no more is then settled anew; a round that has been seated stays.
    """
    latest = state.latest
    if latest is None:
        return (e.RoundReopened(RoundNo(0)),) if state.phase is Phase.FINISHED or state.ranking else ()
    return (e.RoundReopened(latest.number),) if latest.going_on is not None else ()


def _table_left(state: State, entry: EntryNo) -> TableNo | None:
    table = unsettled_table(state, entry)
    return None if table is None else table.number


def _table_to_be_settled(state: State, entry: EntryNo) -> TableNo:
    table = _table_left(state, entry)
    if table is None:
        raise Refused(Refusal.NOT_AT_TABLE)
    return table
