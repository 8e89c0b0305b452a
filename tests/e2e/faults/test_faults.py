"""Processes are killed under running games: no acknowledged move is lost, none counts twice, every game ends."""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Iterator

import pytest

from tests.e2e.faults.crowd import Crowd
from tests.e2e.faults.inject import FAULTS, Injected, inject
from tests.e2e.faults.verdict import Verdict, judge, write
from tests.e2e.system import System

MOST_STALL_SECONDS = 20
LAST_GAMES_SECONDS = 240


@pytest.fixture
def besieged() -> Iterator[System]:
    """A system of the test's own, whose limits are those of load tests."""
    own = System(variables={"TAKI_THROTTLE_FACTOR": "100000"})
    try:
        own.start()
        yield own
    finally:
        own.close()


def siege(system: System, names: list[str], *, games: int, players: int, chance: random.Random) -> Verdict:
    """Games run, the faults come one after the other at random moments, and then all is judged."""
    crowd = Crowd(f"{system.url}/api/v1", games=games, players=players)
    crowd.start()
    faults: list[Injected] = []
    for name in names:
        time.sleep(chance.uniform(0.3, 2.5))
        faults.append(inject(system, name))
    return judge(crowd.close(LAST_GAMES_SECONDS), faults)


def holds(verdict: Verdict) -> None:
    """Nothing lost, nothing doubled, nobody waited long; and there was something to lose."""
    assert (verdict.lost, verdict.doubled) == (0, 0), verdict
    assert verdict.acknowledged > verdict.games, verdict
    assert verdict.stall <= MOST_STALL_SECONDS, verdict


def test_a_few_faults_cost_no_move_and_no_game(besieged: System) -> None:
    """The short form: workers, beat, API, PostgreSQL and Valkey with its data, each once."""
    names = ["all workers", "Valkey and its data", "API", "PostgreSQL", "beat"]
    chance = random.Random(secrets.randbits(32))
    chance.shuffle(names)
    holds(siege(besieged, names, games=8, players=4, chance=chance))


@pytest.mark.faults
def test_many_faults_under_fifty_games_cost_no_move_and_no_game(besieged: System) -> None:
    """The long form: every fault five times in random order; its figures go into the results file."""
    names = [*FAULTS] * 5
    chance = random.Random(secrets.randbits(32))
    chance.shuffle(names)
    verdict = siege(besieged, names, games=50, players=10, chance=chance)
    write(verdict)
    holds(verdict)
