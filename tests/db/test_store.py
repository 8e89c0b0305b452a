"""What a move costs, what the cache may do, and what is left when a process dies half-way."""

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from uuid import UUID, uuid4

import psycopg
import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from games import hooks, projections, services, store
from games.errors import ChainBroken
from games.hooks import Appended
from games.models import Game, GameEvent, Phase
from games.rules.cards import Seat
from games.rules.ruleset import Mode
from games.table import Table as CachedTable
from games.table import forget_all, recall, remember
from tests.builders import QUICK, SEED, Table, given_bots, given_game, given_lobby, legal_texts

pytestmark = pytest.mark.django_db(transaction=True)

MOST_STATEMENTS = 6


def statements(act: Callable[[], object]) -> list[str]:
    """The SQL that the act runs, BEGIN and COMMIT included."""
    with CaptureQueriesContext(connection) as queries:
        act()
    return [query["sql"].strip() for query in queries.captured_queries]


# ---- the number of statements


def test_a_move_takes_six_statements_however_long_the_game() -> None:
    """BEGIN, lock, newer events and the command id, INSERT, UPDATE, COMMIT: at version 4 and past version 1000."""
    table = given_bots(("random",) * 4, rules=replace(QUICK, mode=Mode.LADDER), server_seed=SEED)
    counts = {}
    for wanted in (4, 50, 200, 1000):
        while table.game.version < wanted:
            assert services.bot_move(game_id=table.game_id, version=table.game.version)
        version = table.game.version
        seat = table.state.turn
        command = legal_texts(table)[0]
        made = statements(partial(table.submit, seat, command))
        assert table.game.version > version
        counts[wanted] = len(made)
        assert [word.split()[0] for word in made] == ["BEGIN", "SELECT", "SELECT", "INSERT", "UPDATE", "COMMIT"]
    assert set(counts.values()) == {MOST_STATEMENTS}


def test_a_repeated_command_and_a_refused_one_write_nothing() -> None:
    """They read under the lock and let go of it."""
    table, command_id = given_game(), uuid4()
    text = legal_texts(table)[0]
    table.submit(0, text, command_id=command_id)
    made = statements(lambda: table.submit(0, text, command_id=command_id))
    assert [word.split()[0] for word in made] == ["BEGIN", "SELECT", "SELECT", "COMMIT"]


def test_a_view_of_a_game_that_this_process_knows_takes_one_statement() -> None:
    """The row says that the fold is the present one."""
    table = given_game()
    assert len(statements(lambda: store.load(game_id=table.game_id))) == 1


def test_the_newer_events_and_the_command_are_found_by_index() -> None:
    """Neither part of the statement walks through the game, nor through other games."""
    table = given_bots(("random",) * 4, server_seed=SEED)
    table.bot_moves()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("ANALYZE games_gameevent")
        cursor.execute("SET LOCAL enable_seqscan = off")  # a table of one game is small enough to be read whole
        parameters = (table.game_id, 90, 100, table.game_id, 90, uuid4())
        cursor.execute("EXPLAIN " + store._NEWER_AND_COMMAND, parameters)
        plan = [row[0] for row in cursor.fetchall()]
    conditions = [line for line in plan if "Index Cond" in line]
    assert len(conditions) == 2, plan
    assert "version > 90" in conditions[0], plan
    assert "command_id = " in conditions[1], plan


# ---- the cache


def test_a_move_reads_only_what_this_process_has_not_seen() -> None:
    """Another process moved in between: its events are read, none before them."""
    table = given_game(players=3)
    seen = recall(table.game_id)
    assert seen is not None
    table.submit(0, legal_texts(table)[0])
    remember(table.game_id, seen)
    before, told = store._read(table.game, seen.folded.version, None)
    assert [event.version for event in before] == list(range(5, table.game.version + 1))
    assert told is None
    assert store.load(game_id=table.game_id)[1].folded.version == table.game.version


def test_a_process_without_a_cache_comes_to_the_same_fold() -> None:
    """Fold by fold, all of it is equal: position, clock, head, ranking."""
    table = given_bots(("greedy", "random", "greedy"))
    for _ in range(30):
        table.bot_moves(1)
        warm = store.load(game_id=table.game_id)[1]
        forget_all()
        cold = store.load(game_id=table.game_id)[1]
        assert (cold.folded, cold.seating, cold.server_seed) == (warm.folded, warm.seating, warm.server_seed)


@pytest.mark.parametrize("poison", ["hash", "ahead", "behind"])
def test_a_wrong_cache_is_noticed_and_costs_only_time(poison: str) -> None:
    """A fold of another history (a rolled back one, a restored database) is thrown away under the lock."""
    table = given_game(players=3)
    table.submit(0, legal_texts(table)[0])
    true = recall(table.game_id)
    assert true is not None
    folded = true.folded
    wrong = {
        "hash": folded._replace(hash=bytes(32), state=folded.state._replace(turn=folded.state.turn)),
        "ahead": folded._replace(version=folded.version + 5),
        "behind": folded._replace(version=folded.version - 1, hash=bytes(32)),
    }[poison]
    remember(table.game_id, CachedTable(wrong, true.seating, true.seating_revision, true.server_seed))
    assert store.load(game_id=table.game_id)[1].folded == folded
    remember(table.game_id, CachedTable(wrong, true.seating, true.seating_revision, true.server_seed))
    assert table.submit(table.state.turn, legal_texts(table)[0]).version > folded.version


