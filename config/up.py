"""`python -m config.up`: bring the whole system up in this terminal, and down again when told.

The order: hold the data folder, end what an earlier run left, start PostgreSQL and Valkey unless their addresses
are given, migrate, start the four serving processes, wait until they serve, say so in one line, watch. A signal
(INT, TERM, HUP), at any moment and however often, ends all of it in the reverse order.
"""

import argparse
import contextlib
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from types import FrameType

import psycopg
import redis

from config import embedded, processes
from config.account import SetUpFailed
from config.env import ROOT, BadEnvironment, Environment, read
from config.folder import hold, secrets_of
from config.heartbeat import beats
from config.probe import answers
from config.running import publish, withdraw
from config.supervision import Supervisor

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Told(Exception):
    """A signal told this program to stop."""


class Signals:
    """Remembers the first stopping signal; nothing is interrupted, every wait asks."""

    def __init__(self) -> None:
        self.stopping = False
        for each in _SIGNALS:
            signal.signal(each, self._note)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.stopping = True

    def check(self) -> None:
        """Raise Told once a signal came."""
        if self.stopping:
            raise Told


def say(text: str) -> None:
    """One line for the person at the terminal, who may have left."""
    with contextlib.suppress(OSError, ValueError):
        print(text, flush=True)


def main(arguments: list[str] | None = None) -> int:
    """The exit code: 0 after a stop that was asked for, 1 or 2 after one clear sentence on stderr."""
    parser = argparse.ArgumentParser(prog="taki up", description=__doc__.split("\n")[0])
    parser.epilog = "Variables: PORT, STREAM_PORT, TAKI_DATA_DIR, DATABASE_URL, BROKER_URL; docs/operations.md has all."
    parser.parse_args(arguments)
    signals = Signals()
    try:
        env = read(os.environ)
        with hold(env.data_dir), contextlib.closing(Up(env, signals)) as system:
            system.run()
    except Told:
        pass
    except BadEnvironment as problem:
        return _fail(str(problem), 2)
    except SetUpFailed as problem:
        if not signals.stopping:
            return _fail(str(problem), 1)
    return 0


def _fail(sentence: str, code: int) -> int:
    with contextlib.suppress(OSError, ValueError):
        print(sentence, file=sys.stderr, flush=True)
    return code


