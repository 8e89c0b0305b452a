"""The tests' own PostgreSQL and Valkey: in a temporary folder, started when first needed, always stopped."""

import atexit
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import psycopg
import redis

from config import embedded

_PATIENCE_SECONDS = 30


class Servers:
    """Addresses are known at once, so that settings can be read; the servers start on demand.

    A server whose address is already in the environment is left to whoever set it.
    """

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="taki-test-", dir="/tmp"))  # sockets need short paths
        self.sockets = self.folder / "run"
        self.passwords = embedded.Passwords.new()
        self.children: list[tuple[subprocess.Popen[bytes], signal.Signals]] = []
        self.own_database = "DATABASE_URL" not in os.environ
        self.own_broker = "BROKER_URL" not in os.environ
        self.started = False
        atexit.register(self.stop)

    def name_in_environment(self) -> None:
        """Write the addresses where `config.env` reads them."""
        if self.own_database:
            os.environ["DATABASE_URL"] = embedded.application_url(self.sockets, self.passwords)
            os.environ["DATABASE_OWNER_URL"] = embedded.owner_url(self.sockets, self.passwords)
        if self.own_broker:
            os.environ["BROKER_URL"] = embedded.broker_url(self.sockets)

    def unname_in_environment(self) -> None:
        """Take the addresses back, so that a process started from here has servers of its own."""
        if self.own_database:
            del os.environ["DATABASE_URL"], os.environ["DATABASE_OWNER_URL"]
        if self.own_broker:
            del os.environ["BROKER_URL"]

    def start(self) -> None:
        """Start what is ours, once, and wait until it answers."""
        if self.started:
            return
        self.started = True
        if self.own_broker:
            valkey = embedded.prepare_valkey(folder=self.folder / "valkey", sockets=self.sockets, durable=False)
            self._spawn(valkey, signal.SIGTERM)
        if self.own_database:
            postgres = embedded.prepare_postgres(
                folder=self.folder / "postgres",
                sockets=self.sockets,
                passwords=self.passwords,
                durable=False,
                may_create_databases=True,
            )
            self._spawn(postgres, signal.SIGINT)
            _wait(lambda: psycopg.connect(os.environ["DATABASE_OWNER_URL"]).close(), psycopg.OperationalError)
        if self.own_broker:
            address = f"unix://{self.sockets}/valkey.sock"
            _wait(lambda: redis.Redis.from_url(address).ping(), redis.ConnectionError)

    def _spawn(self, server: embedded.Server, stop: signal.Signals) -> None:
        with (self.folder / f"{server.folder.name}.log").open("wb") as log:
            child = subprocess.Popen(
                server.command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C is pytest's to answer
            )
        self.children.append((child, stop))

    def stop(self) -> None:
        """Stop what was started and remove the folder; harmless twice."""
        for child, stop in reversed(self.children):
            child.send_signal(stop)
            try:
                child.wait(10)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        self.children.clear()
        shutil.rmtree(self.folder, ignore_errors=True)


def _wait(attempt: Callable[[], object], error: type[Exception]) -> None:
    patience = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            attempt()
        except error:
            if time.monotonic() > patience:
                raise
            time.sleep(0.02)
        else:
            return
