"""A real worker and a real beat against the test database and the test broker."""

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
import redis
from django.core.management import call_command
from django.db import connection

from config import processes
from config.current import ENV
from tests.servers import Servers

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE_SECONDS = 60.0
READY = " ready."  # what Celery logs when it begins to consume


def eventually(true: Callable[[], object], what: str) -> None:
    """Wait until ``true()`` is; fail with ``what`` after a time that no healthy worker needs."""
    patience = time.monotonic() + PATIENCE_SECONDS
    while not true():
        assert time.monotonic() < patience, f"waited {PATIENCE_SECONDS:.0f} s in vain: {what}"
        time.sleep(0.05)


def test_database(url: str) -> str:
    """The address of the test database in place of the one that it was made beside."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(path=f"/{connection.settings_dict['NAME']}"))


test_database.__test__ = False  # type: ignore[attr-defined]  # its name is no test's


class Celery:
    """Processes of the Celery app, as `./taki up` starts them: production settings, the application's role."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.children: list[subprocess.Popen[bytes]] = []
        own = {
            "DJANGO_SETTINGS_MODULE": "config.settings.production",
            "SECRET_KEY": "only-the-workers-of-the-tests-know-this-key",
            "TAKI_SIGNING_KEY": "5" * 64,
            "DATABASE_URL": test_database(os.environ["DATABASE_URL"]),
            "DATABASE_OWNER_URL": test_database(os.environ["DATABASE_OWNER_URL"]),
            "TAKI_DATA_DIR": str(folder),
            "TAKI_WORKER_PROCESSES": "2",
        }
        self.environment = {**os.environ, **own}

    def start(self, name: str) -> subprocess.Popen[bytes]:
        """Start `worker` or `beat`; the worker is awaited until it consumes."""
        process = next(process for process in processes.serving(ENV) if process.name == name)
        before = self.log(name).count(READY)
        with (self.folder / f"{name}.log").open("ab") as log:
            child = subprocess.Popen(
                process.command,
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.children.append(child)
        if name == "worker":
            eventually(
                lambda: self.log(name).count(READY) > before or child.poll() is not None, "the worker never consumed"
            )
            assert child.poll() is None, self.log(name)
        return child

    def log(self, name: str) -> str:
        """What the process has printed."""
        path = self.folder / f"{name}.log"
        return path.read_text(errors="replace") if path.exists() else ""

    def kill(self, child: subprocess.Popen[bytes]) -> None:
        """End the process and its children at once, in the middle of whatever they do."""
        os.killpg(child.pid, signal.SIGKILL)  # a session of its own: nobody else is in this group
        child.wait()
        self.children.remove(child)

    def stop(self) -> None:
        """Stop all in order; harmless twice."""
        for child in reversed(self.children):
            child.send_signal(signal.SIGTERM)
        for child in self.children:
            try:
                child.wait(40)
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
        self.children.clear()


@pytest.fixture
def celery(servers: Servers, transactional_db: None) -> Iterator[Celery]:
    """No process yet, an empty broker, and the rights of the application's role."""
    call_command("database_grants", verbosity=0)
    redis.Redis.from_url(ENV.valkey_url).flushdb()
    with tempfile.TemporaryDirectory(prefix="taki-celery-", dir="/tmp") as folder:
        started = Celery(Path(folder))
        try:
            yield started
        finally:
            started.stop()
            end_sessions()


def end_sessions() -> None:
    """Cut every session of the application's role; what a killed worker held is let go of."""
    address = test_database(os.environ["DATABASE_URL"])
    with psycopg.connect(address, autocommit=True) as application:
        application.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()"
        )
