"""`up`: what it says, what it keeps, and that it leaves nothing behind."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import psutil
import psycopg
import pytest

from tests.e2e.system import ROOT, System, eventually, free_port
from tests.servers import Servers


@pytest.fixture
def fresh() -> Iterator[System]:
    """A system of the test's own, not started."""
    own = System()
    yield own
    own.close()


def test_the_ready_line_names_pages_that_answer(system: System) -> None:
    """One line begins with `ready`; the docs, the admin and the streams answer where it says."""
    ready = [line for line in system.lines if line.startswith("ready ")]
    assert ready == [f"ready {system.url} docs {system.url}/api/docs/ admin {system.url}/admin/"]
    assert httpx.get(f"{system.url}/admin/login/").status_code == 200
    assert httpx.get(f"{system.url}/api/docs/").status_code == 200
    assert httpx.get(f"{system.stream_url}/healthz").json() == {"status": "ok"}


def test_static_files_come_from_the_server_itself(system: System) -> None:
    """Every script and style of the docs and admin pages is served here, from no other host."""
    for page in ("/api/docs/", "/admin/login/"):
        text = httpx.get(system.url + page).text
        sources = re.findall(r'(?:src|href)="([^"#]+)"', text)
        files = [source for source in sources if source.endswith((".js", ".css"))]
        assert files
        for file in files:
            assert file.startswith("/"), f"{page} asks another host for {file}"
            assert httpx.get(system.url + file).status_code == 200, file


def test_the_admins_password_works_and_is_stored_nowhere(system: System) -> None:
    """The password printed on the first start logs in, and no file of the data folder holds it."""
    (line,) = [line for line in system.lines if line.startswith("admin's password")]
    password = line.split()[-1]
    with httpx.Client(base_url=system.url) as browser:
        browser.get("/admin/login/")
        form = {"username": "admin", "password": password, "csrfmiddlewaretoken": browser.cookies["csrftoken"]}
        entered = browser.post("/admin/login/?next=/admin/", data=form)
        assert (entered.status_code, entered.headers["location"]) == (302, "/admin/")
        assert browser.get("/admin/").status_code == 200
    holders = [file for file in system.folder.rglob("*") if file.is_file() and password.encode() in file.read_bytes()]
    assert holders == []


def test_secrets_are_readable_by_their_owner_alone(system: System) -> None:
    """The key and the passwords in the data folder have mode 600."""
    for name in ("secrets.json", "environment.json"):
        assert (system.folder / name).stat().st_mode & 0o077 == 0


def test_no_server_is_given_the_secrets(system: System) -> None:
    """PostgreSQL and Valkey run with an environment that holds no key and no password."""
    secrets = json.loads((system.folder / "secrets.json").read_text()).values()
    for name in ("postgres", "valkey"):
        environment = Path(f"/proc/{system.pid(name)}/environ").read_bytes()
        assert not any(secret.encode() in environment for secret in secrets)


def test_the_application_role_may_not_touch_an_event(system: System) -> None:
    """The role that the processes use is no superuser, owns nothing, and cannot change or remove events."""
    address = json.loads((system.folder / "environment.json").read_text())["DATABASE_URL"]
    with psycopg.connect(address, autocommit=True) as connection:
        row = connection.execute(
            "SELECT current_user, rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, "
            "(SELECT count(*) FROM pg_class WHERE relowner = pg_roles.oid) FROM pg_roles WHERE rolname = current_user"
        ).fetchone()
        assert row == ("taki_application", False, False, False, False, 0)
        for statement in (
            "UPDATE games_gameevent SET type = 'x'",
            "DELETE FROM games_gameevent",
            "TRUNCATE games_gameevent",
            "ALTER TABLE games_gameevent DISABLE TRIGGER ALL",
            "DROP TABLE games_gameevent",
            "INSERT INTO django_migrations (app, name, applied) VALUES ('x', 'y', now())",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)
        assert connection.execute("SELECT count(*) FROM games_gameevent").fetchone() is not None


def test_manage_works_on_the_running_system(system: System) -> None:
    """`manage.py` finds the system by its data folder; all migrations are applied."""
    assert "[ ]" not in system.manage("showmigrations")


