"""Who is in, and where they sit: questions that several rules ask of a tournament."""

from __future__ import annotations

from tournaments.rules.state import IN_PLAY, EntryNo, EntryStatus, Round, State, Table
from tournaments.rules.terms import NoShows


def still_in(state: State) -> tuple[EntryNo, ...]:
    """Those who may still win, ascending: neither out of the tournament, nor of their table, nor eliminated."""
    latest = state.latest
    if latest is None:
        return tuple(entry.number for entry in state.entries if entry.status is EntryStatus.PLAYING)
    if latest.going_on is not None:
        at_it = list(latest.going_on)
    else:
        at_it = [*latest.byes, *(entry for table in state.tables_of(latest) for entry in table.staying)]
    return tuple(sorted(entry for entry in at_it if state.entry(entry).status is EntryStatus.PLAYING))


def is_still_in(state: State, number: EntryNo) -> bool:
    """Whether this entry is among ``still_in``, found without looking at all others' entries."""
    latest = state.latest
    if state.entry(number).status is not EntryStatus.PLAYING:
        return False
    if latest is None:
        return True
    if latest.going_on is not None:
        return number in latest.going_on
    if number in latest.byes:
        return True
    table = seat_in(state, latest, number)
    return table is not None and not table.has_left(number)


def seat_in(state: State, of: Round, entry: EntryNo) -> Table | None:
    """The table at which this entry sits, or sat, in a round."""
    return next((table for table in state.tables_of(of) if entry in table.seats), None)


def unsettled_table(state: State, entry: EntryNo) -> Table | None:
    """The table at which this entry sits and which awaits its result; None if it is out of it."""
    latest = state.latest
    if latest is None or latest.going_on is not None or state.phase not in IN_PLAY:
        return None
    table = seat_in(state, latest, entry)
    return table if table is not None and table.unsettled and not table.has_left(entry) else None


def byes_had(state: State) -> dict[EntryNo, int]:
    """How many byes each entry has had; those without are absent."""
    had: dict[EntryNo, int] = {}
    for of in state.rounds:
        for entry in of.byes:
            had[entry] = had.get(entry, 0) + 1
    return had


def free_places(state: State) -> int:
    """How many more may be entered; 0 also if the terms were changed to fewer places than are taken."""
    return max(0, state.terms.capacity - state.taken)


def entrants(state: State) -> tuple[tuple[EntryNo, ...], tuple[EntryNo, ...], tuple[EntryNo, ...]]:
    """Who would start now (ascending), for whom of them a bot would play, and who would be left out.

    Without check-in everyone with a place starts. With it, those who are not there are left out or get a bot, as the
    terms say; places that they leave go to those of the waiting list who are there, in its order (choice).
    """
    placed = [entry for entry in state.entries if entry.status is EntryStatus.ENTERED]
    there = [entry.number for entry in placed if entry.checked_in or not state.terms.check_in]
    missing = tuple(entry.number for entry in placed if not entry.checked_in and state.terms.check_in)
    bots, absent = (missing, ()) if state.terms.no_shows is NoShows.BOT else ((), missing)
    ready = [n for n in state.waiting if state.entry(n).checked_in or not state.terms.check_in]
    standing_by = ready[: max(0, state.terms.capacity - len(there) - len(bots))]
    return tuple(sorted([*there, *bots, *standing_by])), bots, absent
