"""Accepted moves over HTTP beside the bare endpoint, and a move late in a long game beside one early in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from statistics import median, quantiles
from time import perf_counter, sleep

import psycopg
import pytest

from tests.bench.measure import report
from tests.bench.moves import Client, Move, started_game
from tests.e2e.system import ROOT, System, free_port

CLIENTS = 8
ROUNDS = 5
MOVES_A_ROUND = 120
ANSWER_BYTES = 1300
LONG = 15_000
SHORT = 50
PAIRS = 150
LATENCY_MOVES = 60
CLIENT_PROCESSES = 4

pytestmark = pytest.mark.bench


@pytest.fixture(scope="module")
def system() -> Iterator[System]:
    own = System(variables={"TAKI_THROTTLE_FACTOR": "100000"})
    try:
        own.start()
        yield own
    finally:
        own.close()


@pytest.fixture(scope="module")
def addresses(system: System) -> dict[str, str]:
    """The running system's own variables."""
    found: dict[str, str] = json.loads((system.folder / "environment.json").read_text())
    return found


@pytest.fixture(scope="module")
def port(system: System, addresses: dict[str, str]) -> Iterator[int]:
    """A gunicorn of two workers that has the bare endpoint too."""
    with psycopg.connect(addresses["DATABASE_OWNER_URL"], autocommit=True) as database:
        database.execute(
            "CREATE TABLE bench_event (id bigserial PRIMARY KEY, game_id uuid NOT NULL, data jsonb NOT NULL)"
        )
        database.execute("GRANT ALL ON bench_event, bench_event_id_seq TO PUBLIC")
    chosen = free_port()
    own = {**system.environment, **addresses, "PORT": str(chosen), "DJANGO_SETTINGS_MODULE": "tests.bench.settings"}
    own.pop("TAKI_DATABASE_ROLE", None)
    command = [sys.executable, "-m", "gunicorn", "-c", "python:config.gunicorn", "-w", "2", "config.wsgi:application"]
    server = subprocess.Popen(command, cwd=ROOT, env=own, stderr=subprocess.DEVNULL)
    try:
        _wait_for(chosen)
        yield chosen
    finally:
        server.terminate()
        server.wait(30)


def _wait_for(port: int) -> None:
    for _ in range(200):
        try:
            Client(port).post("/healthz", "", b"")
            return
        except OSError:
            sleep(0.1)
    raise AssertionError("the bench's server did not start")


def _round(work: tuple[int, str, list[Move]]) -> tuple[list[float], list[float]]:
    """One client's share of a round: seconds of each request, and when the first began and the last ended."""
    port, path, moves = work
    client = Client(port)
    began = perf_counter()
    seconds = [client.timed_post(path, move.token, move.body)[0] for move in moves]
    return seconds, [began, perf_counter()]


def test_moves_beside_the_bare_endpoint(port: int, addresses: dict[str, str]) -> None:
    """Eight clients, one game each; the two take turns in one run."""
    games = [started_game(Client(port), addresses["DATABASE_OWNER_URL"]) for _ in range(CLIENTS)]
    needed = ROUNDS * MOVES_A_ROUND
    scripts = [(game, moves) for game, moves in games if len(moves) >= needed]
    while len(scripts) < CLIENTS:
        game, moves = started_game(Client(port), addresses["DATABASE_OWNER_URL"])
        scripts += [(game, moves)] if len(moves) >= needed else []
    rates: dict[str, list[float]] = {"move": [], "bare": []}
    times: dict[str, list[float]] = {"move": [], "bare": []}
    with ProcessPoolExecutor(CLIENTS) as pool:
        for number in range(ROUNDS):
            for name in ("bare", "move"):
                share = slice(number * MOVES_A_ROUND, (number + 1) * MOVES_A_ROUND)
                paths = {"move": "/api/v1/games/{}/commands/", "bare": f"/bench/{{}}/{ANSWER_BYTES}/"}
                work = [(port, paths[name].format(game), moves[share]) for game, moves in scripts]
                done = list(pool.map(_round, work))
                spent = max(span[1] for _, span in done) - min(span[0] for _, span in done)
                rates[name].append(CLIENTS * MOVES_A_ROUND / spent)
                times[name] += [second for seconds, _ in done for second in seconds]
    figures = {f"{name}s/s": median(values) for name, values in rates.items()}
    figures["ratio"] = figures["moves/s"] / figures["bares/s"]
    for name, values in times.items():
        cuts = quantiles(values, n=100)
        figures |= {f"{name} p50 ms": cuts[49] * 1000, f"{name} p99 ms": cuts[98] * 1000}
    report(f"HTTP, 2 workers, {CLIENTS} clients, {os.cpu_count()} cores", figures)