def test_a_request_id_goes_in_and_out_and_into_the_log(system: System) -> None:
    """A caller's harmless id is answered and logged; a harmful one is replaced."""
    answer = httpx.get(f"{system.url}/admin/login/", headers={"X-Request-Id": "seen-in-the-log"})
    assert answer.headers["x-request-id"] == "seen-in-the-log"
    log = system.folder / "log" / "api.log"
    eventually(lambda: "seen-in-the-log" in log.read_text(), "the id is in the log", 10)
    lines = [json.loads(line) for line in log.read_text().splitlines() if "seen-in-the-log" in line]
    assert all(line["request_id"] == "seen-in-the-log" for line in lines)
    answer = httpx.get(f"{system.url}/admin/login/", headers={"X-Request-Id": "x" * 65})
    assert answer.headers["x-request-id"] != "x" * 65


def test_a_second_up_on_the_same_folder_is_refused(system: System) -> None:
    """One sentence, exit code 1, and the first one goes on undisturbed."""
    second = System(folder=system.folder)
    second.launch()
    code, said = second.ended()
    assert (code, said) == (
        1,
        f"Another `taki up` is using {system.folder}: stop it, or give this one its own TAKI_DATA_DIR.",
    )
    assert system.readiness() == 200


def test_a_busy_port_is_one_sentence(fresh: System) -> None:
    """Whoever listens already is not disturbed, and nothing is started."""
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        fresh.environment["STREAM_PORT"] = str(port)
        fresh.launch()
        code, said = fresh.ended()
    assert code == 1
    assert said == f"Port {port} at 127.0.0.1 cannot be used (Address already in use): choose another with STREAM_PORT."


@pytest.mark.parametrize(
    ("variable", "value", "sentence"),
    [
        ("PORT", "eighty", "PORT (the API's port) must be a whole number from 1 to 65535, not 'eighty'."),
        ("TAKI_PROT", "1", "TAKI_PROT is not a variable of this program; known are TAKI_"),
        ("BROKER_URL", "valkey://h/0", "BROKER_URL (Valkey or Redis) must be a Valkey or Redis address, beginning"),
    ],
)
def test_a_bad_variable_is_one_sentence(fresh: System, variable: str, value: str, sentence: str) -> None:
    """The sentence names the variable, and a secret's value is not repeated."""
    fresh.environment[variable] = value
    fresh.launch()
    code, said = fresh.ended()
    assert code == 2
    assert said.startswith(sentence)
    assert "\n" not in said


def _a_file(folder: Path) -> None:
    folder.rmdir()
    folder.write_text("not a folder")


def _no_cluster(folder: Path) -> None:
    (folder / "postgres").mkdir()
    (folder / "secrets.json").write_text('{"secret_key": "k", "owner_password": "o", "application_password": "a"}')


def _lost_secrets(folder: Path) -> None:
    (folder / "postgres").mkdir()


def _mangled_secrets(folder: Path) -> None:
    (folder / "secrets.json").write_text("{")


@pytest.mark.parametrize(
    ("breaking", "sentence"),
    [
        (_a_file, "{} is a file; TAKI_DATA_DIR must name a folder."),
        (_no_cluster, "{}/postgres is not a PostgreSQL data folder (its PG_VERSION cannot be read): put a backup"),
        (_lost_secrets, "{}/secrets.json is missing, so the database beside it cannot be opened: put the file back"),
        (_mangled_secrets, "{}/secrets.json cannot be read: put it back from a backup, or move the folder away."),
    ],
)
def test_a_broken_data_folder_is_one_sentence(fresh: System, breaking: object, sentence: str) -> None:
    """It says what is broken and what to do; nothing is started and nothing is overwritten."""
    assert callable(breaking)
    breaking(fresh.folder)
    fresh.launch()
    code, said = fresh.ended()
    if fresh.folder.is_file():
        fresh.folder.unlink()
    assert code == 1
    assert said.startswith(sentence.format(fresh.folder))
    assert "\n" not in said


def test_a_cluster_that_postgres_refuses_is_named_with_its_last_words(fresh: System) -> None:
    """A damaged cluster ends `up` with PostgreSQL's own reason, and everything else is stopped again."""
    fresh.start()
    fresh.stop()
    (fresh.folder / "postgres" / "global" / "pg_control").write_bytes(b"")
    fresh.launch()
    code, said = fresh.ended()
    assert code == 1
    assert "postgres does not stay up: “" in said
    assert "pg_control" in said
    fresh.assert_nothing_left()


