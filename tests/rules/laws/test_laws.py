"""The laws hold over all seat counts, both modes and all house rules; ``--deep`` plays ten thousand whole games."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.codec import SCHEMA, decode
from games.rules.commands import TIMEOUT
from games.rules.decide import decide
from games.rules.evolve import replay
from games.rules.refusals import Refusal, Refused
from tests.rules.laws.laws import COSTLY, LAWS, Law, fingerprint
from tests.rules.laws.random_games import Step, Table, random_play, random_table

ROOT = Path(__file__).parents[3]
DEEP_GAMES = 10_000
DEEP_BATCH = 100
COSTLY_EVERY = 16

seeds = st.integers(0, 2**32 - 1)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@settings(max_examples=60, deadline=None)
@given(seed=seeds, skipped=st.integers(0, 200), length=st.integers(1, 25))
def test_the_law_holds_anywhere_in_any_game(law: Law, seed: int, skipped: int, length: int) -> None:
    """A stretch of a random game keeps the law at every step."""
    chance = random.Random(seed)
    for step in islice(random_play(random_table(chance), chance), skipped, skipped + length):
        law(step, chance)


@settings(max_examples=60, deadline=None)
@given(seed=seeds)
def test_the_state_is_the_replay_of_the_log(seed: int) -> None:
    """Law 2 for whole games."""
    table, steps = _whole_game(seed)
    events = [*table.opening(), *(event for step in steps for event in step.events)]
    assert replay(events, seed=table.seed) == steps[-1].after


@settings(max_examples=60, deadline=None)
@given(seed=seeds)
def test_after_the_end_no_timeout_decides_anything(seed: int) -> None:
    """Law 5, as far as the rules know it; a timeout that is late in a running game is the store's affair."""
    _, steps = _whole_game(seed)
    with pytest.raises(Refused) as refused:
        decide(steps[-1].after, None, TIMEOUT)
    assert refused.value.refusal is Refusal.GAME_OVER


@pytest.mark.parametrize("hash_seed", ["0", "4711"])
def test_the_same_seed_and_commands_give_the_same_log_in_any_process(hash_seed: str) -> None:
    """Law 10: no order of a set or a dict, and no randomness but the seed's, gets into a log."""
    program = "from tests.rules.laws.test_laws import log_digest; print(log_digest(range(12)))"
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
    run = subprocess.run(
        [sys.executable, "-c", program], env=environment, cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == log_digest(range(12))


@pytest.mark.deep
def test_ten_thousand_games() -> None:
    """Every law in ten thousand whole games; the figures go to the README beside this file.

    The costly laws are checked at one random step in sixteen, the others at every step.
    """
    batches = [range(first, first + DEEP_BATCH) for first in range(0, DEEP_GAMES, DEEP_BATCH)]
    with ProcessPoolExecutor() as pool:
        figures = sum(pool.map(_check_games, batches), Counter[str]())
    assert figures["games"] == DEEP_GAMES
    print("\n" + ", ".join(f"{count} {name}" for name, count in sorted(figures.items())))  # noqa: T201  # for the README


def log_digest(games: range) -> str:
    digest = hashlib.sha256()
    for seed in games:
        table, steps = _whole_game(seed)
        digest.update(fingerprint([*table.opening(), *(event for step in steps for event in step.events)]).encode())
    return digest.hexdigest()


def _whole_game(seed: int) -> tuple[Table, list[Step]]:
    chance = random.Random(seed)
    table = random_table(chance)
    return table, list(random_play(table, chance))


def _check_games(games: range) -> Counter[str]:
    figures: Counter[str] = Counter()
    for seed in games:
        table, steps = _whole_game(seed)
        chance = random.Random(seed)
        for step in steps:
            costly = chance.randrange(COSTLY_EVERY) == 0
            for law in LAWS:
                if costly or law not in COSTLY:
                    law(step, chance)
            figures["costly checks"] += costly
        figures += Counter(games=1, commands=len(steps), events=sum(len(step.events) for step in steps))
        figures[f"seats {table.seats:2}"] += 1
        figures[f"mode {table.rules.mode.value}"] += 1
    return figures


def test_every_event_type_has_a_schema() -> None:
    """What is decoded is versioned: a type without a schema number could never be upcast."""
    assert all(number >= 1 for number in SCHEMA.values())
    with pytest.raises(ValueError, match="no such schema"):
        decode("TakiClosed", 99, {})
