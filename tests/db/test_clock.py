"""Deadlines: what the log says of them, what falls due, and that a move and its timeout never both count."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from django.db import transaction

from games import clock, services, store
from games.clock import Clock, Limits
from games.errors import StaleVersion
from games.models import FirstPlayer, Game, Phase
from games.rules.cards import PLUS_THREE, Seat
from games.rules.events import (
    DeadlineSet,
    EndReason,
    Event,
    GameAborted,
    GameEnded,
    GameStarted,
    LastCardDue,
    TurnPassed,
    WindowClosed,
    WindowOpened,
    WindowOutcome,
)
from games.rules.ruleset import DEFAULT_RULES
from games.rules.state import CLOCKWISE, State
from games.selectors import overdue_oldest
from games.services import GameSettings
from tests.builders import QUICK, SEED, Table, given_bots, given_game, legal_texts, seed_where
from tests.db.later import later

TURN = TurnPassed(Seat(1), CLOCKWISE, 0)
LIMITS = Limits(turn_seconds=60, reaction_seconds=8, game_minutes=5)
NOW = 1_700_000_000_000
THREE = State(hands=((), (), ()))


# ---- pure


def after(*events: tuple[int, Event]) -> Clock:
    """The clock after events at these times, versions from 1."""
    ticking = Clock()
    for version, (at, event) in enumerate(events, start=1):
        ticking = clock.tick(ticking, event, version, at)
    return ticking


def told(ticking: Clock, events: list[Event], limits: Limits = LIMITS) -> tuple[Event, ...]:
    """What these events come to for the clock, now, at a table of three where seat 0 is on turn."""
    return clock.clock_events(ticking, THREE, events, limits, NOW)


def test_a_turn_has_its_time_from_its_beginning_and_a_window_its_own() -> None:
    """Whatever else happens within a turn sets no deadline."""
    assert told(Clock(), [TURN]) == (DeadlineSet(NOW + 60_000),)
    assert told(Clock(), [WindowOpened(Seat(0), ())]) == (DeadlineSet(NOW + 8_000),)
    assert told(Clock(deadline=NOW + 5), [LastCardDue(Seat(0))]) == ()


def test_the_last_of_several_turns_and_windows_counts() -> None:
    """A window that is settled in the same command leaves a whole turn."""
    settled: list[Event] = [WindowOpened(Seat(0), ()), WindowClosed(Seat(0), WindowOutcome.ACCEPTED), TURN]
    assert told(Clock(deadline=NOW), settled) == (DeadlineSet(NOW + 60_000),)


def test_without_a_turn_limit_only_windows_have_a_deadline() -> None:
    """When the window is settled, the log says that there is no deadline any more."""
    free = replace(LIMITS, turn_seconds=None)
    assert told(Clock(), [TURN], free) == ()
    assert told(Clock(), [WindowOpened(Seat(0), ())], free) == (DeadlineSet(NOW + 8_000),)
    assert told(Clock(deadline=NOW), [TURN], free) == (DeadlineSet(None),)


@pytest.mark.parametrize("end", [GameEnded(None, EndReason.STOPPED, ()), GameAborted()])
def test_a_game_that_is_over_has_no_deadline_and_says_nothing_of_it(end: Event) -> None:
    """Also when the last turn passed in the same command."""
    assert told(Clock(deadline=NOW), [TURN, end]) == ()
    over = after((1, DeadlineSet(NOW)), (2, end))
    assert (over.deadline, over.ended_at) == (None, 2)


def test_the_clock_remembers_start_window_and_last_card() -> None:
    """Their times and the window's version; a closed window is forgotten."""
    opened = after(
        (10, GameStarted("1", DEFAULT_RULES, 2, Seat(0))), (20, LastCardDue(Seat(0))), (30, WindowOpened(Seat(0), ()))
    )
    assert opened == Clock(
        started_at=10, last_at=30, due_at=20, window_version=3, window_at=30, turn_version=1, counted_from=30
    )
    closed = clock.tick(opened, WindowClosed(Seat(0), WindowOutcome.KING), 4, 40)
    assert (closed.window_version, closed.window_at, closed.last_at) == (0, 0, 40)


def test_the_grace_for_a_last_card_runs_from_when_it_fell_due() -> None:
    """Two seconds by default; none at all if the table chose so."""
    due, state = Clock(due_at=NOW), State(rules=DEFAULT_RULES)
    assert clock.within_grace(due, state, NOW + 1_999)
    assert not clock.within_grace(due, state, NOW + 2_000)
    assert not clock.within_grace(due, State(rules=QUICK), NOW)