def test_data_outlives_a_restart_and_a_terminal_that_closes(fresh: System) -> None:
    """SIGHUP stops all; the second start makes no second admin and finds what the first one stored."""
    fresh.start()
    fresh.manage("shell", "-c", "from players.models import Player; Player.objects.create_user('Kept Here')")
    fresh.stop(signal.SIGHUP)
    fresh.start()
    assert not any(line.startswith("admin's password") for line in fresh.lines)
    names = fresh.manage(
        "shell", "-c", "from players.models import Player; print([p.name for p in Player.objects.all()])"
    )
    assert "Kept Here" in names
    code, _ = fresh.stop(signal.SIGINT)
    assert code == 0


@pytest.mark.parametrize("seconds", [0.1, 0.6, 1.2, 2.5, 4.0])
def test_a_stop_during_the_start_leaves_nothing(fresh: System, seconds: float) -> None:
    """SIGTERM at any moment of the start, and again while stopping: nothing runs on, and the next start works."""
    fresh.launch()
    time.sleep(seconds)
    assert fresh.up is not None
    fresh._note_family()
    fresh.up.terminate()
    time.sleep(0.2)
    fresh.up.terminate()
    fresh.ended()
    fresh.assert_nothing_left()


def test_a_killed_up_takes_its_system_along_and_the_next_one_starts(fresh: System) -> None:
    """After SIGKILL of `up` itself nothing has to be cleaned by hand."""
    fresh.start()
    assert fresh.up is not None
    fresh._note_family()
    fresh.up.kill()
    fresh.start()
    fresh.stop()


def test_survivors_of_a_killed_up_are_ended_by_the_next_one(fresh: System) -> None:
    """Even when `up` and supervisord are killed at once, the next `up` starts on the same folder and ports."""
    fresh.start()
    assert fresh.up is not None
    fresh._note_family()
    os.kill(fresh.up.pid, signal.SIGSTOP)  # so that it cannot clean up
    fresh.kill("supervisord")
    fresh.up.kill()
    fresh.start()
    fresh.stop()


@pytest.mark.parametrize("name", ["postgres", "valkey", "api", "streams", "worker", "beat"])
def test_a_killed_process_is_started_again_and_that_is_said(system: System, name: str) -> None:
    """The terminal says which one died, and the system becomes ready again."""
    killed_at = time.time()
    system.kill_and_wait(name)
    line = system.wait_for_line(f"{name} died and is started again")
    assert line.endswith(f"{name}.log")
    system.wait_until_ready()
    for sign in ("worker", "beat"):  # both work again, whichever of the others was away
        file = system.folder / "heartbeats" / sign
        eventually(lambda: file.stat().st_mtime > killed_at + 1, f"{sign} works")  # noqa: B023


def _readiness_without(system: System, part: str) -> httpx.Response:
    """The first answer in which the part is not well; each API process keeps an answer for a second."""
    patience = time.monotonic() + 30
    while True:
        answer = httpx.get(f"{system.url}/readyz", timeout=20)
        if answer.json()["parts"][part] != "ok" or time.monotonic() > patience:
            return answer


def test_readiness_names_the_part_that_is_down(system: System) -> None:
    """A stopped broker, then a stopped database: 503 as problem+json that says which, and green when they are back."""
    for name, part in (("valkey", "broker"), ("postgres", "database")):
        pid = system.kill(name, signal.SIGSTOP)
        try:
            answer = _readiness_without(system, part)
            assert answer.json()["parts"][part] == "does not answer"
            assert (answer.status_code, answer.json()["status"]) == (503, 503)
            assert answer.headers["content-type"] == "application/problem+json"
            assert httpx.get(f"{system.url}/healthz").status_code == 200
        finally:
            os.kill(pid, signal.SIGCONT)
        system.wait_until_ready()


def _accepts_connections(system: System) -> bool:
    """Asked directly: `/readyz` may still answer for the second before."""
    url = json.loads((system.folder / "environment.json").read_text())["DATABASE_URL"]
    try:
        psycopg.connect(url).close()
    except psycopg.OperationalError:
        return False
    return True


def test_a_restarted_database_costs_no_request(system: System) -> None:
    """Connections that the restart has cut are noticed before they are used: not one answer is an error."""
    (password,) = [line.split()[-1] for line in system.lines if line.startswith("admin's password")]
    with httpx.Client(base_url=system.url, timeout=20) as browser:
        browser.get("/admin/login/")
        form = {"username": "admin", "password": password, "csrfmiddlewaretoken": browser.cookies["csrftoken"]}
        assert browser.post("/admin/login/", data=form).status_code == 302
        with ThreadPoolExecutor(8) as crowd:  # every connection of the pools is in use once
            assert set(crowd.map(lambda _: browser.get("/admin/").status_code, range(64))) == {200}
            system.kill_and_wait("postgres")
            eventually(lambda: _accepts_connections(system), "the database is back")
            assert set(crowd.map(lambda _: browser.get("/admin/").status_code, range(64))) == {200}


