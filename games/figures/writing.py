"""Tables of figures as text, CSV and JSON. Pure."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Any

from games.figures.summing import Cell, Rate, Section

HEADER = ("section", "row", "column", "value", "of", "low", "high")


def flat(sections: Iterable[Section]) -> Iterator[tuple[Any, ...]]:
    """Every cell on a line of its own: a rate with what it is of and its interval, a number alone."""
    for section in sections:
        for row in section.rows:
            for column, cell in zip(section.columns, row.cells, strict=True):
                if cell is not None:
                    yield (section.key, row.label, column, *_values(cell))


def as_csv(sections: Iterable[Section]) -> str:
    """The cells as CSV with a header."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(HEADER)
    writer.writerows(flat(sections))
    return text.getvalue()


def as_json(sections: Iterable[Section]) -> list[dict[str, Any]]:
    """The cells as objects; what a number lacks is null."""
    return [dict(zip(HEADER, line, strict=True)) for line in flat(sections)]


def as_text(sections: Iterable[Section]) -> str:
    """The tables for a terminal."""
    return "\n\n".join(_table(section) for section in sections)


def shown(cell: Cell) -> str:
    """A cell for people: "31.2 % of 250 (25.8–37.2)", "12.3", "1,204"."""
    if cell is None:
        return ""
    if isinstance(cell, Rate):
        if cell.value is None or cell.interval is None:
            return "– of 0"
        low, high = cell.interval
        return f"{cell.value:.1%} of {cell.of:,} ({low:.1%}–{high:.1%})"
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:,.3f}" if abs(cell) < 1 else f"{cell:,.1f}"


def _values(cell: Cell) -> tuple[float | int | None, int | None, float | None, float | None]:
    if isinstance(cell, Rate):
        low, high = cell.interval or (None, None)
        return _rounded(cell.value), cell.of, _rounded(low), _rounded(high)
    return _rounded(cell), None, None, None


def _rounded(value: float | None) -> float | int | None:
    return round(value, 6) if isinstance(value, float) else value


def _table(section: Section) -> str:
    lines = [("", *section.columns), *((row.label, *map(shown, row.cells)) for row in section.rows)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(lines[0]))]
    drawn = [
        "  ".join(
            [line[0].ljust(widths[0]), *(text.rjust(width) for text, width in zip(line[1:], widths[1:], strict=True))]
        )
        for line in lines
    ]
    return "\n".join([section.title, *(line.rstrip() for line in drawn)])