def test_among_bots_a_bot_on_turn_is_due_at_once_and_the_sweep_waits_a_little() -> None:
    """So that the sweep wakes only bots whose task was lost."""
    state = State(hands=((), ()), turn=Seat(1))
    due = clock.bots_due(Clock(last_at=NOW), state, (Seat(1),), LIMITS, paced=False)
    assert due == ((NOW, Seat(1)),)
    assert clock.bot_overdue_at(due, state, paced=False) == NOW + clock.BOT_PATIENCE_MS
    assert clock.bots_due(Clock(last_at=NOW), state, (Seat(0),), LIMITS, paced=False) == ()
    over = Clock(last_at=NOW, ended_at=NOW)
    assert clock.bots_due(over, state, (Seat(1),), LIMITS, paced=False) == ()


def test_where_a_person_sits_a_bot_on_turn_takes_its_time() -> None:
    """A pause from the game's seed and the turn's version, whatever its hand; the sweep wakes it when that is over."""
    pauses = set()
    for version in range(300):
        turn = Clock(last_at=NOW + 99, turn_at=NOW, turn_version=version)
        poor, rich = (State(hands=((), hand), turn=Seat(1), seed=SEED) for hand in ((), (PLUS_THREE,) * 5))
        due = clock.bots_due(turn, poor, (Seat(1),), LIMITS, paced=True)
        assert due == clock.bots_due(turn, rich, (Seat(1),), LIMITS, paced=True)
        assert clock.bot_overdue_at(due, poor, paced=True) == due[0][0]
        pauses.add(due[0][0] - NOW)
    assert clock.LEAST_PAUSE_MS <= min(pauses) < 500
    assert 1_500 < max(pauses) <= clock.MOST_PAUSE_MS


def window(hands: tuple[tuple[object, ...], ...], left: tuple[Seat, ...] = (), seed: bytes = SEED) -> State:
    return State(hands=hands, plus3=Seat(0), answer=(Seat(1), Seat(2)), left=left, seed=seed)  # type: ignore[arg-type]  # cards do not matter


def test_when_a_bot_answers_hangs_on_the_seed_and_not_on_its_hand() -> None:
    """W8: other cards, the same times; another seed, others; within one to three seconds."""
    opened = Clock(window_version=41, window_at=NOW)
    bots = (Seat(1), Seat(2))
    times = clock.bots_due(opened, window(((1,), (1,), (1,))), bots, LIMITS, paced=True)
    assert times == clock.bots_due(opened, window(((1, 2), (PLUS_THREE,) * 5, (3,))), bots, LIMITS, paced=True)
    assert times != clock.bots_due(opened, window(((1,), (1,), (1,)), seed=bytes(32)), bots, LIMITS, paced=True)
    assert [seat for _, seat in times] == [seat for _, seat in sorted(times)]
    for reaction in (3, 4, 8, 86_400):
        limits = replace(LIMITS, reaction_seconds=reaction)
        for version in range(200):
            for at, _ in clock.bots_due(
                opened._replace(window_version=version), window(((1,),) * 3), bots, limits, paced=True
            ):
                assert NOW + 1_000 <= at <= NOW + min(3_000, 1_000 * reaction - 1_000)


def test_where_only_bots_play_they_answer_at_once() -> None:
    """All of them, so that it says nothing about any."""
    opened = Clock(window_version=41, window_at=NOW)
    everybody = (Seat(0), Seat(1), Seat(2))
    at_once = ((NOW, Seat(1)), (NOW, Seat(2)))
    assert clock.bots_due(opened, window(((1,),) * 3), everybody, LIMITS, paced=False) == at_once


def test_a_tables_time_runs_from_its_start() -> None:
    """None without a limit, and none when it is over."""
    assert clock.stop_time(Clock(started_at=NOW), LIMITS) == NOW + 300_000
    assert clock.stop_time(Clock(started_at=NOW), replace(LIMITS, game_minutes=None)) is None
    assert clock.stop_time(Clock(started_at=NOW, ended_at=NOW + 1), LIMITS) is None
    assert clock.stop_time(Clock(started_at=NOW, credit=7_000), LIMITS) == NOW + 307_000


def test_without_a_turn_clock_a_game_lasts_a_month_from_its_last_event() -> None:
    """Or until the table's time is up, whichever comes first."""
    free = Limits(turn_seconds=None, reaction_seconds=8)
    month = 30 * 24 * 3_600_000
    assert clock.stop_time(Clock(started_at=1, last_at=NOW), free) == NOW + month
    assert clock.stop_time(Clock(started_at=NOW, last_at=NOW), replace(free, game_minutes=5)) == NOW + 300_000
    assert clock.stop_time(Clock(started_at=NOW, last_at=NOW, ended_at=NOW), free) is None


