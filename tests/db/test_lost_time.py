"""Nobody looked at the clocks for a while: the time is credited, once, by an event that everybody sees."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from unittest.mock import patch

import pytest
from django.db import connection

from games import projections, services
from games.clock import credit_for
from games.models import FirstPlayer, Game, Phase, Watch
from games.rules.events import ClockCredited
from games.services import GameSettings
from games.services.watch import PAUSE_SECONDS
from tests.builders import QUICK, SEED, Table, given_game, legal_texts
from tests.db.later import later, watched

pytestmark = pytest.mark.django_db(transaction=True)


def begun(seconds_ago: float, **settings: object) -> Table:
    """A game whose first turn began so many seconds ago."""
    with later(-seconds_ago):
        return given_game(settings=GameSettings(seats=2, house_rules=QUICK, **settings))  # type: ignore[arg-type]  # its fields


def credited(table: Table) -> list[int]:
    return [event.data["seconds"] for event in table.events() if event.type == "ClockCredited"]


def test_a_pause_of_the_sweeps_is_credited_to_every_running_clock() -> None:
    """The deadline moves by as much, the event says how much, and the timeout waits."""
    tables = [begun(50), begun(50)]
    before = [table.game.deadline for table in tables]
    watched(ended_ago=40)
    assert services.clock_sweep() == 2
    for table, deadline in zip(tables, before, strict=True):
        (seconds,) = credited(table)
        assert 40 <= seconds <= 42
        assert deadline is not None
        assert table.game.deadline == deadline + timedelta(seconds=seconds)
        assert [event.type for event in table.events()[4:]] == ["ClockCredited", "DeadlineSet"]
        assert projections.rebuild(game_id=table.game_id, check=True) == ()


def test_the_same_pause_is_credited_once_whoever_finds_it() -> None:
    """Three sweeps at once, and again afterwards: two beats, or a doubled task."""
    tables = [begun(50) for _ in range(4)]
    watched(ended_ago=40)

    def sweep() -> int:
        try:
            return services.clock_sweep()
        finally:
            connection.close()

    with ThreadPoolExecutor(3) as pool:
        for done in [pool.submit(sweep) for _ in range(3)]:
            done.result(20)
    for _ in range(2):
        services.clock_sweep()
    assert [len(credited(table)) for table in tables] == [1] * 4
    assert Watch.objects.count() == 2


def test_only_the_part_of_the_pause_in_which_the_clock_ran_is_credited() -> None:
    """A turn that began in the middle of it has lost less, and one that began after it nothing."""
    middle, fresh = begun(10), given_game()
    watched(ended_ago=60)
    services.clock_sweep()
    assert 10 <= credited(middle)[0] <= 12
    assert credited(fresh) == []


@pytest.mark.parametrize("ago", [0.5, PAUSE_SECONDS - 1])
def test_a_short_pause_is_no_pause(ago: float) -> None:
    """Up to five seconds a sweep may be late; the first sweep of all has nothing before it."""
    table = begun(50)
    watched(ended_ago=ago)
    assert services.clock_sweep() == 0
    assert credited(table) == []
    Watch.objects.all().delete()
    assert services.clock_sweep() == 0
    assert Watch.objects.get().down_since is None


def test_a_sweep_that_takes_long_is_no_pause() -> None:
    """It says that it is at work after every game that it dealt with."""
    with later(-70):
        for _ in range(3):
            given_game()
    watched(ended_ago=0)
    ages = iter([0.0, 4.0, 4.0, 4.0])

    def slow(**_: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute("UPDATE games_watch SET last_at = last_at - make_interval(secs => %s)", (next(ages),))

    with (
        patch("games.services.sweep.game_timeout", slow),
        patch("games.services.watch.KEEP_SECONDS", 0.0),
    ):
        services.clock_sweep()
    assert Watch.objects.count() == 1


def test_a_timeout_that_falls_due_in_a_pause_is_credited_before_it_is_carried_out() -> None:
    """Also if the sweep that found the pause died before it came to this game."""
    with later(-70):
        table = given_game()
    watched(ended_ago=30)
    with patch("games.services.sweep.games_uncredited", return_value=()):
        assert services.clock_sweep() == 1
    assert table.game.turn == 0
    assert 30 <= credited(table)[0] <= 32
    with later(33):
        services.clock_sweep()
    assert table.game.turn == 1


def test_a_move_in_a_pause_does_not_pay_for_it() -> None:
    """The API answers while no worker runs: the bank is charged for the seat's own time only."""
    settings = GameSettings(seats=2, house_rules=QUICK, first_player=FirstPlayer.HOST, turn_seconds=10, bank_seconds=20)
    with later(-25):
        table = given_game(settings=settings, server_seed=SEED)
    watched(ended_ago=18)
    table.submit(0, legal_texts(table)[0])
    assert 18 <= credited(table)[0] <= 20
    assert table.game.banks == [20_000, 20_000]
    assert next(event.actor for event in table.events() if event.type == "ClockCredited") == "clock"
    assert services.clock_sweep() == 0
    assert len(credited(table)) == 1


def test_a_tables_time_is_credited_too_and_games_without_clocks_say_nothing() -> None:
    """Five minutes stay five minutes."""
    timed = begun(100, turn_seconds=None, game_minutes=5)
    free = begun(100, turn_seconds=None)
    stop_at = timed.game.stop_at
    watched(ended_ago=60)
    services.clock_sweep()
    assert stop_at is not None
    assert timed.game.stop_at == stop_at + timedelta(seconds=credited(timed)[0])
    assert (credited(free), free.game.clock_from) == ([], None)


def test_a_game_without_clocks_that_nobody_touches_for_a_month_is_stopped() -> None:
    """Thirty days from its last event, ranked and without a winner."""
    table = given_game(settings=GameSettings(seats=2, turn_seconds=None))
    with later(30 * 86_400 - 60):
        assert services.clock_sweep() == 0
    with later(30 * 86_400 + 1):
        assert services.clock_sweep() == 1
    game = Game.objects.get(pk=table.game_id)
    assert (game.phase, game.winner) == (Phase.FINISHED, None)
    assert next(event.data["reason"] for event in table.events() if event.type == "GameEnded") == "stopped"


def test_lost_time_is_rounded_in_the_players_favour_and_little_is_nothing() -> None:
    """Whole seconds."""
    assert credit_for(499) is None
    assert credit_for(500) == ClockCredited(1)
    assert credit_for(6_400) == ClockCredited(7)
