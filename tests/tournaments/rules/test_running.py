"""Rounds, ties, and everything that an organiser may do while a tournament runs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.tournaments.rules.desk import MINUTE, SEED, Desk, knockout, ladder, result
from tournaments.rules import acts as a
from tournaments.rules import events as e
from tournaments.rules.advance import advance, wakes_at
from tournaments.rules.draws import drawn, tie_use
from tournaments.rules.field import still_in
from tournaments.rules.refusals import Refusal
from tournaments.rules.results import ResultFault
from tournaments.rules.standings import standings
from tournaments.rules.state import Ending, EntryNo, EntryStatus, Phase, Result, RoundNo, TableNo, TableStatus
from tournaments.rules.terms import ABORT_WAIT_MS


def e_(number: int) -> EntryNo:
    return EntryNo(number)


def t_(number: int) -> TableNo:
    return TableNo(number)


def ranking(desk: Desk) -> list[int]:
    return [standing.entry for standing in standings(desk.state)]


def test_the_best_of_each_table_go_on_until_one_table_is_left() -> None:
    """Sixteen at tables of four, two go on: 16, 8, 4; the lowest number always wins here."""
    desk = Desk(knockout(4, 2)).started(16)
    assert [desk.seats(n) for n in range(1, 5)] == [(1, 8, 9, 16), (2, 7, 10, 15), (3, 6, 11, 14), (4, 5, 12, 13)]
    desk.finish_round()
    assert still_in(desk.state) == (1, 2, 3, 4, 5, 6, 7, 8)
    desk.to_the_end()
    assert [of.tables for of in desk.state.rounds] == [4, 2, 1]
    assert ranking(desk)[:4] == [1, 2, 3, 4]
    assert desk.state.revealed


def test_a_ladder_is_one_table_whose_game_is_the_whole_tournament() -> None:
    """Its ranking is the game's (G5); equals are parted by the draw."""
    desk = Desk(ladder()).started(5)
    desk.finish(1, 4, 2, [1, 3, 5])
    desk.advance()
    assert desk.state.phase is Phase.FINISHED
    order = drawn(SEED, "ranking", tuple(map(e_, range(1, 6))))
    assert ranking(desk) == [4, 2, *(entry for entry in order if entry in (1, 3, 5))]
    assert [standing.drawn for standing in standings(desk.state)] == [False, False, True, True, True]


def test_a_tie_at_the_last_place_that_goes_on_is_drawn_and_logged() -> None:
    """Among exactly those who tie, by the seed; who is clearly better or worse takes no part."""
    desk = Desk(knockout(4, 2)).started(8)
    desk.finish(1, 1, [4, 5, 8])
    desk.finish(2, [2, 3], 6, 7)
    finished = desk.advance()[0]
    assert isinstance(finished, e.RoundFinished)
    order = drawn(SEED, tie_use(1, 1, 0), (e_(4), e_(5), e_(8)))
    assert [(tie.table, tie.places, tie.order) for tie in finished.ties] == [(1, 1, order)]
    assert set(finished.going_on) == {1, 2, 3, order[0]}


def test_a_final_without_a_winner_is_drawn_too() -> None:
    """All equal at the top of the last table: one of them is the champion."""
    desk = Desk(ladder()).started(3)
    desk.finish(1, [1, 2, 3])
    desk.advance()
    champion = drawn(SEED, tie_use(1, 1, 0), (e_(1), e_(2), e_(3)))[0]
    assert ranking(desk)[0] == champion
    assert [standing.entry for standing in standings(desk.state) if standing.champion] == [champion]


@pytest.mark.parametrize(
    ("groups", "fault"),
    [
        ([1, 4, 5], ResultFault.WRONG_ENTRIES),
        ([1, 4, 5, 5], ResultFault.WRONG_ENTRIES),
        ([1, 4, 5, 6], ResultFault.WRONG_ENTRIES),
    ],
)
def test_a_result_must_rank_exactly_those_at_the_table(groups: list[int], fault: ResultFault) -> None:
    """One code, and the table still awaits its result."""
    desk = Desk(knockout(4, 2)).started(8)
    assert desk.seats(1) == (1, 4, 5, 8)
    assert desk.refused(a.FinishTable(t_(1), 1, result(*groups))) == (Refusal.BAD_RESULT, fault.value)