class Up:
    """One run, from the held data folder to the stopped system."""

    def __init__(self, env: Environment, signals: Signals) -> None:
        self.signals = signals
        self.folder = env.data_dir
        self.heartbeats = env.data_dir / "heartbeats"
        self.sockets = embedded.socket_folder(env.data_dir)
        self.supervisor = Supervisor(folder=env.data_dir, sockets=self.sockets)
        if left := self.supervisor.end_survivors():
            say(f"Ended what an earlier run had left running: {', '.join(left)}.")
        _free_ports(env)
        self.secrets = secrets_of(env.data_dir)
        self.own_database, self.own_broker = not env.database_url, not env.broker_url
        self.env = self._completed(env)

    def _completed(self, env: Environment) -> Environment:
        """The environment with everything that `up` itself provides."""
        env = replace(
            env,
            secret_key=env.secret_key or self.secrets.secret_key,
            signing_key=env.signing_key or bytes.fromhex(self.secrets.signing_key),
        )
        servers = self.sockets / "db"
        if self.own_database:
            own = embedded.application_url(servers, self.secrets.passwords)
            owner = embedded.owner_url(servers, self.secrets.passwords)
            env = replace(env, database_url=own, database_owner_url=owner)
        return replace(env, broker_url=env.broker_url or embedded.broker_url(servers))

    @property
    def variables(self) -> dict[str, str]:
        """What every process is given."""
        return {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "config.settings.production",
            "SECRET_KEY": self.env.secret_key,
            "TAKI_SIGNING_KEY": self.env.signing_key.hex(),
            "DATABASE_URL": self.env.database_url,
            "DATABASE_OWNER_URL": self.env.database_owner_url,
            "BROKER_URL": self.env.broker_url,
            "TAKI_DATA_DIR": str(self.folder),
            "TAKI_DATABASE_ROLE": "application",
            "TAKI_HEARTBEATS": str(self.heartbeats),
            "PYTHONUNBUFFERED": "1",
        }

    def run(self) -> None:
        """Start everything, say so, watch. Ends only by Told or SetUpFailed."""
        servers = self._servers()
        serving = processes.serving(self.env)
        self.signals.check()
        self.supervisor.start([*servers, *serving], self.variables)
        self._wait(self.supervisor.answers, "supervisord", 20)
        for server in servers:
            self.supervisor.launch(server.name)
        self._wait(self._database_answers, "PostgreSQL", 60)
        self._wait(self._broker_answers, "Valkey", 30)
        self._manage("database_ready")
        publish(self.folder, self.variables)
        # An earlier run's signs of life say nothing of this one.
        shutil.rmtree(self.heartbeats, ignore_errors=True)
        for process in serving:
            self.supervisor.launch(process.name)
        self._make_admin()
        self._wait(self._serves, "The system", 60)
        here = self._local(self.env.port)
        say(f"ready {here} docs {here}/api/docs/ admin {here}/admin/")
        self._watch()

    def _servers(self) -> list[processes.Process]:
        found = []
        sockets = self.sockets / "db"
        if self.own_database:
            folder, passwords = self.folder / "postgres", self.secrets.passwords
            server = embedded.prepare_postgres(folder=folder, sockets=sockets, passwords=passwords, durable=True)
            found.append(processes.postgres(server))
        if self.own_broker:
            server = embedded.prepare_valkey(folder=self.folder / "valkey", sockets=sockets, durable=True)
            found.append(processes.valkey(server))
        return found

    def _wait(self, true: Callable[[], bool], what: str, seconds: float) -> None:
        patience = time.monotonic() + seconds
        while not true():
            self._look()
            if time.monotonic() > patience:
                raise SetUpFailed(f"{what} did not answer within {seconds:.0f} seconds; see {self.supervisor.log}.")
            time.sleep(0.05)

    def _look(self) -> None:
        """Leave when told; say what died. Raises SetUpFailed when supervisord, or a process for good, is gone."""
        self.signals.check()
        if not self.supervisor.alive:
            words = self.supervisor.last_words("supervisord-start")
            raise SetUpFailed(f"supervisord ended, so everything is stopped: {words}")
        for name in self.supervisor.died():
            say(f"{name} died and is started again; log: {self.supervisor.log / name}.log")

    def _database_answers(self) -> bool:
        try:
            psycopg.connect(self.env.database_owner_url, connect_timeout=2).close()
        except psycopg.OperationalError as problem:
            if not self.own_database:
                raise SetUpFailed(f"DATABASE_URL cannot be reached: {' '.join(str(problem).split())}") from None
            return False
        return True

    def _broker_answers(self) -> bool:
        try:
            with redis.Redis.from_url(self.env.valkey_url, socket_timeout=2, socket_connect_timeout=2) as probe:
                return bool(probe.ping())
        except redis.RedisError as problem:
            if not self.own_broker:
                raise SetUpFailed(f"BROKER_URL cannot be reached: {problem}") from None
            return False

    def _manage(self, command: str, **more: str) -> str:
        """Run one management command to its end; what it printed. Raises SetUpFailed with its last line."""
        variables = {**self.variables, "TAKI_DATABASE_ROLE": "owner", **more}
        with (self.supervisor.log / f"{command}.log").open("wb") as log:
            child = subprocess.Popen(
                [sys.executable, "manage.py", command],
                cwd=ROOT,
                env=variables,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
            )
        try:
            while child.poll() is None:
                self._look()
                time.sleep(0.05)
        finally:
            child.kill()
            printed = child.communicate()[0]
        if child.returncode:
            raise SetUpFailed(f"`manage.py {command}` failed: {self.supervisor.last_words(command)}")
        return printed

    def _serves(self) -> bool:
        pages = (f"{self._local(self.env.port)}/readyz", f"{self._local(self.env.stream_port)}/healthz")
        return all(map(answers, pages)) and all(beats(self.heartbeats, name) for name in ("worker", "beat"))

    def _local(self, port: int) -> str:
        host = "127.0.0.1" if self.env.bind in ("0.0.0.0", "::") else self.env.bind  # noqa: S104  (compared only)
        return f"http://{host}:{port}"

    def _make_admin(self) -> None:
        password = secrets.token_urlsafe(15)
        if self._manage("admin_first", TAKI_ADMIN_PASSWORD=password).strip():
            say(f"admin's password, shown this once: {password}")

    def _watch(self) -> None:
        while True:
            self._look()
            time.sleep(0.25)

    def close(self) -> None:
        """Stop everything that was started, in the reverse order."""
        if self.signals.stopping and self.supervisor.alive:
            say("Stopping …")
        self.supervisor.stop()
        withdraw(self.folder)
        if self.folder not in self.sockets.parents:
            shutil.rmtree(self.sockets, ignore_errors=True)


def _free_ports(env: Environment) -> None:
    if env.port == env.stream_port:
        raise SetUpFailed(f"PORT and STREAM_PORT are both {env.port}: they must differ.")
    for name, port in (("PORT", env.port), ("STREAM_PORT", env.stream_port)):
        family = socket.AF_INET6 if ":" in env.bind else socket.AF_INET
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((env.bind, port))
            except OSError as problem:
                raise SetUpFailed(
                    f"Port {port} at {env.bind} cannot be used ({problem.strerror}): choose another with {name}."
                ) from None


if __name__ == "__main__":
    sys.exit(main())
