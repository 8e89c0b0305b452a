"""What an idle stream costs in memory beside the least that a stream can be, and how late a move is told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import quantiles
from typing import Any

import psutil
import psycopg
import pytest

from tests.bench.measure import report
from tests.bench.moves import Client, Move, guest, started_game
from tests.e2e.system import ROOT, System, eventually, free_port

IDLE = 1000
IDLE_GAMES = 100
WARMING = 40
SPECTATORS = 200
MOVING = 100
MEASURED_SECONDS = 20.0
MOVES_A_SECOND = 40.0

pytestmark = pytest.mark.bench


@pytest.fixture(scope="module")
def system() -> Iterator[System]:
    own = System(variables={"TAKI_THROTTLE_FACTOR": "100000"})
    try:
        own.start()
        _note_commits(own)
        yield own
    finally:
        own.close()


def _note_commits(system: System) -> None:
    """Have PostgreSQL keep when each transaction was committed; an event's own time is from before that."""
    (settings,) = system.folder.rglob("postgresql.auto.conf")
    with settings.open("a") as file:
        file.write("track_commit_timestamp = on\n")
    system.kill_and_wait("postgres")
    system.wait_until_ready()


def committed(system: System, games: list[str]) -> dict[tuple[str, int], float]:
    """When each event was committed, by game and version (milliseconds since 1970)."""
    asked = "SELECT game_id, version, 1000 * extract(epoch FROM pg_xact_commit_timestamp(xmin)) FROM games_gameevent"
    with psycopg.connect(addresses(system)["DATABASE_OWNER_URL"]) as database:
        rows = database.execute(f"{asked} WHERE game_id = ANY(%s)", (games,)).fetchall()
    return {(str(game), version): float(at) for game, version, at in rows}


class Crowd:
    """Clients in a process of their own."""

    def __init__(self, streams: list[tuple[str, str]]) -> None:
        self.child = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.following"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.child.stdin
        assert self.child.stdout
        self.child.stdin.write("".join(f"{url} {token}\n" for url, token in streams) + "\n")
        self.child.stdin.flush()
        assert self.child.stdout.readline() == "open\n"

    def close(self) -> list[dict[str, Any]]:
        """What came to each."""
        told, _ = self.child.communicate("\n", timeout=60)
        found: list[dict[str, Any]] = json.loads(told)
        return found


def resident(pid: int) -> int:
    return int(psutil.Process(pid).memory_info().rss)


def cost(pid: int, streams: list[tuple[str, str]]) -> float:
    """KiB of memory that each open stream takes, once the first ones have been opened and closed."""
    Crowd(streams[:: len(streams) // WARMING]).close()
    time.sleep(3)
    before = resident(pid)
    crowd = Crowd(streams)
    time.sleep(3)
    taken = resident(pid) - before
    crowd.close()
    return taken / 1024 / len(streams)


@contextmanager
def bare() -> Iterator[tuple[int, str]]:
    """The bare application under the same server: its process id and address."""
    port = free_port()
    command = ["uvicorn", "tests.bench.bare_stream:application", "--port", str(port), "--no-access-log"]
    own = ["--log-level", "error", "--http", "config.connections:StreamConnection"]
    server = subprocess.Popen([sys.executable, "-m", *command, *own], cwd=ROOT)
    try:
        eventually(lambda: _listens(server.pid), "the bare server listens")
        yield server.pid, f"http://127.0.0.1:{port}/"
    finally:
        server.terminate()
        server.wait(20)


def _listens(pid: int) -> bool:
    return any(each.status == "LISTEN" for each in psutil.Process(pid).net_connections())


def addresses(system: System) -> dict[str, str]:
    found: dict[str, str] = json.loads((system.folder / "environment.json").read_text())
    return found


def test_memory_of_idle_streams(system: System) -> None:
    """A thousand, of ten spectators each at a hundred tables; the bare ones in the same run."""
    client = Client(system.port)
    token = guest(client)
    games = [started_game(client, addresses(system)["DATABASE_OWNER_URL"], least_moves=1)[0] for _ in range(IDLE_GAMES)]
    urls = [f"{system.stream_url}/api/v1/games/{game}/stream/" for game in games for _ in range(IDLE // IDLE_GAMES)]
    own = cost(system.pid("streams"), [(url, token) for url in urls])
    with bare() as (pid, url):
        least = cost(pid, [(url, "x")] * IDLE)
    report(
        f"{IDLE} idle streams, {os.cpu_count()} cores",
        {"KiB a stream": own, "KiB a bare stream": least, "ratio": own / least},
    )


def test_from_commit_to_receipt(system: System) -> None:
    """200 spectators of one game, and 100 games moving, each with a follower; from the commit to the receipt."""
    client = Client(system.port)
    token = guest(client)
    games = [started_game(client, addresses(system)["DATABASE_OWNER_URL"], least_moves=60) for _ in range(MOVING)]
    followed = [game for game, _ in games] + [games[0][0]] * SPECTATORS
    crowd = Crowd([(f"{system.stream_url}/api/v1/games/{game}/stream/", token) for game in followed])
    played = _play(client, games)
    time.sleep(2)
    told, at = crowd.close(), committed(system, [game for game, _ in games])
    lags = []
    for game, each in zip(followed, told, strict=True):
        versions = each["versions"]
        assert versions == list(range(versions[0], versions[0] + len(versions)))
        lags += [now - at[game, version] for version, now in zip(versions, each["received"], strict=True)]
    cuts = quantiles(lags, n=1000)
    report(
        f"{SPECTATORS} spectators of one game, {MOVING} games moving, {os.cpu_count()} cores",
        {
            "moves/s": played / MEASURED_SECONDS,
            "events received": len(lags),
            "p50 ms": cuts[499],
            "p99 ms": cuts[989],
            "p99.9 ms": cuts[998],
        },
    )


def _play(client: Client, games: list[tuple[str, list[Move]]]) -> int:
    """Moves at a steady pace, table by table; how many there were."""
    began, played = time.monotonic(), 0
    while time.monotonic() - began < MEASURED_SECONDS:
        game, moves = games[played % len(games)]
        move = moves[played // len(games)]
        client.timed_post(f"/api/v1/games/{game}/commands/", move.token, move.body)
        played += 1
        time.sleep(max(0.0, began + played / MOVES_A_SECOND - time.monotonic()))
    return played