def test_a_late_move_beside_an_early_one(port: int, addresses: dict[str, str]) -> None:
    """A move in a game of 15,000 events and one in a game of 50, in turns, by one client."""
    client = Client(port)
    owner_url = addresses["DATABASE_OWNER_URL"]
    long_game, long_moves = started_game(client, owner_url, least_moves=LONG // 2)
    long_path = f"/api/v1/games/{long_game}/commands/"
    version, played = 0, 0
    while version < LONG:
        _, answer = client.timed_post(long_path, long_moves[played].token, long_moves[played].body)
        version, played = json.loads(answer)["version"], played + 1
    early: list[float] = []
    late: list[float] = []
    short: Iterator[tuple[str, Move]] = iter(())
    for move in long_moves[played : played + PAIRS]:
        late.append(client.timed_post(long_path, move.token, move.body)[0])
        path, first = next(short, ("", None))
        if first is None:
            game, moves = started_game(client, owner_url, least_moves=40)  # moves of the same kind
            for opening in moves[:18]:
                client.timed_post(f"/api/v1/games/{game}/commands/", opening.token, opening.body)
            short = iter([(f"/api/v1/games/{game}/commands/", each) for each in moves[18:40]])
            path, first = next(short)
        early.append(client.timed_post(path, first.token, first.body)[0])
    figures = {"late ms": median(late) * 1000, "early ms": median(early) * 1000, "ratio": median(late) / median(early)}
    report(f"a move at {version} events beside one at about {SHORT}", figures)


def _together(work: list[tuple[int, str, list[Move]]]) -> list[float]:
    """Several clients in one process, as fast as they are answered: the seconds of each request."""
    with ThreadPoolExecutor(len(work)) as pool:
        return [second for seconds, _ in pool.map(_round, work) for second in seconds]


@pytest.mark.parametrize("clients", [8, 64])
def test_latency_of_moves_at_many_clients(port: int, addresses: dict[str, str], clients: int) -> None:
    """Each plays a game of its own and sends its next move as soon as the last one is answered."""
    scripts: list[tuple[str, list[Move]]] = []
    while len(scripts) < clients:
        game, moves = started_game(Client(port), addresses["DATABASE_OWNER_URL"])
        scripts += [(game, moves)] if len(moves) >= LATENCY_MOVES else []
    work = [(port, f"/api/v1/games/{game}/commands/", moves[:LATENCY_MOVES]) for game, moves in scripts]
    with ProcessPoolExecutor(CLIENT_PROCESSES) as pool:
        began = perf_counter()
        shares = [work[number::CLIENT_PROCESSES] for number in range(CLIENT_PROCESSES)]
        seconds = [second for share in pool.map(_together, shares) for second in share]
        spent = perf_counter() - began
    cuts = quantiles(seconds, n=100)
    figures = {"moves/s": len(seconds) / spent, "p50 ms": cuts[49] * 1000, "p99 ms": cuts[98] * 1000}
    report(f"moves over HTTP, 2 workers of 4 threads, {clients} clients", figures)