def test_a_result_must_have_sound_ranks_and_numbers() -> None:
    """1, 2, 2, 4: equals share a rank and the next counts them all."""
    desk = Desk(knockout(4, 2)).started(8)
    good = result(1, [4, 5], 8)
    for bad, fault in (
        ((*good[:3], replace(good[3], rank=3)), ResultFault.WRONG_RANKS),
        (tuple(replace(place, rank=place.rank + 1) for place in good), ResultFault.WRONG_RANKS),
        ((*good[:3], replace(good[3], cards=-1)), ResultFault.BELOW_ZERO),
    ):
        assert desk.refused(a.FinishTable(t_(1), 1, bad)) == (Refusal.BAD_RESULT, fault.value)
    desk.ask(a.FinishTable(t_(1), 1, tuple(reversed(good))))
    assert desk.state.table(t_(1)).result == good, "noted in order, however it was told"


def test_a_result_told_twice_or_of_a_game_that_no_longer_counts_is_refused() -> None:
    """The first counts."""
    desk = Desk(knockout(4, 2)).started(8)
    desk.ask(a.OpenTable(t_(1), 1))
    assert desk.refused(a.OpenTable(t_(1), 1)) == (Refusal.TABLE_OPEN, "")
    desk.finish(1)
    assert desk.refused(a.FinishTable(t_(1), 1, result(8, 5, 4, 1))) == (Refusal.TABLE_OVER, "")
    desk.ask(a.ReplayTable(t_(1)))
    assert desk.refused(a.FinishTable(t_(1), 1, result(8, 5, 4, 1))) == (Refusal.STALE_ATTEMPT, "")
    assert desk.refused(a.FinishTable(t_(3), 1, result(8, 5, 4, 1))) == (Refusal.NO_SUCH_TABLE, "")


def test_who_forfeits_comes_last_at_the_table_whatever_its_game_says() -> None:
    """The last to leave first among those who left; they do not go on."""
    desk = Desk(knockout(4, 2)).started(8)
    desk.ask(a.Forfeit(e_(1)), a.NoShow(e_(4), bot=False))
    assert desk.refused(a.Forfeit(e_(1))) == (Refusal.NOT_AT_TABLE, "")
    assert desk.refused(a.Replace(e_(1))) == (Refusal.ENTRY_OUT, "")
    desk.finish(1, 1, 4, 5, 8)
    desk.finish(2)
    desk.advance()
    assert still_in(desk.state) == (2, 3, 5, 8)
    out = {standing.entry: standing.place for standing in standings(desk.state)}
    assert (out[e_(4)], out[e_(1)]) == (3, 4)


def test_a_bot_may_play_for_one_that_did_not_come() -> None:
    """Once; a replacement takes the seat back from the bot."""
    desk = Desk(knockout(4, 2)).started(8)
    assert desk.ask(a.NoShow(e_(1), bot=True)) == [e.BotSeated(e_(1))]
    assert desk.refused(a.NoShow(e_(1), bot=True)) == (Refusal.ALREADY_BOT, "")
    assert desk.ask(a.Replace(e_(1))) == [e.EntryReplaced(e_(1), 2)]
    assert (desk.entry(1).bot, desk.entry(1).holder) == (False, 2)


def test_a_seat_changes_hands_as_often_as_need_be_until_the_entry_is_out() -> None:
    """From each replacement on the next holder plays."""
    desk = Desk(knockout(4, 2)).started(8)
    desk.ask(a.Replace(e_(5)), a.Replace(e_(5)))
    assert desk.entry(5).holder == 3
    desk.finish_round()
    assert desk.refused(a.Replace(e_(8))) == (Refusal.ENTRY_OUT, "")


def test_a_table_with_one_left_is_a_walkover_and_with_none_sends_nobody_on() -> None:
    """No game is needed where nobody can play it; here the other table decides alone."""
    desk = Desk(knockout(2, 1)).started(4)
    desk.ask(a.NoShow(e_(1), bot=False))
    assert desk.advance() == [e.TableFinished(t_(1), 1, result_of_unplayed(1, 4), Ending.WALKOVER)]
    desk.ask(a.Withdraw(e_(2)), a.Withdraw(e_(3)))
    desk.advance()
    assert desk.state.phase is Phase.FINISHED
    assert ranking(desk) == [4, 1, 3, 2], "the winner, who forfeited, then the last to withdraw first"


