"""Results, entries and the log as CSV or JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.http import HttpResponse
from import_export.formats.base_formats import CSV, JSON
from tablib import Dataset

from tournaments.models import Tournament
from tournaments.pages.board import standing_lines
from tournaments.pages.facts import names_of
from tournaments.selectors import MOST_LINES, entries_of, log_load, standings_of, state_load
from tournaments.store import moment

FORMATS: Final[Mapping[str, Callable[[], Any]]] = {"csv": CSV, "json": JSON}
_TYPES: Final = {"csv": "text/csv; charset=utf-8", "json": "application/json"}
# A spreadsheet takes a cell that begins so for a formula.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def answer(*, tournament: Tournament, what: str, form: str) -> HttpResponse | None:
    """The file; None if there is no such one."""
    if what not in _SHEETS or form not in FORMATS:
        return None
    data = _SHEETS[what](tournament)
    if form == "csv":
        data = Dataset(*[[_cell(cell) for cell in row] for row in data], headers=data.headers)
    text = FORMATS[form]().export_data(data)
    reply = HttpResponse(text, content_type=_TYPES[form])
    reply.headers["Content-Disposition"] = f'attachment; filename="{what}-{tournament.pk}.{form}"'
    reply.headers["Cache-Control"] = "private, no-store"
    return reply


def results_sheet(tournament: Tournament) -> Dataset:
    """The standings: final once the tournament is over."""
    state = state_load(tournament_id=tournament.pk)
    names = names_of(tournament_id=tournament.pk)
    lines = standing_lines(standings_of(tournament_id=tournament.pk, state=state), names)
    headers = ("rank", "entry", "name", "round", "place", "stage", "cards", "champion", "note")
    rows = [tuple(getattr(line, header) for header in headers) for line in lines]
    return Dataset(*[tuple("" if cell is None else cell for cell in row) for row in rows], headers=headers)


def entries_sheet(tournament: Tournament) -> Dataset:
    """All entries. Its columns `name` and `bot` (of an entry that is a bot's own) are those that an import reads."""
    rows = [
        (
            row.number,
            row.player.name if row.player else "",
            int(row.bot and row.player is None),
            row.status,
            int(row.checked_in),
        )
        for row in entries_of(tournament_id=tournament.pk)
    ]
    return Dataset(*rows, headers=("entry", "name", "bot", "status", "checked_in"))


def log_sheet(tournament: Tournament) -> Dataset:
    """Every line of the log: when, what, who, why."""
    data = Dataset(headers=("version", "at", "event", "data", "who", "why"))
    after = 0
    while lines := log_load(tournament_id=tournament.pk, after=after, limit=MOST_LINES):
        for line in lines:
            who = line.actor_name or line.logged.by
            data.append((line.version, moment(line.logged.at).isoformat(), line.type, str(line.data), who, line.reason))
        after = lines[-1].version
    return data


def _cell(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


_SHEETS: Final[Mapping[str, Callable[[Tournament], Dataset]]] = {
    "results": results_sheet,
    "entries": entries_sheet,
    "log": log_sheet,
}
