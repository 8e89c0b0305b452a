"""Stages: who stands on which step of a ladder, and the rounds of a knockout."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from games.rules import Event, Ruleset, Seat, redact
from games.rules.events import EndReason, GameAborted, GameEnded, SeatLeft, StageCleared
from tests.rules.laws.random_games import Table, random_play, random_table
from tests.tournaments.rules.desk import MINUTE, Desk, knockout
from tournaments.rules import acts as a
from tournaments.rules.stages import Ladder as LadderFold
from tournaments.rules.stages import StageKind, StageStatus, climb, knockout_stages, ladder_stages
from tournaments.rules.state import EntryNo


def ladder_table(seed: int, hand_size: int = 8) -> Table:
    rules = Ruleset.from_mapping({"mode": "ladder", "hand_size": hand_size, "max_turns": 3000})
    chance = random.Random(seed)
    return replace(random_table(chance), rules=rules)


def played(table: Table, seed: int) -> list[tuple[int, Event]]:
    """The log of a whole game of random play; event number v is recorded at v × 1000 ms."""
    events = list(table.opening())
    for step in random_play(table, random.Random(seed)):
        events += step.events
    return [(version * 1000, event) for version, event in enumerate(events, start=1)]


@pytest.mark.parametrize("seed", range(6))
def test_the_steps_are_those_of_the_game_after_every_command(seed: int) -> None:
    """Stage of every seat and number of its cards, as the game's own state has them; also a seat that waits (G4)."""
    table = ladder_table(seed, hand_size=3 + seed % 6)
    ladder = LadderFold()
    for event in table.opening():
        ladder = climb(ladder, event, 0)
    for step in random_play(table, random.Random(seed)):
        for event in step.events:
            ladder = climb(ladder, event, 0)
        assert ladder.stands == step.after.stages
        for seat in range(step.after.seats):
            if seat not in step.after.left:
                here = [entry for entry in ladder.climbs[ladder.stands[seat]] if entry.seat == seat]
                assert [entry.cards for entry in here] == [len(step.after.hands[seat])]
        assert ladder.over == step.after.over


@pytest.mark.parametrize("seed", range(4))
def test_every_seat_goes_down_step_by_step_without_a_gap(seed: int) -> None:
    """It leaves a stage at the instant at which it enters the next, without a card; only from its last it has not."""
    log = played(ladder_table(seed, hand_size=4), seed)
    stages = {stage.number: stage for stage in ladder_stages(log)}
    ended = next(event for _, event in log if isinstance(event, GameEnded))
    left = {event.seat for _, event in log if isinstance(event, SeatLeft)}
    for stage in stages.values():
        assert stage.status is StageStatus.FINISHED, "the game is over"
        for entry in stage.entries:
            below = stages[stage.number - 1].entries if stage.number > 1 else ()
            after = [later for later in below if later.seat == entry.seat]
            if after:
                assert (entry.left, entry.cards) == (after[0].entered, 0)
            elif entry.seat == ended.winner and ended.reason is EndReason.WON:
                assert (stage.number, entry.left, entry.cards) == (1, log[-1][0], 0)
            elif entry.seat != ended.winner and entry.seat not in left:
                assert entry.left is None
    cleared = sum(isinstance(event, StageCleared) for _, event in log)
    assert sum(len(stage.entries) for stage in stages.values()) == len(stages[4].entries) + cleared


def test_spectators_are_shown_the_same_stages() -> None:
    """A redacted log still tells how many cards everybody has."""
    log = played(ladder_table(2), 2)
    for viewer in (None, Seat(0)):
        assert ladder_stages([(at, redact(event, viewer)) for at, event in log]) == ladder_stages(log)


def test_a_stage_is_upcoming_running_and_finished() -> None:
    """Nobody has been there; somebody is or may still come from above; nobody will any more."""
    log = played(ladder_table(1, hand_size=3), 1)
    begun = ladder_stages(log[:2])
    assert [stage.status for stage in begun] == [StageStatus.RUNNING, StageStatus.UPCOMING, StageStatus.UPCOMING]
    assert [stage.number for stage in begun] == [3, 2, 1]
    assert {stage.kind for stage in begun} == {StageKind.HAND}
    first = next(index for index, (_, event) in enumerate(log) if isinstance(event, StageCleared))
    entered = ladder_stages(log[: first + 1])
    assert [stage.status for stage in entered] == [StageStatus.RUNNING, StageStatus.RUNNING, StageStatus.UPCOMING]
    assert entered[1].entries[0].entered == log[first][0]
    ended = next(index for index, (_, event) in enumerate(log) if isinstance(event, GameEnded))
    for index in range(first, ended):
        stands = [sum(entry.left is None for entry in stage.entries) for stage in ladder_stages(log[:index])]
        finished = [stage.status is StageStatus.FINISHED for stage in ladder_stages(log[:index])]
        assert finished == [not any(stands[: place + 1]) for place in range(len(stands))]


def test_a_game_of_another_kind_has_no_stages_and_an_aborted_one_has_only_finished_ones() -> None:
    """The fold takes any log."""
    single = replace(ladder_table(1), rules=Ruleset())
    assert ladder_stages(played(single, 1)) == ()
    log = played(ladder_table(1), 1)[:50]
    aborted = ladder_stages([*log, (9, GameAborted())])
    assert {stage.status for stage in aborted} == {StageStatus.FINISHED}
    assert ladder_stages([]) == ()


def test_the_rounds_of_a_knockout_tell_who_sat_where_and_who_went_on() -> None:
    """With the rounds to come, as long as it runs."""
    desk = Desk(knockout(4, 2))
    desk.ask(a.OpenRegistration(), *[a.Register()] * 8)
    assert [(stage.number, stage.status) for stage in knockout_stages(desk.state)] == [
        (1, StageStatus.UPCOMING),
        (2, StageStatus.UPCOMING),
    ]
    desk.ask(a.Start())
    desk.advance()
    begun = desk.now
    assert [stage.status for stage in knockout_stages(desk.state)] == [StageStatus.RUNNING, StageStatus.UPCOMING]
    desk.now += MINUTE
    desk.ask(a.Forfeit(EntryNo(8)))
    desk.now += MINUTE
    desk.finish_round()
    first, second = knockout_stages(desk.state)
    assert (first.status, second.status) == (StageStatus.FINISHED, StageStatus.RUNNING)
    by_entry = {entry.entry: entry for entry in first.entries}
    one, eight = by_entry[EntryNo(1)], by_entry[EntryNo(8)]
    assert (one.seat, one.table, one.place, one.goes_on) == (0, 1, 1, True)
    assert (one.entered, one.left) == (begun, begun + 2 * MINUTE)
    assert (eight.place, eight.goes_on, eight.left) == (4, False, begun + MINUTE)
    assert sorted(entry.entry for entry in second.entries if entry.entry) == [1, 2, 3, 4]
    desk.to_the_end()
    assert {stage.status for stage in knockout_stages(desk.state)} == {StageStatus.FINISHED}


def test_a_bye_is_in_the_round_without_a_table() -> None:
    """And goes on by it."""
    desk = Desk(knockout(2, 1)).started(3)
    desk.finish_round()
    resting = [entry for entry in knockout_stages(desk.state)[0].entries if entry.table is None]
    assert [(entry.entry, entry.goes_on, entry.seat) for entry in resting] == [(1, True, None)]
