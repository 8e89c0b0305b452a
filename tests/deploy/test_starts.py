"""Each container's command is run with exactly its environment; only host names and ports are replaced."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from config import embedded
from config.account import command_prefix, give
from config.heartbeat import beats
from config.probe import answers
from tests.deploy.compose import ROOT, Service, services
from tests.e2e.system import eventually, free_port

PASSWORDS = {"OWNER_PASSWORD": 'owner\'s "word"', "APPLICATION_PASSWORD": "application-word"}
GIVEN = {
    "SECRET_KEY": "k" * 40,
    "TAKI_SIGNING_KEY": "5" * 64,
    "POSTGRES_PASSWORD": "p",
    "OWNER_PASSWORD": "o-word",
    "APPLICATION_PASSWORD": "a-word",
}


class Deployment:
    """The two servers as the images would run them, and the services' processes."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="taki-deploy-", dir="/tmp"))
        self.sockets = self.folder / "run"
        self.children: list[tuple[subprocess.Popen[bytes], signal.Signals]] = []
        self.port, self.stream_port = free_port(), free_port()

    def start_servers(self) -> None:
        """Valkey, and a PostgreSQL with a superuser whom `roles.sh` may be."""
        valkey = embedded.prepare_valkey(folder=self.folder / "valkey", sockets=self.sockets, durable=False)
        self._spawn("valkey", list(valkey.command), {}, signal.SIGTERM)
        cluster = self.folder / "postgres"
        cluster.mkdir()
        account, prefix = command_prefix(self.folder, embedded.postgres_binary("postgres"), "INT")
        give(cluster, account)
        initdb = [*prefix, str(embedded.postgres_binary("initdb")), "-D", str(cluster), "-U", "postgres", "-N"]
        subprocess.run([*initdb, "--auth=trust"], capture_output=True, check=True)
        options = ["-c", "listen_addresses=", "-c", f"unix_socket_directories={self.sockets}"]
        server = [*prefix, str(embedded.postgres_binary("postgres")), "-D", str(cluster), *options, "-F"]
        self._spawn("postgres", server, {}, signal.SIGINT)
        eventually(self._postgres_answers, "PostgreSQL answers", 30)

    def _postgres_answers(self) -> bool:
        try:
            psycopg.connect(f"postgresql://postgres@/postgres?host={self.sockets}").close()
        except psycopg.OperationalError:
            return False
        return True

    def run_roles(self, environment: dict[str, str]) -> None:
        """`roles.sh` as the PostgreSQL image runs it, with the service's environment."""
        path = f"{embedded.postgres_binary('psql').parent}:/usr/bin:/bin"
        with psycopg.connect(f"postgresql://postgres@/postgres?host={self.sockets}", autocommit=True) as superuser:
            superuser.execute("CREATE DATABASE taki")
        done = subprocess.run(
            ["/bin/sh", str(ROOT / "deploy" / "postgres" / "roles.sh")],
            env={**environment, "PATH": path, "PGHOST": str(self.sockets)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        # From here on passwords count, as they do over a container's network.
        (self.folder / "postgres" / "pg_hba.conf").write_text("local all all scram-sha-256\n")
        self.children[-1][0].send_signal(signal.SIGHUP)

    def environment(self, service: Service) -> dict[str, str]:
        """What compose gives the service, with hosts and ports of this machine."""
        replaced = {
            "@postgres:5432/taki": f"@/taki?host={self.sockets}",
            "redis://valkey:6379/0": embedded.broker_url(self.sockets),
            "/tmp/heartbeats": str(self.folder / "heartbeats"),
        }
        found = dict(service.environment)
        for old, new in replaced.items():
            found = {name: value.replace(old, new) for name, value in found.items()}
        found |= {"PORT": str(self.port)} if "PORT" in found else {}
        # What the image sets.
        return {**found, "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "TAKI_DATA_DIR": str(self.folder)}

    def command(self, service: Service) -> list[str]:
        """The service's command, with the streams' port of this machine."""
        return [str(self.stream_port) if word == "8001" else word for word in service.command]

    def start(self, service: Service) -> None:
        """Start a service's command."""
        self._spawn(service.name, self.command(service), self.environment(service), signal.SIGTERM)

    def _spawn(self, name: str, command: list[str], environment: dict[str, str], stop: signal.Signals) -> None:
        with (self.folder / f"{name}.log").open("wb") as log:
            child = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        self.children.append((child, stop))

    def log(self, name: str) -> str:
        """What a process said."""
        return (self.folder / f"{name}.log").read_text()

    def stop(self) -> list[int]:
        """Stop all as the engine would, the youngest first; the services' exit codes."""
        codes = []
        for child, number in reversed(self.children):
            child.send_signal(number)
            try:
                codes.append(child.wait(45))
            except subprocess.TimeoutExpired:
                child.kill()
                codes.append(child.wait())
        self.children.clear()
        return codes


@pytest.fixture
def deployment() -> Iterator[Deployment]:
    """Servers that run; whatever else is started is stopped too."""
    own = Deployment()
    try:
        own.start_servers()
        yield own
    finally:
        own.stop()
        shutil.rmtree(own.folder, ignore_errors=True)


def test_the_whole_deployment_comes_up_in_its_order_and_stops(deployment: Deployment) -> None:
    """Roles, migration, then the four processes: each health check turns green, each stop is clean."""
    found = services(GIVEN)
    deployment.run_roles(found["postgres"].environment)
    migrate = found["migrate"]
    for _ in range(2):  # a second deployment finds everything done
        done = subprocess.run(
            deployment.command(migrate),
            cwd=ROOT,
            env=deployment.environment(migrate),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    for name in ("api", "streams", "worker", "beat"):
        deployment.start(found[name])
    eventually(lambda: answers(f"http://127.0.0.1:{deployment.port}/readyz"), "the API is healthy", 60)
    eventually(lambda: answers(f"http://127.0.0.1:{deployment.stream_port}/healthz"), "the streams are healthy", 60)
    for name in ("worker", "beat"):
        eventually(lambda: beats(deployment.folder / "heartbeats", name), f"{name} is healthy", 60)  # noqa: B023
    address = deployment.environment(found["api"])["DATABASE_URL"]
    with psycopg.connect(address) as application, pytest.raises(psycopg.errors.InsufficientPrivilege):
        application.execute("DELETE FROM games_gameevent")
    # uvicorn shuts down cleanly and then ends by the signal that asked for it.
    assert deployment.stop() == [0, 0, -signal.SIGTERM, 0, 0, 0]


def test_the_image_needs_only_the_packages_of_its_lock_file() -> None:
    """With every package hidden that only development needs, all entry points can be imported."""
    program = """
import importlib.metadata as metadata, re, sys
pins = lambda file: set(re.findall(r"^([a-z0-9._-]+)==", open(file).read(), re.M))
hidden = pins("requirements/dev.lock") - pins("requirements/runtime.lock")
plain = lambda name: re.sub(r"[-_.]+", "-", name).lower()
tops = {top for top, owners in metadata.packages_distributions().items() if {plain(o) for o in owners} <= hidden}
class Hide:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in tops:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Hide())
assert {"pytest", "psutil", "supervisor"} <= tops
import config.gunicorn, config.wsgi, config.asgi, config.celery, config.worker, config.heartbeat, config.probe
config.celery.app.loader.import_default_modules()
import config.urls
"""
    environment = {
        "PATH": os.environ["PATH"],
        "SECRET_KEY": "k" * 40,
        "TAKI_SIGNING_KEY": "5" * 64,
        "DATABASE_URL": "postgresql://a:b@127.0.0.1:9/c",
        "BROKER_URL": "redis://127.0.0.1:9/0",
    }
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_api_gives_up_a_client_that_falls_silent() -> None:
    """gunicorn's threads read from blocking sockets: an accepted connection's wait ends all the same, by an error."""
    program = """
import socket
from types import SimpleNamespace
from config import gunicorn
gunicorn.SILENCE_SECONDS = 1
with socket.create_server(("127.0.0.1", 0)) as listening:
    gunicorn.when_ready(SimpleNamespace(LISTENERS=[SimpleNamespace(sock=listening)]))
    client = socket.create_connection(listening.getsockname())
    client.sendall(b"GET / HT")
    accepted, _ = listening.accept()
    accepted.setblocking(True)
    assert accepted.recv(100) == b"GET / HT"
    try:
        accepted.recv(100)
    except BlockingIOError:
        print("gave up")
"""
    environment = {
        "PATH": os.environ["PATH"],
        "SECRET_KEY": "k" * 40,
        "TAKI_SIGNING_KEY": "5" * 64,
        "DATABASE_URL": "postgresql://a:b@127.0.0.1:9/c",
        "BROKER_URL": "redis://127.0.0.1:9/0",
    }
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.stdout, done.returncode) == ("gave up\n", 0), done.stderr


def test_static_files_can_be_collected_for_the_image(tmp_path: Path) -> None:
    """The Dockerfile's step works without secret, database or broker, and production finds its result."""
    environment = {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "config.settings.test",
        "TAKI_STATIC_DIR": str(tmp_path),
    }
    command = [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "staticfiles.json").is_file()
    assert (tmp_path / "admin" / "css" / "base.css").is_file()
