"""Bank and increment: what an overdrawn turn costs, what a move gives back, and who sees it."""

from dataclasses import replace
from itertools import pairwise

import pytest

from games import clock, projections, services, store
from games.clock import Clock, Limits
from games.models import FirstPlayer
from games.rules.cards import Seat
from games.rules.events import BankChanged, ClockCredited, DeadlineSet, Event, TurnPassed, WindowOpened
from games.rules.state import CLOCKWISE, State
from games.services import GameSettings
from tests.builders import QUICK, SEED, given_game, legal_texts
from tests.db.later import later

NOW = 1_700_000_000_000
LIMITS = Limits(turn_seconds=10, reaction_seconds=8, bank_seconds=20, increment_seconds=3)
THREE = State(hands=((), (), ()))
PASSED = TurnPassed(Seat(1), CLOCKWISE, 0)


def after(seconds: float, *events: Event, banks: tuple[tuple[Seat, int], ...] = (), by_clock: bool = False) -> object:
    """What the events come to when seat 0's turn began so many seconds ago."""
    began = Clock(turn_at=NOW - int(1_000 * seconds), banks=banks)
    return clock.clock_events(began, THREE, events or (PASSED,), LIMITS, NOW, by_clock=by_clock)


def test_a_move_within_the_turns_time_costs_nothing_and_gives_nothing_to_a_full_bank() -> None:
    """A bank never holds more than it began with; the next seat's deadline covers its own."""
    assert after(9.999) == (DeadlineSet(NOW + 30_000),)


def test_an_overdrawn_turn_is_paid_from_the_bank_and_a_move_gives_the_increment_back() -> None:
    """Seven seconds over, three back."""
    assert after(17) == (BankChanged(Seat(0), 16_000), DeadlineSet(NOW + 30_000))


def test_a_quick_move_fills_a_bank_up_to_what_it_began_with() -> None:
    """By the increment, and not beyond."""
    assert after(1, banks=((Seat(0), 5_000),)) == (BankChanged(Seat(0), 8_000), DeadlineSet(NOW + 30_000))
    assert after(1, banks=((Seat(0), 19_000),)) == (BankChanged(Seat(0), 20_000), DeadlineSet(NOW + 30_000))


def test_a_timeout_empties_the_bank_and_gives_nothing_back() -> None:
    """However late the clock comes."""
    for seconds in (30, 31.5):
        assert after(seconds, by_clock=True) == (BankChanged(Seat(0), 0), DeadlineSet(NOW + 30_000))


def test_the_deadline_covers_what_is_left_in_the_next_seats_bank() -> None:
    """An empty one leaves the turn's own time."""
    assert after(1, banks=((Seat(1), 1_500),)) == (DeadlineSet(NOW + 11_500),)
    assert after(1, banks=((Seat(1), 0),)) == (DeadlineSet(NOW + 10_000),)


def test_a_window_ends_the_turns_clock_and_waiting_for_answers_costs_its_player_nothing() -> None:
    """The +3's player pays when the window opens; the turn that passes after it is already paid."""
    opened = after(12, WindowOpened(Seat(0), (Seat(1), Seat(2))))
    assert opened == (DeadlineSet(NOW + 8_000),)
    waited = Clock(turn_at=0, window_at=NOW - 8_000)
    assert clock.clock_events(waited, THREE, (PASSED,), LIMITS, NOW) == (DeadlineSet(NOW + 30_000),)


def test_a_turn_of_ones_own_after_a_stop_gives_its_increment_once_for_each() -> None:
    """Two turns in one command, two increments."""
    again: tuple[Event, ...] = (TurnPassed(Seat(0), CLOCKWISE, 0), PASSED)
    assert after(1, *again, banks=((Seat(0), 1_000),)) == (BankChanged(Seat(0), 7_000), DeadlineSet(NOW + 30_000))


def test_credited_time_is_neither_paid_nor_gone() -> None:
    """It moves the deadline, or is taken off the time that the turn took."""
    began = Clock(turn_at=NOW - 100_000, deadline=NOW - 70_000)
    assert clock.clock_events(began, THREE, (ClockCredited(95),), LIMITS, NOW) == (DeadlineSet(NOW + 25_000),)
    told = clock.clock_events(began, THREE, (ClockCredited(95), PASSED), LIMITS, NOW)
    assert told == (DeadlineSet(NOW + 30_000),)


def test_without_a_turn_clock_there_is_no_bank() -> None:
    """Whatever the settings say."""
    free = replace(LIMITS, turn_seconds=None)
    assert clock.clock_events(Clock(turn_at=NOW - 10**9), THREE, (PASSED,), free, NOW) == ()


# ---- with a database

SETTINGS = GameSettings(
    seats=2,
    house_rules=QUICK,
    first_player=FirstPlayer.HOST,
    turn_seconds=10,
    bank_seconds=20,
    increment_seconds=2,
)


@pytest.mark.django_db(transaction=True)
def test_the_bank_is_in_the_log_and_in_the_row_and_rebuilds() -> None:
    """Seat 0 takes 15 seconds; the rest is in its bank, the other's is full, and the log alone leads to it."""
    table = given_game(settings=SETTINGS, server_seed=SEED)
    assert table.game.banks == [20_000, 20_000]
    with later(15):
        table.submit(0, legal_texts(table)[0])
    (changed,) = [event for event in table.events() if event.type == "BankChanged"]
    assert changed.data["seat"] == 0
    assert 16_000 <= changed.data["left"] <= 17_000
    assert table.game.banks == [changed.data["left"], 20_000]
    assert projections.rebuild(game_id=table.game_id, check=True) == ()


@pytest.mark.django_db(transaction=True)
def test_a_seat_may_overdraw_until_its_bank_is_empty_and_then_the_clock_comes() -> None:
    """Nobody is timed out before; the next time only the turn's own seconds are left."""
    table = given_game(settings=SETTINGS, server_seed=SEED)
    with later(29):
        assert services.clock_sweep() == 0
    with later(31):
        assert services.clock_sweep() == 1
    assert table.game.banks == [0, 20_000]
    with later(32):
        table.submit(1, legal_texts(table)[0])
        if table.game.turn == 1:  # a TAKI of its own
            table.submit(1, "end")
    events = table.events()
    assert events[-1].type == "DeadlineSet"
    assert events[-1].data["at"] == clock.milliseconds(events[-1].recorded_at) + 10_000


@pytest.mark.django_db(transaction=True)
def test_banks_follow_from_the_events_alone_through_a_whole_game() -> None:
    """At every version: never above what they began with, and the same whether folded at once or bit by bit."""
    table = given_game(players=1, bots=("greedy",), settings=SETTINGS)
    with later(0):
        for step in range(400):
            if table.game.phase != "playing":
                break
            with later(3 * step + step % 17):
                seat = table.state.answer[0] if table.state.answer else table.state.turn
                table.submit(seat, "accept" if table.state.answer else legal_texts(table)[0])
    log = store.log(game_id=table.game_id)
    assert [later.version - earlier.version for earlier, later in pairwise(log)] == [1] * (len(log) - 1)
    assert any(stored.type == "BankChanged" for stored in log)
    assert all(0 <= stored.data["left"] <= 20_000 for stored in log if stored.type == "BankChanged")  # type: ignore[operator]  # an int
    assert projections.rebuild(game_id=table.game_id, check=True) == ()
