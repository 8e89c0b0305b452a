"""Measuring on a noisy machine: the candidates take turns in one run, and what counts is their ratio."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Mapping
from statistics import median
from typing import Final

ROUNDS: Final = 7

Work = Callable[[], int]
"""Does a piece of work and says how many things it did."""


def rates(candidates: Mapping[str, Work], *, rounds: int = ROUNDS) -> dict[str, float]:
    """Things done per second by each candidate: the median over the rounds, each round giving every one its turn."""
    seen: dict[str, list[float]] = {name: [] for name in candidates}
    for _ in range(rounds):
        for name, work in candidates.items():
            began = time.perf_counter()
            done = work()
            seen[name].append(done / (time.perf_counter() - began))
    return {name: median(values) for name, values in seen.items()}


def report(title: str, figures: Mapping[str, float]) -> None:
    """Print the figures as a line of results.md."""
    words = ", ".join(
        f"{name} {value:,.2f}" if value < 100 else f"{name} {value:,.0f}" for name, value in figures.items()
    )
    print(f"\n{title} (Python {platform.python_version()}): {words}")  # noqa: T201  # a bench is there to be read
