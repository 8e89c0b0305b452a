"""`games_audit` and its nightly run: all or some games, stopped anywhere and gone on with, two at once."""

import io
import os
import signal
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from games import tasks
from games.audit import runs
from games.audit.check import Checked, game_check
from games.audit.runs import RunBusy, night_due, run_begin, run_go_on, run_unfinished
from games.audit.scope import Scope, games_of
from games.models import AuditEntry, AuditKind, AuditRun, Game, GameCheck
from tests.audit.tampering import alter_event
from tests.builders import QUICK, Table, given_bots, given_game, given_lobby
from tests.celery.conftest import ROOT, test_database

pytestmark = pytest.mark.django_db(transaction=True)


def given_games(count: int) -> list[Table]:
    """Running games of bots, a few moves old."""
    tables = [given_bots(("greedy", "random"), rules=QUICK) for _ in range(count)]
    for table in tables:
        table.bot_moves(2)
    return tables


def audited(*arguments: str) -> tuple[int, str]:
    """The command's exit code and what it printed."""
    out = io.StringIO()
    try:
        call_command("games_audit", *arguments, stdout=out, stderr=io.StringIO())
    except CommandError as error:
        return error.returncode, out.getvalue()
    return 0, out.getvalue()


def test_all_games_are_gone_through_and_what_is_wrong_is_told() -> None:
    """One line a game that fails or differs, a count, exit code 1; only the one that does not verify is frozen."""
    tables = [*given_games(2), given_game()]
    given_lobby()
    assert audited() == (0, "3 games, 0 failed, 0 differ from their logs\n")
    alter_event(tables[0].game_id, 4, "actor = 'nobody'")
    Game.objects.filter(pk=tables[1].game_id).update(cards=[1, 2])
    code, told = audited()
    assert code == 1
    assert told.splitlines() == [
        f"{tables[0].game_id} {tables[0].game.frozen_reason}",
        f"{tables[1].game_id} differs: cards",
        "3 games, 1 failed, 1 differ from their logs",
    ]
    assert [table.game.frozen_at is not None for table in tables] == [True, False, False]


def test_some_games_only() -> None:
    """Named ones, those since a time, and so many by lot; an unknown one is refused in a sentence."""
    tables = given_games(6)
    named = str(tables[1].game_id)
    assert audited("--game", named, "--game", str(tables[4].game_id))[1].startswith("2 games")
    assert audited("--sample", "4")[1].startswith("4 games")
    assert audited("--sample", "40")[1].startswith("6 games")
    tables[0].bot_moves()
    Game.objects.filter(pk=tables[0].game_id).update(ended_at=datetime.now(UTC) - timedelta(days=9))
    week_ago = f"{datetime.now(UTC) - timedelta(days=7):%F}"
    assert audited("--since", week_ago)[1].startswith("5 games")
    with pytest.raises(CommandError, match="no such game: "):
        call_command("games_audit", "--game", str(uuid4()))
    with pytest.raises(CommandError, match="a whole number from 1, not '0'"):
        call_command("games_audit", "--sample", "0")


def test_a_lot_is_drawn_once_and_stays_the_same() -> None:
    """However often the audit is taken up again; another audit draws another."""
    given_games(8)
    drawn = [frozenset(games_of(run_begin(scope=Scope(sample=3)).scope)) for _ in range(6)]
    assert {len(games) for games in drawn} == {3}
    assert len({*drawn}) > 1
    run = AuditRun.objects.latest("id")
    assert frozenset(games_of(run.scope)) == drawn[-1]


