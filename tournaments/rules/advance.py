"""What follows by itself: opening and closing, promotion, seating, walkovers, the end of rounds and of all.

``advance`` may be called at any time, twice, late, or after a crash in the middle of writing its lines: each step is
derived from the state alone, so what was written is not done again, and what was not is done as it would have been.
While a tournament is paused nothing follows by itself.
"""

from __future__ import annotations

from tournaments.rules import events as e
from tournaments.rules.draws import SEEDING_USE, commitment, drawn, tie_use
from tournaments.rules.evolve import evolve
from tournaments.rules.field import byes_had, entrants, free_places, still_in
from tournaments.rules.knockout import plan_round
from tournaments.rules.meetings import met_before
from tournaments.rules.results import cut_of, unplayed_result
from tournaments.rules.standings import settled
from tournaments.rules.state import (
    Ending,
    EntryNo,
    EntryStatus,
    Phase,
    Round,
    RoundNo,
    State,
    Table,
    TableNo,
    TableStatus,
    Tie,
)
from tournaments.rules.tables import can_play_again, replayed
from tournaments.rules.terms import ABORT_WAIT_MS, LEAST_SEATS, MOST_ATTEMPTS, Seeding


def advance(state: State, *, now: int, seed: bytes) -> tuple[e.Logged, ...]:
    """The lines to be added to the log at this instant (ms); empty if nothing follows until something else happens.

    ValueError if the seed is not the one that the tournament is committed to.
    """
    if commitment(seed) != state.commitment:
        raise ValueError("this is not the seed that the tournament is committed to")
    log: list[e.Logged] = []
    while events := _next_events(state, now, seed):
        lines = [e.Logged(event, now) for event in events]
        for line in lines:
            state = evolve(state, line)
        log += lines
    return tuple(log)


def wakes_at(state: State) -> int | None:
    """The next instant (ms) at which something may follow by the clock alone; None if nothing will."""
    match state.phase:
        case Phase.DRAFT:
            return state.terms.opens_at
        case Phase.REGISTRATION:
            return state.terms.closing
        case Phase.CHECK_IN:
            return state.terms.starts_at if state.terms.start_by_clock else None
        case Phase.RUNNING if state.latest is not None:
            return min(map(_aborted_until, _aborted(state, state.latest)), default=None)
        case _:
            return None


def _next_events(state: State, now: int, seed: bytes) -> tuple[e.Event, ...]:
    """The next step, as events that follow one another; empty if there is none."""
    match state.phase:
        case Phase.DRAFT:
            return (e.RegistrationOpened(),) if _due(state.terms.opens_at, now) else ()
        case Phase.REGISTRATION:
            return _promotions(state) or ((e.RegistrationClosed(),) if _due(state.terms.closing, now) else ())
        case Phase.CHECK_IN:
            return _promotions(state) or _start(state, now)
        case Phase.RUNNING:
            return _run(state, now, seed)
        case Phase.FINISHED:
            return _close(state, seed)
        case Phase.CANCELLED:
            return _reveal(state, seed)
        case Phase.PAUSED:
            return ()


def _due(instant: int | None, now: int) -> bool:
    return instant is not None and now >= instant


def _promotions(state: State) -> tuple[e.Event, ...]:
    """The first of the waiting list get the places that are free."""
    return tuple(map(e.EntryPromoted, state.waiting[: free_places(state)]))


def _start(state: State, now: int) -> tuple[e.Event, ...]:
    if not state.terms.start_by_clock or not _due(state.terms.starts_at, now):
        return ()
    entries, bots, absent = entrants(state)
    if len(entries) < LEAST_SEATS:
        return (e.TournamentCancelled(e.CancelCause.TOO_FEW),)
    return (e.TournamentStarted(entries, bots, absent),)


def _run(state: State, now: int, seed: bytes) -> tuple[e.Event, ...]:
    if not state.seeding:
        return (e.EntriesSeeded(seeding_order(state, seed)),)
    latest = state.latest
    if latest is not None and latest.going_on is None:
        return _settle_tables(state, latest, now) or _finish_round(state, latest, seed)
    left = still_in(state)  # after a final: the champion or nobody
    if len(left) >= LEAST_SEATS:
        return (seated(state, left),)
    if not state.ranking:
        return (settled(state, seed),)
    return (e.TournamentFinished(left[0] if left else None),)


