"""Bars and columns: sizes only, drawn as SVG by a template. Whoever cannot see them has the table beside it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.figures.summing import Rate, Row

WIDTH: Final = 640
_LABEL: Final = 150
_TEXT: Final = 64
_RISE: Final = 22


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: its rate, its interval as a whisker, and where chance alone would be (−1: not drawn)."""

    label: str
    text: str
    y: float
    x: float
    width: float
    low: float
    high: float
    chance: float


@dataclass(frozen=True, slots=True)
class Bars:
    """A chart of rates; ``most`` is the rate at its right edge."""

    width: int
    height: int
    bars: tuple[Bar, ...]
    ticks: tuple[tuple[float, str], ...]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a histogram."""

    x: float
    y: float
    width: float
    height: float
    title: str


@dataclass(frozen=True, slots=True)
class Columns:
    """A histogram, with the values at its two ends."""

    width: int
    height: int
    columns: tuple[Column, ...]
    least: int
    most: int


def bars(rows: Sequence[Row], place: int, *, chance: int | None = None) -> Bars:
    """The rates in this cell of each row; ``chance``: the cell that says what chance alone would give."""
    rates = [(row, rate) for row in rows if isinstance(rate := row.cells[place], Rate) and rate.value is not None]
    most = max([0.05, *(rate.interval[1] for _, rate in rates if rate.interval)])
    scale = (WIDTH - _LABEL - _TEXT) / most
    made = tuple(
        _bar(row, rate, number * _RISE, scale, None if chance is None else row.cells[chance])
        for number, (row, rate) in enumerate(rates)
    )
    ticks = tuple((_LABEL + most * scale * quarter / 4, f"{most * quarter / 4:.0%}") for quarter in range(5))
    return Bars(WIDTH, len(made) * _RISE + 24, made, ticks)


def columns(bins: Sequence[tuple[int, int, int]], *, height: int = 160) -> Columns:
    """A histogram of (from, below, count)."""
    most = max((count for _, _, count in bins), default=1)
    width = WIDTH / max(1, len(bins))
    made = tuple(
        Column(
            round(number * width + 1, 1),
            round(height - count / most * height, 1),
            round(width - 2, 1),
            round(count / most * height, 1),
            f"{first}–{below - 1}: {count}",
        )
        for number, (first, below, count) in enumerate(bins)
    )
    return Columns(WIDTH, height, made, bins[0][0] if bins else 0, bins[-1][1] - 1 if bins else 0)


def _bar(row: Row, rate: Rate, y: float, scale: float, chance: object) -> Bar:
    value, (low, high) = rate.value or 0.0, rate.interval or (0.0, 0.0)
    return Bar(
        row.label,
        f"{value:.1%}",
        y,
        _LABEL,
        round(value * scale, 1),
        round(_LABEL + low * scale, 1),
        round(_LABEL + high * scale, 1),
        round(_LABEL + chance * scale, 1) if isinstance(chance, float) else -1,
    )