@pytest.mark.parametrize("time", [datetime(2026, 11, 29, 22, 1, 2, 345_000, tzinfo=UTC), clock.EPOCH])
def test_times_and_milliseconds_are_the_same_thing(time: datetime) -> None:
    """There and back, exactly."""
    assert clock.moment(clock.milliseconds(time)) == time


# ---- with a database


database = pytest.mark.django_db(transaction=True)


@database
def test_the_deadline_in_the_row_is_the_one_in_the_log() -> None:
    """From the start on, and again with each turn."""
    table = given_game()
    for _ in range(2):
        log = store.log(game_id=table.game_id)
        last = next(stored for stored in reversed(log) if stored.type == "DeadlineSet")
        assert table.game.deadline == last.recorded_at + timedelta(seconds=60)
        assert last.data == {"at": clock.milliseconds(last.recorded_at) + 60_000}
        table.submit(table.state.turn, legal_texts(table)[0])


@database
def test_what_is_not_due_is_left_alone() -> None:
    """The sweep does nothing, and nothing is overdue."""
    table = given_game()
    assert services.clock_sweep() == 0
    assert services.game_timeout(game_id=table.game_id, version=4) is None
    assert overdue_oldest() is None
    assert table.game.version == 4


@database
def test_the_sweep_times_out_whoever_let_the_deadline_pass() -> None:
    """The least is done for the seat, the turn passes, and a new deadline is set."""
    table = given_game()
    deadline = table.game.deadline
    with later(61):
        assert overdue_oldest() == deadline
        assert services.clock_sweep() == 1
        assert services.clock_sweep() == 0
        assert overdue_oldest() is None
    events = table.events()[4:]
    assert [event.type for event in events] == ["CardsDrawn", "TurnPassed", "TurnMissed", "DeadlineSet"]
    assert [event.actor for event in events] == ["clock", "clock", "clock", "server"]
    assert table.game.turn == 1


@database
def test_a_timeout_that_is_late_or_doubled_decides_nothing() -> None:
    """It carries the version that it was due at."""
    table = given_game(server_seed=SEED)
    with later(61):
        table.submit(0, legal_texts(table)[0])
        moved = table.game.version
        assert services.game_timeout(game_id=table.game_id, version=4) is None
        assert services.game_timeout(game_id=table.game_id, version=moved) is None
        assert table.game.version == moved
    with later(200):
        assert services.game_timeout(game_id=table.game_id, version=moved) is not None
        assert services.game_timeout(game_id=table.game_id, version=moved) is None
    assert services.game_timeout(game_id=UUID(int=1), version=1) is None


@database
def test_a_move_that_comes_before_its_timeout_counts_and_one_after_is_stale() -> None:
    """Whoever gets the lock first; they never both count."""
    for move_first in (True, False):
        table = given_game()
        text = legal_texts(table)[0]
        with later(61):
            if move_first:
                table.submit(0, text, expected_version=4)
                assert services.game_timeout(game_id=table.game_id, version=4) is None
            else:
                assert services.game_timeout(game_id=table.game_id, version=4) is not None
                with pytest.raises(StaleVersion):
                    table.submit(0, text, expected_version=4)
        assert len({event.command_id for event in table.events()}) == 2


@database
def test_a_game_that_somebody_holds_is_left_for_the_next_sweep() -> None:
    """The sweep does not wait for a lock, and does not keep the other games waiting."""
    from concurrent.futures import ThreadPoolExecutor

    from django.db import connection

    held, free = given_game(), given_game()

    def sweep() -> int:
        try:
            return services.clock_sweep()
        finally:
            connection.close()

    with later(61), ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            Game.objects.select_for_update().get(pk=held.game_id)
            assert pool.submit(sweep).result(20) == 1
        assert (held.game.version, free.game.turn) == (4, 1)
        assert services.clock_sweep() == 1
    assert held.game.turn == 1


@database
def test_two_sweeps_at_once_time_each_game_out_once() -> None:
    """Two beats, or a sweep that takes longer than a second."""
    from concurrent.futures import ThreadPoolExecutor

    from django.db import connection

    tables = [given_game() for _ in range(6)]

    def sweep() -> int:
        try:
            return services.clock_sweep()
        finally:
            connection.close()

    with later(61), ThreadPoolExecutor(3) as pool:
        done = [pool.submit(sweep) for _ in range(3)]
        assert sum(swept.result(20) for swept in done) == len(tables)
    assert [table.game.turn for table in tables] == [1] * len(tables)


