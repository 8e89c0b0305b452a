"""What Celery may do to a task: lose, double, delay it, stop fetching. No clock and no bot notices for long."""

import time

import pytest
import redis

from config.current import ENV
from games import tasks
from games.models import Phase
from tests.builders import given_bots, given_game, legal_texts
from tests.celery.conftest import Celery, end_sessions, eventually
from tests.celery.test_worker import TimesShifted, finished, log_is_whole


def test_a_hundred_sweeps_at_once_time_each_game_out_once(celery: Celery) -> None:
    """The same task a hundred times: one timeout for each game, each worker process taking part."""
    with TimesShifted(70):
        sleepers = [given_game(players=2) for _ in range(5)]
    for _ in range(100):
        assert tasks.publish(tasks.clock_sweep)
    celery.start("worker")
    eventually(lambda: celery.log("worker").count("succeeded") >= 100, "the sweeps never ran")
    for sleeper in sleepers:
        timeouts = [event for event in sleeper.events() if event.type == "TurnMissed"]
        assert [event.data["seat"] for event in timeouts] == [0]
        assert log_is_whole(sleeper)
    assert "Traceback" not in celery.log("worker")


def test_tasks_that_come_an_hour_late_do_nothing(celery: Celery) -> None:
    """Old bots' moves and sweeps out of a queue that nobody emptied: the game has gone on, the log stays whole."""
    table = given_bots(("greedy", "greedy"))
    for version in range(1, 40):
        assert tasks.publish(tasks.bot_move, str(table.game_id), version)
    celery.start("worker")
    celery.start("beat")
    eventually(lambda: finished(table), "the bots never finished")
    length = table.game.version
    for version in range(4, length + 1):
        assert tasks.publish(tasks.bot_move, str(table.game_id), version)
    before = celery.log("worker").count("bot_move")
    eventually(lambda: celery.log("worker").count("bot_move") > before, "the late tasks never ran")
    eventually(lambda: not redis.Redis.from_url(ENV.valkey_url).llen("bots"), "the late tasks never ran")
    assert (table.game.version, table.game.phase) == (length, Phase.FINISHED)
    assert log_is_whole(table)


def test_two_beats_and_a_flushed_broker_do_no_harm(celery: Celery) -> None:
    """Twice the sweeps, and everything that was queued lost in mid-game."""
    celery.start("worker")
    celery.start("beat")
    celery.start("beat")
    tables = [given_bots(("random",) * 4) for _ in range(3)]
    eventually(lambda: all(table.game.version > 20 for table in tables), "the bots never moved")
    redis.Redis.from_url(ENV.valkey_url).flushall()
    eventually(lambda: all(finished(table) for table in tables), "the games never went on")
    assert all(log_is_whole(table) for table in tables)


def test_a_full_broker_refuses_no_move_and_games_go_on_when_there_is_room(celery: Celery) -> None:
    """No message can be sent nor fetched for a while: a move is answered all the same, and nothing is lost."""
    running = {name: celery.start(name) for name in ("worker", "beat")}
    tables = [given_bots(("random",) * 6) for _ in range(2)]
    eventually(lambda: all(table.game.version > 20 for table in tables), "the bots never moved")
    broker = redis.Redis.from_url(ENV.valkey_url)
    broker.config_set("maxmemory", 1)
    try:
        with pytest.raises(redis.exceptions.ResponseError, match="maxmemory"):
            broker.set("anything", 1)
        person = given_game(players=1, bots=("greedy",))
        assert person.submit(0, legal_texts(person)[0]).version > 4
        time.sleep(3)
    finally:
        broker.config_set("maxmemory", 0)
        tasks.broker.wake()
    assert tasks.publish(tasks.clock_sweep)

    def finished_under_supervision() -> bool:
        for name, child in running.items():
            if child.poll() is not None:  # as supervisord, or a container's restart policy, would
                running[name] = celery.start(name)
        return all(finished(table) for table in tables)

    eventually(finished_under_supervision, "the games never went on")
    assert all(log_is_whole(table) for table in [*tables, person])


def test_a_worker_that_fetches_nothing_ends_itself(celery: Celery) -> None:
    """It is connected and idle while tasks wait: whatever restarts it gets the chance to."""
    from config.celery import app

    worker = celery.start("worker")
    for queue in ("bots", "clock", "default"):
        replies = app.control.cancel_consumer(queue, reply=True, timeout=10)
        assert "no longer consuming" in str(replies)
    assert tasks.publish(tasks.clock_sweep)
    eventually(lambda: worker.poll() is not None, "it never ended")
    assert "did nothing for 12 seconds and ends itself" in celery.log("worker")


def test_a_database_that_went_away_costs_a_sweep_and_no_game(celery: Celery) -> None:
    """Every session of the worker is cut in mid-game: the next task connects anew."""
    celery.start("worker")
    celery.start("beat")
    tables = [given_bots(("random",) * 4) for _ in range(2)]
    eventually(lambda: all(table.game.version > 20 for table in tables), "the bots never moved")
    end_sessions()
    eventually(lambda: all(finished(table) for table in tables), "the games never went on")
    assert all(log_is_whole(table) for table in tables)
