"""Acts before the start: terms, places, waiting list, check-in. (Phase, reason and entry have been judged already.)"""

from __future__ import annotations

from tournaments.rules import acts as a
from tournaments.rules import events as e
from tournaments.rules.field import entrants, free_places
from tournaments.rules.refusals import Refusal, Refused
from tournaments.rules.state import EntryNo, EntryStatus, Phase, State
from tournaments.rules.terms import (
    FIXED_WHEN_OPEN,
    LEAST_SEATS,
    MOST_ENTRIES,
    Seeding,
    Terms,
    changed,
    past_time,
    terms_fault,
)


def change_terms(state: State, act: a.ChangeTerms, at: int) -> tuple[e.Event, ...]:
    """After the draft what players rely on stays; places do not fall below those that are taken."""
    refuse_bad_terms(act.terms)
    names = changed(act.terms, state.terms)
    if state.phase is not Phase.DRAFT:
        for name in names:
            if name in FIXED_WHEN_OPEN:
                raise Refused(Refusal.TERMS_FIXED, name)
        if act.terms.capacity < state.taken:
            raise Refused(Refusal.TERMS_FIXED, "capacity")
    late = past_time(act.terms, state.terms, at)
    if late is not None:
        raise Refused(Refusal.TIME_PAST, late)
    if not names:
        raise Refused(Refusal.NOTHING_CHANGES)
    return (e.TermsChanged(act.terms),)


def refuse_bad_terms(terms: Terms) -> None:
    """Raise Refused(BAD_TERMS) if they contradict themselves."""
    fault = terms_fault(terms)
    if fault is not None:
        raise Refused(Refusal.BAD_TERMS, fault.value)


def list_seeding(state: State, act: a.ListSeeding) -> tuple[e.Event, ...]:
    """A list may name some entries only; those that are out when it is used are passed over."""
    if any(not 1 <= number <= len(state.entries) for number in act.order):
        raise Refused(Refusal.NO_SUCH_ENTRY)
    named = [state.entry(number).status for number in act.order]
    if len(set(act.order)) < len(act.order) or any(s not in (EntryStatus.ENTERED, EntryStatus.WAITING) for s in named):
        raise Refused(Refusal.BAD_SEEDING)
    if state.terms.seeding is not Seeding.LIST:
        raise Refused(Refusal.SEEDING_IS_DRAWN)
    if act.order == state.listed:
        raise Refused(Refusal.NOTHING_CHANGES)
    return (e.SeedingListed(act.order),)


def open_registration(state: State, at: int) -> tuple[e.Event, ...]:
    """Refused once the closing time is past, as the clock would close it again at once: change the terms first."""
    if state.terms.closing is not None and at >= state.terms.closing:
        raise Refused(Refusal.TIME_PAST, "closes_at")
    return (e.RegistrationOpened(),)


def register(state: State, act: a.Register) -> tuple[e.Event, ...]:
    """Nobody gets a place while others wait for it."""
    waiting = not has_place(state)
    if waiting and not has_waiting_place(state):
        raise Refused(Refusal.FULL)
    return (e.EntryRegistered(EntryNo(len(state.entries) + 1), waiting, act.bot),)


def has_place(state: State) -> bool:
    """Whether the next to register gets a place at once."""
    return free_places(state) > len(state.waiting)


def has_waiting_place(state: State) -> bool:
    """Whether the next to register may at least wait."""
    return state.terms.waiting_list and len(state.waiting) < MOST_ENTRIES


def promote(state: State, act: a.Promote) -> tuple[e.Event, ...]:
    if state.entry(act.entry).status is not EntryStatus.WAITING:
        raise Refused(Refusal.NOT_WAITING)
    if not free_places(state):
        raise Refused(Refusal.NO_FREE_PLACE)
    return (e.EntryPromoted(act.entry),)


def check_in(state: State, act: a.CheckIn) -> tuple[e.Event, ...]:
    """Who is on the waiting list may check in too, and then gets the place of one who did not."""
    entry = state.entry(act.entry)
    if entry.status not in (EntryStatus.ENTERED, EntryStatus.WAITING):
        raise Refused(Refusal.ENTRY_OUT)
    if not state.terms.check_in:
        raise Refused(Refusal.NO_CHECK_IN)
    if entry.checked_in:
        raise Refused(Refusal.ALREADY_CHECKED_IN)
    return (e.EntryCheckedIn(act.entry),)


def start(state: State) -> tuple[e.Event, ...]:
    """Begin with whoever is there; at least two."""
    entries, bots, absent = entrants(state)
    if len(entries) < LEAST_SEATS:
        raise Refused(Refusal.TOO_FEW)
    started = e.TournamentStarted(entries, bots, absent)
    return (e.RegistrationClosed(), started) if state.phase is Phase.REGISTRATION else (started,)