def result_of_unplayed(*entries: int) -> Result:
    return tuple(replace(place, rank=1, stage=None, cards=None) for place in result(*entries))


def test_a_tournament_that_everybody_leaves_ends_without_a_champion() -> None:
    """Whether a round was seated or not."""
    desk = Desk(knockout(4, 2)).started(5)
    desk.ask(*(a.Withdraw(e_(number)) for number in range(1, 6)))
    desk.advance()
    assert desk.state.phase is Phase.FINISHED
    assert ranking(desk) == [5, 4, 3, 2, 1]
    assert not any(standing.champion for standing in standings(desk.state))
    early = Desk(knockout(4, 2))
    early.ask(a.OpenRegistration(), a.Register(), a.Register(), a.Start(), a.Withdraw(e_(1)))
    early.advance()
    assert [standing.entry for standing in standings(early.state) if standing.champion] == [2]


def test_the_next_best_takes_the_place_of_one_that_goes_on_no_more() -> None:
    """Until the next round is seated."""
    desk = Desk(knockout(4, 2)).started(8)
    desk.finish(1)
    desk.ask(a.Disqualify(e_(1)))
    desk.finish(2)
    desk.advance()
    assert still_in(desk.state) == (2, 3, 4, 5)
    desk.ask(a.Withdraw(e_(5)))
    assert still_in(desk.state) == (2, 3, 4), "the seat stays empty once the table is made"


def test_the_disqualified_come_last_and_lose_what_they_won() -> None:
    """After the end too: the champion's place goes to the next, and the old ranking stays in the log."""
    desk = Desk(knockout(4, 2)).started(8).to_the_end()
    assert ranking(desk)[:4] == [1, 2, 3, 4]
    desk.ask(a.Disqualify(e_(1)))
    desk.advance()
    assert ranking(desk)[:3] == [2, 3, 4]
    assert ranking(desk)[-1] == 1
    assert sum(isinstance(line.event, e.RankingSettled) for line in desk.log) == 2
    assert desk.refused(a.Disqualify(e_(1))) == (Refusal.ENTRY_OUT, "")


def test_a_mistaken_disqualification_is_undone_by_a_further_event() -> None:
    """Also after the end, if there was a final."""
    desk = Desk(knockout(4, 2)).started(8).to_the_end()
    before = ranking(desk)
    assert desk.refused(a.Reinstate(e_(1))) == (Refusal.ENTRY_IN, "")
    desk.ask(a.Disqualify(e_(1)))
    desk.advance()
    desk.ask(a.Reinstate(e_(1)))
    desk.advance()
    assert ranking(desk) == before


def test_nobody_is_let_into_a_last_round_that_no_final_can_follow() -> None:
    """It ended by walkovers: two who are in would need a table that can no longer be played."""
    desk = Desk(knockout(2, 1)).started(4)
    desk.finish(2)
    desk.ask(a.Withdraw(e_(1)), a.Forfeit(e_(4)))
    desk.advance()
    assert (desk.state.phase, ranking(desk)[0]) == (Phase.FINISHED, 2)
    assert desk.refused(a.Reinstate(e_(1))) == (Refusal.CHANGES_WHO_GOES_ON, "")
    assert desk.refused(a.CorrectResult(t_(1), result(4, 1))) == (Refusal.CHANGES_WHO_GOES_ON, "")


def test_a_corrected_result_counts_and_the_old_one_stays_in_the_log() -> None:
    """Before the round is over it decides who goes on; the same again changes nothing."""
    desk = Desk(knockout(4, 2)).started(8)
    assert desk.refused(a.CorrectResult(t_(1), result(8, 5, 4, 1))) == (Refusal.TABLE_NOT_OVER, "")
    desk.finish(1)
    assert desk.refused(a.CorrectResult(t_(1), result(8, 5, 4, 1)), why="") == (Refusal.NEEDS_REASON, "")
    desk.ask(a.CorrectResult(t_(1), result(8, 5, 4, 1)))
    assert desk.refused(a.CorrectResult(t_(1), result(8, 5, 4, 1))) == (Refusal.NOTHING_CHANGES, "")
    desk.finish(2)
    desk.advance()
    assert still_in(desk.state) == (2, 3, 5, 8)
    told = [line.event.result[0].entry for line in desk.log if isinstance(line.event, e.TableFinished)]
    assert told[0] == 1