def seeding_order(state: State, seed: bytes) -> tuple[EntryNo, ...]:
    """All who started, best seed first: drawn, or as listed and then as they registered."""
    started = tuple(entry.number for entry in state.entries if entry.started)
    if state.terms.seeding is Seeding.RANDOM:
        return drawn(seed, SEEDING_USE, started)
    listed = tuple(number for number in state.listed if state.entry(number).started)
    return listed + tuple(number for number in started if number not in set(listed))


def seated(state: State, left: tuple[EntryNo, ...]) -> e.RoundSeated:
    """The next round for those who are left, in the seeding order.

    Seeds stay what they were: one that beat a better seed does not become one (choice; so a round decides no more than
    who goes on).
    """
    number, inside = RoundNo(len(state.rounds) + 1), frozenset(left)
    order = [entry for entry in state.seeding if entry in inside]
    played = [table.seats for table in state.tables if table.status is not TableStatus.VOID]
    plan = plan_round(
        order,
        seats=state.terms.table_size,
        byes_had=byes_had(state),
        meetings=met_before(played, inside),
    )
    return e.RoundSeated(number, TableNo(len(state.tables) + 1), plan.tables, plan.byes, plan.repeats)


def _settle_tables(state: State, latest: Round, now: int) -> tuple[e.Event, ...]:
    """Tables that need no game, or no longer await one: walkovers, and aborted tables that nobody took care of."""
    events: list[e.Event] = []
    for table in state.tables_of(latest):
        if table.status in (TableStatus.SEATED, TableStatus.ABORTED) and len(table.staying) < LEAST_SEATS:
            events.append(_without_game(table, Ending.WALKOVER))
        elif table.status is TableStatus.ABORTED and now >= _aborted_until(table):
            again = table.attempt < MOST_ATTEMPTS and can_play_again(state, table) >= LEAST_SEATS
            events.append(replayed(state, table) if again else _without_game(table, Ending.UNPLAYED))
    return tuple(events)


def _without_game(table: Table, ending: Ending) -> e.TableFinished:
    return e.TableFinished(table.number, table.attempt, unplayed_result(table), ending)


def _aborted(state: State, of: Round) -> list[Table]:
    return [table for table in state.tables_of(of) if table.status is TableStatus.ABORTED]


def _aborted_until(table: Table) -> int:
    return table.since + ABORT_WAIT_MS


def _finish_round(state: State, latest: Round, seed: bytes) -> tuple[e.Event, ...]:
    if any(table.unsettled for table in state.tables_of(latest)):
        return ()
    return (finished(state, latest, seed),)


def finished(state: State, of: Round, seed: bytes) -> e.RoundFinished:
    """The end of a round whose tables all have a result: who goes on, byes included, and the draws that it took."""
    going_on = [entry for entry in of.byes if state.entry(entry).status is EntryStatus.PLAYING]
    ties: list[Tie] = []
    for table in state.tables_of(of):
        at = cut_of(state, of, table)
        going_on += at.sure
        if at.tied:
            order = drawn(seed, tie_use(table.number, table.attempt, table.corrections), at.tied)
            going_on += order[: at.places]
            ties.append(Tie(table.number, at.places, order))
    return e.RoundFinished(of.number, tuple(sorted(going_on)), tuple(ties))


def _close(state: State, seed: bytes) -> tuple[e.Event, ...]:
    """After the end: what a late disqualification or correction has unsettled is settled anew; the seed is shown."""
    latest = state.latest
    if latest is not None and latest.going_on is None:
        return (finished(state, latest, seed),)
    if not state.ranking:
        return (settled(state, seed),)
    return _reveal(state, seed)


def _reveal(state: State, seed: bytes) -> tuple[e.Event, ...]:
    return () if state.revealed else (e.SeedRevealed(seed.hex()),)