def test_the_lobbys_seed_is_not_kept_while_people_still_come_in() -> None:
    """The seed hangs on everybody's entropy: looking at a lobby must not fix it."""
    table = given_lobby(players=1)
    early = store.load(game_id=table.game_id)[1].folded.state.seed
    services.game_seat_bot(game_id=table.game_id, actor=table.players[0], seat=Seat(1), level="greedy")
    services.game_start(game_id=table.game_id, actor=table.players[0])
    forget_all()
    assert table.state.seed != early
    with transaction.atomic():
        assert store.reread(game_id=table.game_id)[1].folded.state.seed == table.state.seed


# ---- a log that was altered


def alter(table: Table, statement: str) -> None:
    """What only the owner of the database could do, with the trigger off."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE games_gameevent DISABLE TRIGGER USER")
        cursor.execute(statement, (table.game_id,))
        cursor.execute("ALTER TABLE games_gameevent ENABLE TRIGGER USER")
    forget_all()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE games_gameevent SET hash = decode(repeat('00', 32), 'hex') WHERE game_id = %s AND version = 1",
        "DELETE FROM games_gameevent WHERE game_id = %s AND version = 5",
        "DELETE FROM games_gameevent WHERE game_id = %s AND version = 3",
        "UPDATE games_gameevent SET hash = '' WHERE game_id = %s AND version = 5",
    ],
)
def test_no_move_is_taken_on_a_log_that_does_not_lead_to_its_head(statement: str) -> None:
    """A missing event, or one that does not fit the chain, stops the game instead of going on from a wrong position."""
    table = given_game(players=3)
    table.submit(0, "leave")
    assert table.game.phase == Phase.PLAYING
    alter(table, statement)
    rows = GameEvent.objects.filter(game_id=table.game_id).count()
    with pytest.raises(ChainBroken):
        table.submit(1, "draw")
    assert GameEvent.objects.filter(game_id=table.game_id).count() == rows


def test_rebuilding_checks_each_hash() -> None:
    """An altered card deep in the log is named by its version."""
    table = given_bots(("greedy", "random"))
    table.bot_moves(20)
    alter(table, "UPDATE games_gameevent SET actor = 'staff' WHERE game_id = %s AND version = 9")
    with pytest.raises(ChainBroken) as broken:
        projections.rebuild(game_id=table.game_id)
    assert broken.value.version == 9


# ---- dying half-way


class Died(Exception):
    """The process is gone."""


def test_a_crash_between_the_events_and_the_summary_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Log, row and cache are as before, and the same command then goes through."""
    table, command_id = given_game(), uuid4()
    text = legal_texts(table)[0]
    before = (table.game.version, len(table.events()), recall(table.game_id))

    def die(**_: object) -> None:
        raise Died

    with monkeypatch.context() as patched:
        patched.setattr(projections, "project", die)
        with pytest.raises(Died):
            table.submit(0, text, command_id=command_id)
    assert (table.game.version, len(table.events()), recall(table.game_id)) == before
    again = table.submit(0, text, command_id=command_id)
    assert not again.repeated


def test_a_connection_that_is_cut_before_the_commit_leaves_nothing() -> None:
    """The database rolls back, whatever the process had written."""
    table = given_game()
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"], dbname=connection.settings_dict["NAME"]) as other:
        other.execute("SELECT 1 FROM games_game WHERE id = %s FOR UPDATE", (table.game_id,))
        other.execute(
            "INSERT INTO games_gameevent SELECT game_id, 5, type, schema, data, gen_random_uuid(), 0, digest, actor,"
            " recorded_at, hash FROM games_gameevent WHERE game_id = %s AND version = 4",
            (table.game_id,),
        )
        backend = other.info.backend_pid
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s)", (backend,))
        with pytest.raises(psycopg.OperationalError):
            other.execute("SELECT 1")
        other.close()
    assert len(table.events()) == 4
    assert table.submit(0, legal_texts(table)[0]).events[0].version == 5


def test_a_rolled_back_command_tells_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hooks hear of committed events only, once each, and never of a repeated command."""
    heard: list[tuple[UUID, int]] = []
    monkeypatch.setattr(hooks, "after_append", [lambda told: heard.append((told.game.id, told.version))])
    table, command_id = given_game(), uuid4()
    assert heard == [(table.game_id, 4)]
    text = legal_texts(table)[0]
    with suppress(Died), transaction.atomic():
        table.submit(0, text)
        raise Died
    assert table.game.version == 4
    assert len(heard) == 1
    moved = table.submit(0, text, command_id=command_id)
    table.submit(0, text, command_id=command_id)
    assert heard[1:] == [(table.game_id, moved.version)]


def test_a_hook_that_fails_harms_neither_the_move_nor_the_other_hooks(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is logged."""
    heard: list[int] = []

    def fail(_: Appended) -> None:
        raise Died

    monkeypatch.setattr(hooks, "after_append", [fail, lambda told: heard.append(told.version)])
    table = given_game()
    moved = table.submit(0, legal_texts(table)[0])
    assert heard == [4, moved.version]
    assert Game.objects.get(pk=table.game_id).version == moved.version
    assert "a hook failed" in caplog.text