def test_a_correction_that_later_rounds_are_built_on_needs_the_round_reopened() -> None:
    """A mere change of places below is taken; who goes on stays until the organiser undoes the later rounds."""
    desk = Desk(knockout(4, 2)).started(8)
    desk.finish_round()
    assert desk.refused(a.CorrectResult(t_(1), result(8, 5, 4, 1))) == (Refusal.CHANGES_WHO_GOES_ON, "")
    assert desk.ask(a.CorrectResult(t_(1), result(4, 1, 8, 5))) == [e.ResultCorrected(t_(1), result(4, 1, 8, 5), ())]
    assert desk.refused(a.ReopenRound(RoundNo(2))) == (Refusal.NO_SUCH_ROUND, "")
    desk.ask(a.ReopenRound(RoundNo(1)))
    assert desk.state.table(t_(3)).status is TableStatus.VOID
    assert desk.refused(a.EndTable(t_(3))) == (Refusal.NO_SUCH_TABLE, "")
    desk.ask(a.CorrectResult(t_(1), result(8, 5, 4, 1)))
    desk.advance()
    assert desk.seats(4) == (2, 3, 5, 8), "a new table with a number of its own"
    assert [of.number for of in desk.state.rounds] == [1, 2]


def test_a_tie_that_was_drawn_is_not_drawn_again_by_a_correction_of_the_rest() -> None:
    """If exactly the same tie remains, who went on stays; if another ties, the round must be reopened."""
    desk = Desk(knockout(4, 2)).started(8)
    desk.finish(1, 1, [4, 5], 8)
    desk.finish(2)
    desk.advance()
    desk.ask(a.CorrectResult(t_(1), tuple(replace(place, cards=5) for place in result(1, [4, 5], 8))))
    assert desk.refused(a.CorrectResult(t_(1), result(1, [4, 5, 8])))[0] is Refusal.CHANGES_WHO_GOES_ON


def test_after_the_end_a_result_may_still_be_corrected_and_the_ranking_is_settled_anew() -> None:
    """The final decides again; nothing else may be asked of a finished tournament but who is disqualified."""
    desk = Desk(knockout(4, 2)).started(8).to_the_end()
    final = desk.state.rounds[-1].first_table
    desk.ask(a.CorrectResult(final, result(3, 4, 1, 2)))
    desk.advance()
    assert ranking(desk)[:4] == [3, 4, 1, 2]
    for act in (a.Pause(), a.Cancel(), a.Register(), a.ReplayTable(final), a.EndTable(final), a.Withdraw(e_(1))):
        assert desk.refused(act) == (Refusal.TOURNAMENT_OVER, "")


def test_a_table_ended_early_is_ranked_as_its_game_stands() -> None:
    """The game is told to stop, and its ranking comes; the order is remembered until it does."""
    desk = Desk(knockout(4, 2)).started(8)
    desk.ask(a.OpenTable(t_(1), 1), a.EndTable(t_(1)))
    assert desk.state.table(t_(1)).status is TableStatus.ENDING
    assert desk.refused(a.EndTable(t_(1))) == (Refusal.TABLE_ENDING, "")
    desk.finish(1, [1, 4], 5, 8)
    assert desk.refused(a.EndTable(t_(1))) == (Refusal.TABLE_OVER, "")


def test_a_table_ended_before_its_game_began_is_settled_by_a_draw() -> None:
    """All are equal; who has left takes no part."""
    desk = Desk(knockout(4, 2)).started(8)
    desk.ask(a.Forfeit(e_(1)), a.EndTable(t_(1)))
    desk.finish(2)
    finished = desk.advance()[0]
    assert isinstance(finished, e.RoundFinished)
    assert set(finished.ties[0].order) == {4, 5, 8}
    assert finished.ties[0].places == 2


