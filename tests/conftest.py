"""What all tests share: the servers, the application's own database role, and the switches for slow tests."""

import hashlib
import itertools
import os
import secrets
import signal
from collections.abc import Iterator
from types import FrameType, SimpleNamespace

import psycopg
import pytest

from tests.e2e.system import System
from tests.servers import Servers

SWITCHES = {
    "deep": "long property runs and ten thousand games",
    "faults": "tests that kill processes of a running system",
    "bench": "measurements",
    "bots": "the bots' strength over many games",
}

# Before pytest-django reads the settings (it waits for conftest when no ini file names them).
SERVERS = Servers()
SERVERS.name_in_environment()
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings.test"


def pytest_configure() -> None:
    """Load the settings; pytest-django then sets Django up."""
    from django.conf import settings

    assert settings.DATABASES
    signal.signal(signal.SIGTERM, _interrupt)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes() -> None:
    """Each process that runs a part of the tests reads the settings by itself, and starts servers of its own."""
    SERVERS.unname_in_environment()
    del os.environ["DJANGO_SETTINGS_MODULE"]


def _interrupt(number: int, frame: FrameType | None) -> None:
    """SIGTERM ends the tests as Ctrl-C does: fixtures are torn down and servers stopped."""
    raise KeyboardInterrupt


def pytest_addoption(parser: pytest.Parser) -> None:
    """One switch for each slow kind of test."""
    for name, meaning in SWITCHES.items():
        parser.addoption(f"--{name}", action="store_true", help=f"also run {meaning}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the slow kinds that were not asked for."""
    absent = {name for name in SWITCHES if not config.getoption(f"--{name}")}
    left_out = [item for item in items if absent & {mark.name for mark in item.iter_markers()}]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]


def pytest_unconfigure() -> None:
    """Stop the servers, whatever happened."""
    SERVERS.stop()


@pytest.fixture(scope="session")
def servers() -> Servers:
    """The running PostgreSQL and Valkey."""
    SERVERS.start()
    return SERVERS


@pytest.fixture(scope="session")
def django_db_modify_db_settings(servers: Servers) -> None:
    """Have the database up before pytest-django makes the test database in it."""


@pytest.fixture(scope="session")
def broker_url(servers: Servers) -> str:
    """The test broker's address, as Celery spells it."""
    return os.environ["BROKER_URL"]


@pytest.fixture
def application_connection(transactional_db: None) -> Iterator[psycopg.Connection]:
    """The test database as the application's role sees it after `database_grants`: committed rows only."""
    from django.core.management import call_command
    from django.db import connection

    call_command("database_grants", verbosity=0)
    name = connection.settings_dict["NAME"]
    with psycopg.connect(os.environ["DATABASE_URL"], dbname=name, autocommit=True) as own:
        yield own


@pytest.fixture(scope="session")
def system() -> Iterator[System]:
    """A whole started system, shared by all tests that leave it running and ready. None of them is about limits."""
    shared = System(variables={"TAKI_THROTTLE_FACTOR": "1000"})
    try:
        shared.start()
        yield shared
    finally:
        shared.close()


DATABASE_FIXTURES = {"db", "transactional_db", "django_db_setup"}


@pytest.fixture(autouse=True)
def same_deals_every_time(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The games of a test are dealt as they were in its last run: a test that passes by luck would fail by luck.

    Only what this process draws for a game's seed; the secrets of tokens and codes stay secrets.
    """
    if DATABASE_FIXTURES.isdisjoint(request.fixturenames) and not request.node.get_closest_marker("django_db"):
        return
    from games.services import keys, lobby

    keys.registered.clear()  # the test before has taken its rows along
    number = itertools.count()

    def drawn(count: int) -> bytes:
        return hashlib.shake_256(f"{request.node.nodeid} {next(number)}".encode()).digest(count)

    monkeypatch.setattr(lobby, "secrets", SimpleNamespace(token_bytes=drawn, choice=secrets.choice))