@database
def test_a_window_that_nobody_answers_is_accepted_by_the_clock() -> None:
    """After the reaction time, not the turn's."""
    table = given_game(players=3, server_seed=seed_where(lambda state: PLUS_THREE in state.hands[0], seats=3))
    table.submit(0, "play +3")
    with later(7.5):
        assert services.clock_sweep() == 0
    with later(8.5):
        assert services.clock_sweep() == 1
    assert [len(hand) for hand in table.state.hands] == [7, 11, 11]
    assert table.state.turn == 1


@database
def test_a_table_whose_time_is_up_is_ended_without_a_winner() -> None:
    """Five minutes from the start, whatever the turn's clock says."""
    table = given_game(settings=GameSettings(seats=2, game_minutes=5, turn_seconds=None))
    with later(270):
        assert services.clock_sweep() == 0
    with later(301):
        assert services.clock_sweep() == 1
        assert services.clock_sweep() == 0
    game = table.game
    assert (game.phase, game.winner, game.deadline, game.stop_at) == (Phase.FINISHED, None, None, None)
    assert game.ranking is not None
    assert table.events()[-1].type == "SeedRevealed"


@database
def test_one_games_fault_does_not_keep_the_others_waiting(caplog: pytest.LogCaptureFixture) -> None:
    """It is logged, and the sweep goes on; a game whose log is broken is frozen, so that it is found once."""
    from django.db import connection

    from games.table import forget_all

    broken, sound = given_game(), given_game()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE games_game SET head_hash = '' WHERE id = %s", (broken.game_id,))
    forget_all()
    with later(61):
        assert services.clock_sweep() == 1
    assert sound.game.turn == 1
    assert str(broken.game_id) in caplog.text
    assert "does not lead to the noted head" in broken.game.frozen_reason


# ---- the last card's grace


def due_table() -> Table:
    """A game in which seat 0 has come down to one card and has not said so."""
    for number in range(200):
        seed = bytes([number]) * 32
        table = given_game(
            settings=GameSettings(
                seats=2, first_player=FirstPlayer.HOST, house_rules=replace(DEFAULT_RULES, hand_size=3)
            ),
            server_seed=seed,
        )
        while (state := table.state).winner is None and not state.over:
            plays = [text for text in legal_texts(table) if text.startswith("play")]
            table.submit(state.turn, plays[0] if plays else legal_texts(table)[0])
            if table.state.last == (0,) and table.state.turn == 1 and table.state.plus3 is None:
                return table
            if table.state.last:
                break
    raise AssertionError("no such game")


@database
@pytest.mark.parametrize(("seconds", "penalty"), [(0.0, 0), (2.5, 4)])
def test_a_last_card_may_be_said_a_little_late(seconds: float, penalty: int) -> None:
    """The next seat's move within the grace calls for no penalty; after it, four cards."""
    table = due_table()
    moves = [text for text in legal_texts(table) if text.startswith("play") or text == "draw"]
    with later(seconds):
        table.submit(1, moves[-1])
    assert len(table.state.hands[0]) == 1 + penalty
    assert (0 in table.state.last) == (penalty == 0)


# ---- waking bots


@database
def test_the_sweep_wakes_a_bot_whose_task_was_lost_and_only_after_some_time() -> None:
    """Each caller gets other games; one that still has not moved is woken again later."""
    table = given_bots(("greedy", "random"))
    assert services.bots_claim() == ()
    with later(3):
        assert services.bots_claim() == ((table.game_id, 4),)
        assert services.bots_claim() == ()
    with later(14):
        assert services.bots_claim() == ((table.game_id, 4),)


@database
def test_a_bot_answers_a_window_in_its_own_time_where_a_person_sits() -> None:
    """Not before, whoever asks; then the sweep wakes it."""
    seed = seed_where(lambda state: PLUS_THREE in state.hands[0], seats=3, entropies=[b"entropy 0", b"", b""])
    table = given_game(players=1, bots=("greedy", "random"), server_seed=seed)
    table.submit(0, "play +3")
    version = table.game.version
    assert services.bot_move(game_id=table.game_id, version=version) is None
    assert services.bots_claim() == ()
    with later(3.1):
        assert services.bots_claim() == ((table.game_id, version),)
        assert services.bot_move(game_id=table.game_id, version=version) is not None
    assert len(table.state.answer) == 1 or table.state.plus3 is None
