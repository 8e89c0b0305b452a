"""Terms, places, waiting list, check-in, start."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.tournaments.rules.desk import CREATED_AT, MINUTE, SEED, Desk, knockout, ladder
from tournaments.rules import acts as a
from tournaments.rules import events as e
from tournaments.rules.advance import wakes_at
from tournaments.rules.draws import commitment
from tournaments.rules.life import create
from tournaments.rules.refusals import Refusal, Refused
from tournaments.rules.state import EntryNo, EntryStatus, Phase
from tournaments.rules.terms import NoShows, Seeding, TableKind, Terms, TermsFault

OPENS, CLOSES, STARTS = CREATED_AT + 10 * MINUTE, CREATED_AT + 20 * MINUTE, CREATED_AT + 30 * MINUTE


@pytest.mark.parametrize(
    ("terms", "fault"),
    [
        (knockout(11), TermsFault.TABLE_SIZE),
        (knockout(1), TermsFault.TABLE_SIZE),
        (knockout(4, 4), TermsFault.GO_ON),
        (knockout(4, 0), TermsFault.GO_ON),
        (knockout(capacity=1), TermsFault.CAPACITY),
        (knockout(capacity=10_001), TermsFault.CAPACITY),
        (replace(ladder(), table_kind=TableKind.SINGLE), TermsFault.LADDER_IS_ONE_TABLE),
        (replace(ladder(), capacity=11), TermsFault.LADDER_IS_ONE_TABLE),
        (knockout(opens_at=CLOSES, closes_at=OPENS), TermsFault.TIMES_IN_ORDER),
        (knockout(opens_at=OPENS, closes_at=OPENS), TermsFault.TIMES_IN_ORDER),
        (knockout(closes_at=STARTS, starts_at=CLOSES), TermsFault.TIMES_IN_ORDER),
        (knockout(opens_at=STARTS, starts_at=CLOSES), TermsFault.TIMES_IN_ORDER),
        (knockout(start_by_clock=True), TermsFault.START_TIME_MISSING),
    ],
)
def test_terms_that_contradict_themselves_are_refused(terms: Terms, fault: TermsFault) -> None:
    """With the code of what is wrong: at creation, and when terms are changed."""
    with pytest.raises(Refused) as caught:
        create(terms, commitment=commitment(SEED), by="owner", at=CREATED_AT)
    assert (caught.value.refusal, caught.value.detail) == (Refusal.BAD_TERMS, fault.value)
    assert Desk(knockout()).refused(a.ChangeTerms(terms)) == (Refusal.BAD_TERMS, fault.value)


def test_a_time_in_the_past_is_refused_but_one_that_has_passed_may_stay() -> None:
    """Only a new instant must lie ahead."""
    with pytest.raises(Refused) as caught:
        Desk(knockout(closes_at=CREATED_AT))
    assert (caught.value.refusal, caught.value.detail) == (Refusal.TIME_PAST, "closes_at")
    desk = Desk(knockout(opens_at=OPENS, closes_at=CLOSES))
    desk.advance(11 * MINUTE)
    assert desk.refused(a.ChangeTerms(knockout(opens_at=OPENS + 1, closes_at=CLOSES)))[0] is Refusal.TIME_PAST
    desk.ask(a.ChangeTerms(knockout(opens_at=OPENS, closes_at=STARTS)))
    assert desk.state.terms.closes_at == STARTS


def test_what_players_rely_on_is_fixed_once_registration_has_opened() -> None:
    """Places may change, but not below those that are taken; the same terms again change nothing."""
    desk = Desk(knockout(4, 2, 10))
    desk.ask(a.ChangeTerms(knockout(5, 3, 10)), a.OpenRegistration(), *[a.Register()] * 6)
    assert desk.refused(a.ChangeTerms(knockout(5, 2, 10))) == (Refusal.TERMS_FIXED, "go_on")
    assert desk.refused(a.ChangeTerms(knockout(5, 3, 5))) == (Refusal.TERMS_FIXED, "capacity")
    assert desk.refused(a.ChangeTerms(knockout(5, 3, 10))) == (Refusal.NOTHING_CHANGES, "")
    desk.ask(a.ChangeTerms(knockout(5, 3, 6)))
    assert desk.state.terms.capacity == 6


def test_registration_opens_and_closes_at_its_instants_however_late_the_clock() -> None:
    """The instants are milliseconds UTC, so a change of the wall clock moves nothing."""
    desk = Desk(knockout(opens_at=OPENS, closes_at=CLOSES))
    assert wakes_at(desk.state) == OPENS
    assert desk.refused(a.Register()) == (Refusal.NOT_OPEN_YET, "")
    assert desk.advance(10 * MINUTE - 1) == []
    assert desk.advance(1) == [e.RegistrationOpened()]
    assert wakes_at(desk.state) == CLOSES
    late = Desk(knockout(opens_at=OPENS, closes_at=CLOSES))
    assert late.advance(24 * 60 * MINUTE) == [e.RegistrationOpened(), e.RegistrationClosed()]


def test_nobody_registers_after_the_closing_time_though_the_clock_be_late() -> None:
    """What was agreed holds, not when the sweep came round; and it is not opened again for an instant that is past."""
    desk = Desk(knockout(closes_at=CLOSES))
    desk.ask(a.OpenRegistration(), a.Register())
    desk.now = CLOSES
    assert desk.state.phase is Phase.REGISTRATION
    assert desk.refused(a.Register()) == (Refusal.REGISTRATION_CLOSED, "")
    desk.advance()
    assert desk.refused(a.Register()) == (Refusal.REGISTRATION_CLOSED, "")
    assert desk.refused(a.OpenRegistration()) == (Refusal.TIME_PAST, "closes_at")
    desk.ask(a.ChangeTerms(knockout(closes_at=CLOSES + MINUTE)), a.OpenRegistration(), a.Register())
    assert desk.state.taken == 2


def test_a_full_tournament_takes_names_and_promotes_them_in_order() -> None:
    """Nobody passes those who wait; a place that becomes free goes to the first of them."""
    desk = Desk(knockout(capacity=2))
    desk.ask(a.OpenRegistration(), *[a.Register()] * 4)
    assert desk.state.waiting == (3, 4)
    desk.ask(a.Withdraw(EntryNo(1)), a.Register())
    assert desk.entry(5).status is EntryStatus.WAITING, "a place is free, but others wait for it"
    assert desk.advance() == [e.EntryPromoted(EntryNo(3))]
    desk.ask(a.Withdraw(EntryNo(4)), a.ChangeTerms(knockout(capacity=3)))
    assert desk.advance() == [e.EntryPromoted(EntryNo(5))]
    assert [len(desk.state.waiting), desk.state.taken] == [0, 3]


def test_a_full_tournament_without_waiting_list_refuses() -> None:
    """One clear code, and nothing happens."""
    desk = Desk(knockout(capacity=2, waiting_list=False))
    desk.ask(a.OpenRegistration(), a.Register(), a.Register())
    assert desk.refused(a.Register()) == (Refusal.FULL, "")
    assert len(desk.state.entries) == 2


def test_the_organiser_may_promote_out_of_turn_but_only_into_a_free_place() -> None:
    """And must say why."""
    desk = Desk(knockout(capacity=2))
    desk.ask(a.OpenRegistration(), *[a.Register()] * 4)
    assert desk.refused(a.Promote(EntryNo(4))) == (Refusal.NO_FREE_PLACE, "")
    assert desk.refused(a.Promote(EntryNo(2))) == (Refusal.NOT_WAITING, "")
    desk.ask(a.Withdraw(EntryNo(1)))
    assert desk.refused(a.Promote(EntryNo(4)), why="") == (Refusal.NEEDS_REASON, "")
    desk.ask(a.Promote(EntryNo(4)))
    assert desk.state.waiting == (3,)


def test_check_in_counts_once_and_only_where_there_is_one() -> None:
    """Also for the waiting list; a bot is always there."""
    desk = Desk(knockout(capacity=2, check_in=True))
    desk.ask(a.OpenRegistration(), a.Register(), a.Register(bot=True), a.Register(), a.Register())
    desk.ask(a.Withdraw(EntryNo(4)))
    assert desk.refused(a.CheckIn(EntryNo(1))) == (Refusal.WRONG_PHASE, "")
    desk.ask(a.CloseRegistration(), a.CheckIn(EntryNo(1)), a.CheckIn(EntryNo(3)))
    assert desk.refused(a.CheckIn(EntryNo(1))) == (Refusal.ALREADY_CHECKED_IN, "")
    assert desk.refused(a.CheckIn(EntryNo(2))) == (Refusal.ALREADY_CHECKED_IN, "")
    assert desk.refused(a.CheckIn(EntryNo(4))) == (Refusal.ENTRY_OUT, "")
    assert desk.refused(a.CheckIn(EntryNo(5))) == (Refusal.NO_SUCH_ENTRY, "")
    without = Desk(knockout())
    without.ask(a.OpenRegistration(), a.Register(), a.CloseRegistration())
    assert without.refused(a.CheckIn(EntryNo(1))) == (Refusal.NO_CHECK_IN, "")


def test_who_did_not_check_in_is_left_out_and_the_waiting_list_steps_in() -> None:
    """In its order, and only those of it who are there."""
    desk = Desk(knockout(capacity=4, check_in=True))
    desk.ask(a.OpenRegistration(), *[a.Register()] * 7, a.CloseRegistration())
    desk.ask(*(a.CheckIn(EntryNo(number)) for number in (1, 3, 6, 7)))
    assert desk.ask(a.Start()) == [
        e.TournamentStarted((EntryNo(1), EntryNo(3), EntryNo(6), EntryNo(7)), (), (EntryNo(2), EntryNo(4)))
    ]
    assert desk.entry(2).status is EntryStatus.ABSENT
    assert desk.state.waiting == (5,)


def test_or_a_bot_plays_for_who_did_not_check_in() -> None:
    """Then no place becomes free."""
    desk = Desk(knockout(capacity=3, check_in=True, no_shows=NoShows.BOT))
    desk.ask(a.OpenRegistration(), *[a.Register()] * 4, a.CloseRegistration(), a.CheckIn(EntryNo(2)))
    desk.ask(a.CheckIn(EntryNo(4)), a.Start())
    assert [(entry.number, entry.bot) for entry in desk.state.entries if entry.started] == [
        (1, True),
        (2, False),
        (3, True),
    ]


def test_a_start_with_one_player_is_refused_and_by_the_clock_it_cancels() -> None:
    """A tournament needs two."""
    desk = Desk(knockout())
    desk.ask(a.OpenRegistration(), a.Register())
    assert desk.refused(a.Start()) == (Refusal.TOO_FEW, "")
    clock = Desk(knockout(opens_at=OPENS, starts_at=STARTS, start_by_clock=True))
    clock.advance(15 * MINUTE)
    clock.ask(a.Register())
    assert wakes_at(clock.state) == STARTS
    assert clock.advance(15 * MINUTE) == [
        e.RegistrationClosed(),
        e.TournamentCancelled(e.CancelCause.TOO_FEW),
        e.SeedRevealed(SEED.hex()),
    ]


def test_by_the_clock_it_starts_and_the_first_round_is_seated() -> None:
    """In one go, if the clock comes late."""
    desk = Desk(knockout(2, 1, opens_at=OPENS, closes_at=CLOSES, starts_at=STARTS, start_by_clock=True))
    desk.advance(10 * MINUTE)
    desk.ask(*[a.Register()] * 4)
    desk.advance(10 * MINUTE)
    assert wakes_at(desk.state) == STARTS
    kinds = [type(event) for event in desk.advance(10 * MINUTE)]
    assert kinds == [e.TournamentStarted, e.EntriesSeeded, e.RoundSeated]


def test_a_start_out_of_registration_skips_check_in_only_if_there_is_none() -> None:
    """Otherwise registration is closed first."""
    desk = Desk(knockout(check_in=True))
    desk.ask(a.OpenRegistration(), a.Register(), a.Register())
    assert desk.refused(a.Start()) == (Refusal.WRONG_PHASE, "")
    without = Desk(knockout())
    without.ask(a.OpenRegistration(), a.Register(), a.Register())
    assert [type(event) for event in without.ask(a.Start())] == [e.RegistrationClosed, e.TournamentStarted]


def test_a_seeding_list_orders_the_entries_and_the_others_follow_as_they_registered() -> None:
    """Who is out by then is passed over."""
    desk = Desk(knockout())
    desk.ask(a.OpenRegistration(), *[a.Register()] * 5)
    five, two, four = EntryNo(5), EntryNo(2), EntryNo(4)
    assert desk.refused(a.ListSeeding((five, five))) == (Refusal.BAD_SEEDING, "")
    assert desk.refused(a.ListSeeding((EntryNo(6),))) == (Refusal.NO_SUCH_ENTRY, "")
    desk.ask(a.ListSeeding((five, two, four)))
    assert desk.refused(a.ListSeeding((five, two, four))) == (Refusal.NOTHING_CHANGES, "")
    desk.ask(a.Withdraw(two))
    assert desk.refused(a.ListSeeding((two,))) == (Refusal.BAD_SEEDING, "")
    desk.ask(a.Start())
    desk.advance()
    assert desk.state.seeding == (5, 4, 1, 3)


def test_drawn_seeds_take_no_list_and_depend_on_the_seed_alone() -> None:
    """Another seed, another order; the same seed, the same."""
    orders = []
    for seed in (SEED, SEED, bytes(32)):
        desk = Desk(knockout(seeding=Seeding.RANDOM), seed)
        desk.ask(a.OpenRegistration(), *[a.Register()] * 20)
        assert desk.refused(a.ListSeeding((EntryNo(1),))) == (Refusal.SEEDING_IS_DRAWN, "")
        desk.ask(a.Start())
        desk.advance()
        orders.append(desk.state.seeding)
    assert orders[0] == orders[1] != orders[2]
    assert sorted(orders[2]) == list(range(1, 21))


def test_two_organisers_who_press_the_same_button_get_one_event_and_one_refusal() -> None:
    """The second is told that it is so already."""
    desk = Desk(knockout())
    desk.ask(a.OpenRegistration())
    assert desk.refused(a.OpenRegistration()) == (Refusal.WRONG_PHASE, "")
    desk.ask(a.Register(), a.Register(), a.Start())
    assert desk.refused(a.Start()) == (Refusal.WRONG_PHASE, "")
    desk.ask(a.Cancel())
    assert desk.refused(a.Cancel()) == (Refusal.TOURNAMENT_OVER, "")