def test_a_replayed_table_counts_anew_for_all_who_are_in_the_tournament() -> None:
    """A forfeit is forgotten, a disqualification is not."""
    desk = Desk(knockout(4, 2)).started(8)
    assert desk.refused(a.ReplayTable(t_(1))) == (Refusal.TABLE_NOT_BEGUN, "")
    desk.ask(a.OpenTable(t_(1), 1), a.Forfeit(e_(4)), a.Disqualify(e_(5)))
    desk.finish(1, 1, 8, 4, 5)
    desk.ask(a.ReplayTable(t_(1)))
    table = desk.state.table(t_(1))
    assert (table.status, table.attempt, table.result) == (TableStatus.SEATED, 2, ())
    assert [leaver.entry for leaver in table.out] == [5]
    desk.finish(1, 4, 8, 1, 5)
    desk.finish(2)
    desk.advance()
    assert still_in(desk.state) == (2, 3, 4, 8)
    assert desk.refused(a.ReplayTable(t_(1))) == (Refusal.ROUND_OVER, "")


def test_an_aborted_table_waits_for_the_organiser_then_is_played_again_then_drawn() -> None:
    """Ten minutes each; after the third game that came to nothing a draw settles it, so the round ends."""
    desk = Desk(knockout(4, 2)).started(8)
    desk.finish(2)
    for attempt in (1, 2, 3):
        desk.ask(a.OpenTable(t_(1), attempt), a.AbortTable(t_(1), attempt))
        assert desk.refused(a.FinishTable(t_(1), attempt, result(1, 4, 5, 8))) == (Refusal.TABLE_OVER, "")
        assert wakes_at(desk.state) == desk.now + ABORT_WAIT_MS
        assert desk.advance(ABORT_WAIT_MS - 1) == []
        events = desk.advance(1)
        if attempt < 3:
            assert events == [e.TableReplayed(t_(1), attempt + 1, ())]
    assert isinstance(events[0], e.TableFinished)
    assert events[0].ending is Ending.UNPLAYED
    assert isinstance(events[1], e.RoundFinished)


def test_an_aborted_table_may_be_replayed_or_ended_at_once() -> None:
    """By the organiser, who need not wait."""
    for act, status in ((a.ReplayTable(t_(1)), TableStatus.SEATED), (a.EndTable(t_(1)), TableStatus.FINISHED)):
        desk = Desk(knockout(4, 2)).started(8)
        desk.ask(a.AbortTable(t_(1), 1), act)
        assert desk.state.table(t_(1)).status is status


def test_while_paused_games_end_but_nothing_follows() -> None:
    """No round is finished or seated, and no game begun, until it is resumed."""
    desk = Desk(knockout(4, 2)).started(8)
    desk.ask(a.OpenTable(t_(1), 1), a.Pause())
    assert desk.refused(a.Pause()) == (Refusal.WRONG_PHASE, "")
    assert desk.refused(a.OpenTable(t_(2), 1)) == (Refusal.WRONG_PHASE, "")
    desk.finish(1)
    desk.finish(2)
    assert desk.advance(60 * MINUTE) == []
    assert wakes_at(desk.state) is None
    desk.ask(a.Resume())
    assert [type(event) for event in desk.advance()] == [e.RoundFinished, e.RoundSeated]


def test_a_cancelled_tournament_reveals_its_seed_and_takes_nothing_more() -> None:
    """It does not count, but its draws can be checked."""
    desk = Desk(knockout(4, 2)).started(8)
    assert desk.refused(a.Cancel(), why="") == (Refusal.NEEDS_REASON, "")
    desk.ask(a.Cancel())
    assert desk.advance() == [e.SeedRevealed(SEED.hex())]
    assert desk.advance() == []
    assert desk.refused(a.FinishTable(t_(1), 1, result(1, 4, 5, 8))) == (Refusal.TOURNAMENT_OVER, "")


def test_a_table_may_be_replayed_though_the_writer_died_before_the_next_round_was_seated() -> None:
    """The round that was noted as finished is then unfinished again."""
    desk = Desk(knockout(4, 2)).started(8)
    desk.finish(1)
    desk.finish(2)
    desk.write(advance(desk.state, now=desk.now, seed=SEED)[:1])
    assert (still_in(desk.state), desk.open_tables) == ((1, 2, 3, 4), [])
    desk.ask(a.ReplayTable(t_(1)))
    assert [table.number for table in desk.open_tables] == [1]
    desk.finish(1, 8, 5, 4, 1)
    desk.advance()
    assert still_in(desk.state) == (2, 3, 5, 8)