def test_a_stopped_audit_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C after a few games: the same command checks the rest and counts them all."""
    monkeypatch.setattr(runs, "PORTION", 2)
    tables = given_games(7)
    alter_event(tables[0].game_id, 4, "actor = 'nobody'")
    seen: list[UUID] = []

    def checking(*, game_id: UUID, freeze: bool) -> Checked:
        if len(seen) == 5:
            seen.append(game_id)
            raise KeyboardInterrupt
        seen.append(game_id)
        return game_check(game_id=game_id, freeze=freeze)

    monkeypatch.setattr(runs, "game_check", checking)
    assert audited()[0] == 130
    run = AuditRun.objects.get()
    assert (run.checked, run.finished_at, run.failed) == (4, None, 1)
    assert run_unfinished(scope=Scope()) == run
    assert run_unfinished(scope=Scope(sample=3)) is None
    code, told = audited()
    assert (code, told) == (1, "7 games, 1 failed, 0 differ from their logs\n")
    assert AuditRun.objects.count() == 1
    assert {*seen} == {table.game_id for table in tables}
    assert len(seen) == 6 + 3  # the two of the portion that was lost, and the last


def test_an_audit_begun_anew_forgets_the_stopped_one() -> None:
    """With --anew; the games of the beginning are checked again."""
    given_games(2)
    stopped = run_begin(scope=Scope())
    assert audited("--anew")[1].startswith("2 games")
    assert AuditRun.objects.exclude(pk=stopped.pk).get().finished_at is not None


def test_two_at_once_are_not_in_each_others_way() -> None:
    """The second hears that the first is at it, and exits with 2; when it is over, another may begin."""
    given_games(2)
    run = run_begin(scope=Scope())
    working, done = threading.Event(), threading.Event()

    def first() -> None:
        def told(game_id: UUID, checked: Checked) -> None:
            working.set()
            done.wait(10)

        try:
            run_go_on(run_id=run.pk, told=told)
        finally:
            connection.close()

    thread = threading.Thread(target=first)
    thread.start()
    try:
        assert working.wait(10)
        assert audited()[0] == 2
        with pytest.raises(RunBusy):
            run_go_on(run_id=run.pk)
    finally:
        done.set()
        thread.join(10)
    run.refresh_from_db()
    assert (run.checked, run.finished_at is not None) == (2, True)
    assert audited()[0] == 0


def test_a_killed_audit_goes_on_in_another_process() -> None:
    """SIGKILL in the middle: its lock goes with its connection, and what it had noted stays."""
    given_games(3)
    run = run_begin(scope=Scope())
    program = (
        "import django; django.setup()\n"
        "from games.audit import runs\n"
        "runs.PORTION = 1\n"
        "import time\n"
        "def told(game_id, checked):\n"
        "    print(game_id, flush=True)\n"
        "    if told.count: time.sleep(60)\n"
        "    told.count += 1\n"
        "told.count = 0\n"
        f"runs.run_go_on(run_id={run.pk}, told=told)\n"
    )
    environment = {
        **os.environ,
        "DATABASE_URL": test_database(os.environ["DATABASE_URL"]),
        "DATABASE_OWNER_URL": test_database(os.environ["DATABASE_OWNER_URL"]),
    }
    child = subprocess.Popen(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    try:
        first, second = child.stdout.readline().strip(), child.stdout.readline().strip()
        with pytest.raises(RunBusy):
            run_go_on(run_id=run.pk)
    finally:
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
    seen: list[str] = []
    for _ in range(100):
        try:
            run = run_go_on(run_id=run.pk, told=lambda game_id, _: seen.append(str(game_id)))
            break
        except RunBusy:  # the database has not noticed the death yet
            threading.Event().wait(0.05)
    assert run.finished_at is not None
    assert run.checked == 3
    assert first not in seen
    assert seen[0] == second
    assert len(seen) == 2


def test_a_fault_of_the_program_freezes_nothing_and_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game counts as failed, with what happened; the others are checked all the same."""
    tables = given_games(3)

    def checking(*, game_id: UUID, freeze: bool) -> Checked:
        if game_id == tables[1].game_id:
            raise AttributeError("a fault")
        return game_check(game_id=game_id, freeze=freeze)

    monkeypatch.setattr(runs, "game_check", checking)
    code, told = audited()
    assert code == 1
    assert f"{tables[1].game_id} it could not be checked: AttributeError" in told
    assert "3 games, 1 failed" in told
    assert not Game.objects.filter(frozen_at__isnull=False).exists()


def test_one_audit_freezes_only_so_many_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """More at once speak for a fault of the program: they are told, and people must look."""
    monkeypatch.setattr(runs, "MOST_FROZEN", 2)
    tables = given_games(4)
    for table in tables:
        alter_event(table.game_id, 4, "actor = 'nobody'")
    assert "4 games, 4 failed" in audited()[1]
    assert Game.objects.filter(frozen_at__isnull=False).count() == 2
    assert AuditEntry.objects.filter(kind=AuditKind.FROZEN).count() == 2


# ---- each night


def test_a_night_has_one_audit_however_many_ask_for_it() -> None:
    """Two sweeps at once begin it once; while somebody is at it nobody else is sent, and afterwards neither."""
    given_games(1)
    gate, found = threading.Barrier(4), []

    def ask() -> None:
        try:
            gate.wait(10)
            found.append(night_due())
        finally:
            connection.close()

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    run = AuditRun.objects.get()
    assert [run_id for run_id in found if run_id is not None] == [run.pk]
    assert night_due() is None
    AuditRun.objects.update(seen_at=datetime.now(UTC) - timedelta(minutes=2))
    assert night_due() == run.pk
    assert run_go_on(run_id=run.pk).finished_at is not None
    AuditRun.objects.update(seen_at=datetime.now(UTC) - timedelta(minutes=2))
    assert night_due() is None


def test_a_night_checks_what_is_new_or_has_moved_and_the_longest_unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """And what failed before; of the rest only so many."""
    monkeypatch.setattr(runs, "NIGHTLY_OLDEST", 1)
    tables = given_games(5)
    alter_event(tables[4].game_id, 4, "actor = 'nobody'")
    for table in tables[:3] + tables[4:]:
        game_check(game_id=table.game_id, freeze=False)
    tables[2].bot_moves(1)
    run_id = night_due()
    assert run_id is not None
    seen: list[UUID] = []
    run_go_on(run_id=run_id, told=lambda game_id, _: seen.append(game_id))
    oldest, _unchanged, moved, new, failing = (table.game_id for table in tables)
    assert seen == [oldest, moved, new, failing]


def test_a_slice_stops_when_its_time_is_up_and_asks_for_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that moves do not wait for an audit; the last one asks for none."""
    given_games(3)
    monkeypatch.setattr(tasks, "AUDIT_SECONDS", 0.0)
    asked: list[tuple[object, ...]] = []
    monkeypatch.setattr(tasks, "publish", lambda task, *arguments: asked.append((task.name, *arguments)))
    tasks.audit_sweep()
    run = AuditRun.objects.get()
    assert asked == [("games.tasks.audit_slice", run.pk)]
    for checked in (1, 2, 3):
        tasks.audit_slice(run.pk)
        run.refresh_from_db()
        assert run.checked == checked
    tasks.audit_slice(run.pk)
    run.refresh_from_db()
    assert run.finished_at is not None
    assert len(asked) == 4
    tasks.audit_slice(run.pk)
    assert (len(asked), GameCheck.objects.filter(ok=True).count()) == (4, 3)
