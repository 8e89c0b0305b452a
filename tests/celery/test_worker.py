"""Bots and clocks with a real broker and a real worker."""

from unittest.mock import patch

import pytest
from django.db import transaction

from games import hooks, services, store, tasks
from games.audit.export import export_lines
from games.audit.verify import verify_export
from games.models import Phase
from tests.builders import Table, given_bots, given_game
from tests.celery.conftest import Celery, eventually


def finished(table: Table) -> bool:
    return table.game.phase == Phase.FINISHED


def log_is_whole(table: Table) -> bool:
    with transaction.atomic():
        game, reread = store.reread(game_id=table.game_id)
    return (game.version, bytes(game.head_hash)) == (reread.folded.version, reread.folded.hash)


class TimesShifted:
    """Within it, this process writes events as of so many seconds ago."""

    def __init__(self, seconds: float) -> None:
        import time

        now = time.time_ns
        self.patch = patch("time.time_ns", lambda: now() - int(seconds * 1e9))

    def __enter__(self) -> None:
        self.patch.start()

    def __exit__(self, *_: object) -> None:
        self.patch.stop()


def test_a_game_of_four_bots_plays_itself_to_the_end(celery: Celery) -> None:
    """Each move wakes the next bot; the log verifies from its export alone."""
    celery.start("worker")
    table = given_bots(("greedy", "random", "greedy", "random"))
    eventually(lambda: finished(table), "the bots never finished")
    verified = verify_export(export_lines(game_id=table.game_id))
    assert verified.head_hash == bytes(table.game.head_hash)
    assert {event.actor for event in table.events()} <= {"server", "bot:0", "bot:1", "bot:2", "bot:3"}


def test_bots_at_a_persons_table_move_until_it_is_the_persons_turn(celery: Celery) -> None:
    """And again after the person has moved; the sweep wakes them when their pause is over."""
    celery.start("worker")
    celery.start("beat")
    table = given_game(players=1, bots=("greedy", "greedy"))
    for _ in range(3):
        eventually(lambda: finished(table) or _awaits_person(table), "the bots never came to an end of their turns")
        if finished(table):
            return
        state = table.state
        table.submit(0, "accept" if state.plus3 is not None else _plain_move(table))


def _awaits_person(table: Table) -> bool:
    state = table.state
    return 0 in state.answer if state.plus3 is not None else state.turn == 0


def _plain_move(table: Table) -> str:
    from games.bots import greedy
    from games.rules.cards import Seat
    from games.rules.legal import legal_commands
    from games.rules.notation import format_command
    from games.rules.views import view_for

    state = table.state
    command = greedy.choose(view_for(state, Seat(0)), legal_commands(state, Seat(0)), bytes(32))
    return format_command((command,))


def test_every_task_twice_is_as_good_as_once(celery: Celery) -> None:
    """Each bot's task and each sweep is sent three times: every seat still moves once a turn, the log is whole."""
    table = given_bots(("greedy", "random", "greedy"), start=False)

    def wake_thrice(moved: hooks.Appended) -> None:
        for _ in range(3):
            tasks.wake_bot(moved)

    with patch.object(hooks, "after_append", [wake_thrice]):
        services.game_start(game_id=table.game_id, actor=services.SystemActor("server"))
    for version in (4, 4, 5, 6):
        tasks.publish(tasks.bot_move, str(table.game_id), version)
        tasks.publish(tasks.clock_sweep)
    celery.start("worker")
    eventually(lambda: finished(table), "the bots never finished")
    assert log_is_whole(table)
    assert "Traceback" not in celery.log("worker")


def test_a_task_for_a_game_that_is_not_there_or_has_gone_on_does_nothing(celery: Celery) -> None:
    """It comes late, or the database was restored: no error, no event."""
    table = given_game(players=1, bots=("greedy",))
    for game_id, version in (
        (str(table.game_id), 1),
        (str(table.game_id), 99),
        ("01890a5d-ac96-774b-bcce-b302099a8057", 4),
    ):
        assert tasks.publish(tasks.bot_move, game_id, version)
    celery.start("worker")
    eventually(lambda: celery.log("worker").count("succeeded") >= 3, "the tasks never ran")
    assert "Traceback" not in celery.log("worker")
    assert table.game.version == 4


def test_the_sweep_carries_out_what_is_due_and_wakes_lost_bots(celery: Celery) -> None:
    """Without anybody's hook: a timeout for the one who sleeps, and a whole game of bots whose tasks were lost."""
    with patch.object(hooks, "after_append", []):
        bots = given_bots(("greedy", "greedy"))
        with TimesShifted(70):
            sleeper = given_game(players=2)
    celery.start("worker")
    celery.start("beat")
    eventually(lambda: finished(bots), "nobody woke the bots")
    eventually(lambda: sleeper.game.turn == 1, "nobody timed the sleeper out")
    assert sleeper.events()[4].actor == "clock"
    assert log_is_whole(sleeper)


def test_a_worker_killed_in_mid_game_loses_nothing(celery: Celery) -> None:
    """After its restart the sweep finds the game and it goes on to its end."""
    celery.start("beat")
    worker = celery.start("worker")
    tables = [given_bots(("random",) * 6) for _ in range(3)]
    eventually(lambda: any(table.game.version > 30 for table in tables), "the bots never moved")
    celery.kill(worker)
    assert all(log_is_whole(table) for table in tables)
    celery.start("worker")
    eventually(lambda: all(finished(table) for table in tables), "the games never went on")
    assert all(log_is_whole(table) for table in tables)


@pytest.mark.parametrize("levels", [("greedy", "greedy")])
def test_bots_answer_a_window_by_themselves(celery: Celery, levels: tuple[str, ...]) -> None:
    """At a person's table, in their own time, woken by beat's sweep; the person has accepted already."""
    from games.rules.cards import PLUS_THREE
    from tests.builders import seed_where

    seed = seed_where(lambda state: PLUS_THREE in state.hands[0], seats=3, entropies=[b"entropy 0", b"", b""])
    celery.start("worker")
    celery.start("beat")
    table = given_game(players=1, bots=levels, server_seed=seed)
    opened = table.submit(0, "play +3")
    eventually(lambda: table.state.plus3 is None, "the bots never answered")
    answers = [event for event in table.events()[opened.version :] if event.type in ("WindowAccepted", "CardPlayed")]
    assert {event.actor for event in answers} <= {"bot:1", "bot:2"}
    assert "clock" not in {event.actor for event in table.events()}