def test_only_the_committed_seed_moves_a_tournament() -> None:
    """Another one cannot be slipped in."""
    desk = Desk(knockout())
    with pytest.raises(ValueError, match="committed"):
        advance(desk.state, now=desk.now, seed=bytes(32))


def test_the_log_says_who_when_and_why() -> None:
    """What nobody asked for was the clock's."""
    desk = Desk(knockout(4, 2)).started(4)
    desk.ask(a.Disqualify(e_(2)), why="reason-77")
    line = desk.log[-1]
    assert (line.by, line.at, line.why) == ("organiser-1", desk.now, "reason-77")
    seated = next(line for line in desk.log if isinstance(line.event, e.RoundSeated))
    assert (seated.by, seated.why) == ("clock", "")


def test_byes_go_round() -> None:
    """Two-seat tables, five entries: the best seed rests first, then the next."""
    desk = Desk(knockout(2, 1)).started(5)
    assert desk.state.rounds[0].byes == (1,)
    desk.finish(1, 5, 2)
    desk.finish(2, 4, 3)
    desk.advance()
    assert desk.state.rounds[1].byes == (4,)


def test_a_bye_is_no_good_to_one_that_leaves_meanwhile() -> None:
    """Whoever rests and is then out does not go on; the one that is left has won."""
    for act in (a.Withdraw(e_(1)), a.Disqualify(e_(1))):
        desk = Desk(knockout(2, 1)).started(3)
        assert desk.state.rounds[0].byes == (1,)
        desk.ask(act)
        finished = desk.finish_round()[0]
        assert isinstance(finished, e.RoundFinished)
        assert finished.going_on == (2,)
        assert ranking(desk) == [2, 3, 1]


def test_live_standings_take_how_open_tables_stand() -> None:
    """Who is still in comes first; a ladder's order is its game's at this moment."""
    desk = Desk(ladder()).started(3)
    assert {standing.rank for standing in standings(desk.state)} == {1}
    live = standings(desk.state, {t_(1): result(3, [1, 2])})
    assert [(s.rank, s.entry, s.still_in) for s in live] == [(1, 3, True), (2, 1, True), (2, 2, True)]


@pytest.mark.parametrize(
    ("third_at_one", "third_at_two", "better"),
    [((3, 5), (4, 1), 5), ((4, 1), (3, 5), 6), ((3, 2), (3, 1), 6), ((3, 1), (3, 2), 5)],
)
def test_equal_places_at_different_tables_are_parted_by_stage_then_by_cards(
    third_at_one: tuple[int, int], third_at_two: tuple[int, int], better: int
) -> None:
    """Lower stage first, then fewer cards; a draw only if both are equal."""
    desk = Desk(knockout(4, 2)).started(8)
    for table, order, (stage, cards) in ((1, (1, 4, 5, 8), third_at_one), (2, (2, 3, 6, 7), third_at_two)):
        told = tuple(replace(place, stage=stage, cards=cards) if place.rank == 3 else place for place in result(*order))
        desk.ask(a.FinishTable(t_(table), 1, told))
    desk.advance()
    desk.to_the_end()
    assert ranking(desk)[4] == better
    assert not any(standing.drawn for standing in standings(desk.state) if standing.entry in (5, 6))


def test_the_ranking_has_its_groups_in_order() -> None:
    """Played, withdrawn, absent, disqualified."""
    desk = Desk(knockout(4, 2, check_in=True))
    desk.ask(a.OpenRegistration(), *[a.Register()] * 9, a.CloseRegistration())
    desk.ask(*(a.CheckIn(e_(number)) for number in range(1, 9)), a.Start())
    desk.advance()
    desk.ask(a.Withdraw(e_(3)), a.Disqualify(e_(2)))
    desk.to_the_end()
    assert desk.entry(9).status is EntryStatus.ABSENT
    assert ranking(desk)[-3:] == [3, 9, 2]