def test_servers_of_your_own_are_used_and_none_is_started(fresh: System, servers: Servers) -> None:
    """With DATABASE_URL and BROKER_URL only the four processes and their supervisor run, on those servers."""
    owner = os.environ["DATABASE_OWNER_URL"]
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute("CREATE DATABASE taki_own")
    try:
        for name in ("DATABASE_URL", "DATABASE_OWNER_URL"):
            fresh.environment[name] = os.environ[name].replace("@/taki?", "@/taki_own?")
        fresh.environment["BROKER_URL"] = os.environ["BROKER_URL"].replace("virtual_host=0", "virtual_host=5")
        fresh.start()
        assert [fresh.pid(name) for name in ("postgres", "valkey")] == [0, 0]
        assert not (fresh.folder / "postgres").exists()
        fresh.stop()
    finally:
        with psycopg.connect(owner, autocommit=True) as connection:
            connection.execute("DROP DATABASE taki_own WITH (FORCE)")


@pytest.mark.parametrize(
    ("variable", "address"),
    [("DATABASE_URL", "postgresql://me:hush@127.0.0.1:{}/taki"), ("BROKER_URL", "redis://:hush@127.0.0.1:{}/0")],
)
def test_a_server_of_your_own_that_is_away_is_one_sentence(fresh: System, variable: str, address: str) -> None:
    """It names the variable and not the password, and everything else is stopped again."""
    fresh.environment[variable] = address.format(free_port())
    fresh.launch()
    code, said = fresh.ended()
    assert code == 1
    assert said.startswith(f"{variable} cannot be reached: ")
    assert "hush" not in said
    fresh.assert_nothing_left()


def test_two_systems_run_side_by_side(system: System, fresh: System) -> None:
    """Other ports and another folder are all that a second system needs."""
    fresh.start()
    assert (system.readiness(), fresh.readiness()) == (200, 200)
    fresh.stop()
    assert system.readiness() == 200


def test_a_long_and_unusual_path_works(fresh: System) -> None:
    """Sockets have short names; the data folder need not."""
    deep = fresh.folder / ("a b'%d\"ü" + "x" * 110)
    fresh.environment["TAKI_DATA_DIR"] = str(deep)
    outer, fresh.folder = fresh.folder, deep
    try:
        fresh.start()
        sockets = Path(str(psutil.Process(fresh.pid("supervisord")).net_connections("unix")[0].laddr)).parent
        assert not sockets.is_relative_to(deep)
        fresh.stop()
        assert not sockets.exists()
    finally:
        fresh.folder = outer


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_an_ordinary_user_can_run_it() -> None:
    """Everything works without root, from a checkout that this user cannot write to."""
    setpriv = shutil.which("setpriv")
    assert setpriv
    folder = Path(tempfile.mkdtemp(prefix="taki-user-", dir="/tmp"))
    shutil.chown(folder, 65534, 65534)
    ordinary = (setpriv, "--reuid=65534", "--regid=65534", "--clear-groups", "--")
    own = System(
        folder=folder,
        variables={"HOME": str(folder)},
        command=(*ordinary, sys.executable, "-m", "config.up"),
    )
    reachable = subprocess.run([*ordinary, sys.executable, "-c", ""], cwd=ROOT, capture_output=True, check=False)
    if reachable.returncode:
        pytest.skip("this interpreter lies in a folder that is closed to ordinary users")
    try:
        own.start()
        assert {Path(f"/proc/{own.pid(name)}").stat().st_uid for name in ("postgres", "api")} == {65534}
        own.stop()
    finally:
        own.close()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root needs another user for PostgreSQL")
def test_root_lends_postgres_an_ordinary_user_and_opens_no_folder() -> None:
    """In a folder closed to everybody else it runs, as another user, and the folder stays closed."""
    closed = Path(tempfile.mkdtemp(prefix="taki-closed-", dir="/tmp"))
    before = closed.stat().st_mode
    own = System(folder=closed / "data")
    try:
        own.start()
        assert Path(f"/proc/{own.pid('postgres')}").stat().st_uid != 0
        assert closed.stat().st_mode == before
        own.stop()
    finally:
        own.close()
        shutil.rmtree(closed, ignore_errors=True)
