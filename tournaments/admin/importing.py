"""Entries from a file or a list of names: all of them or none, and what is wrong named by line.

A file has a column `name`, and if wanted `bot` (1 for a seat that a built-in bot plays, then without a name).
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID, uuid4, uuid5

from django.core.files.uploadedfile import UploadedFile
from django.db import DEFAULT_DB_ALIAS, transaction
from import_export import resources, results
from import_export.instance_loaders import BaseInstanceLoader
from tablib import Dataset

from players.models import Player
from tournaments import services
from tournaments.admin.pressing import player_named, sentence
from tournaments.admin.reading import Unreadable
from tournaments.errors import TournamentError
from tournaments.models import Tournament
from tournaments.rules.terms import MOST_ENTRIES

MOST_BYTES: Final = 1024 * 1024
TOO_LARGE: Final = "The file is larger than 1 MiB, which no list of entries is. Nothing was read."
MOST_FAULTS: Final = 20
COLUMNS: Final = ("name", "bot")
PASSED_OVER: Final = ("entry", "status", "checked_in")  # of an export
_YES: Final = frozenset({"1", "true", "yes", "x"})
_NO: Final = frozenset({"", "0", "false", "no"})


class Row(NamedTuple):
    """One entry that somebody asks for; ``where`` it stands."""

    where: str
    name: str
    bot: str


class BadRows(Exception):
    """Nothing was registered; ``lines`` are sentences that say why."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__(*lines)
        self.lines = tuple(lines)


class EntryResource(resources.Resource):  # type: ignore[misc, unused-ignore]
    """Rows (`where`, `name`, `bot`) become entries by the service that every registration goes through."""

    class Meta:
        using_db = DEFAULT_DB_ALIAS
        instance_loader_class = BaseInstanceLoader  # nothing is looked up: each row is new, or refused
        import_id_fields = ()
        use_transactions = True
        skip_diff = True

    def __init__(self, *, tournament: Tournament, actor: Player, press: UUID) -> None:
        super().__init__()
        self.tournament, self.actor, self.press = tournament, actor, press

    def import_row(self, row: Mapping[str, Any], instance_loader: Any, **about: Any) -> Any:
        """Register the row's player or bot. A fault stays with the row, and in the end undoes the whole."""
        result = results.RowResult()
        result.import_type = results.RowResult.IMPORT_TYPE_NEW
        try:
            self._register(row, int(about["row_number"]))
        except (TournamentError, Unreadable) as fault:
            result.import_type = results.RowResult.IMPORT_TYPE_ERROR
            result.errors.append(results.Error(fault, row=dict(row), number=about["row_number"]))
        return result

    def _register(self, row: Mapping[str, Any], number: int) -> None:
        name, bot = str(row["name"]).strip(), _flag(row["bot"])
        if bool(name) == bot:
            raise Unreadable("A row has either a name or a bot.")
        services.entry_register(
            tournament_id=self.tournament.pk,
            actor=self.actor,
            player=None if bot else player_named(name),
            bot=bot,
            command_id=uuid5(self.press, str(number)),
        )


def import_file(*, tournament: Tournament, actor: Player, file: UploadedFile[Any] | None) -> int:
    """How many entries the file brought. BadRows, and then none."""
    if file is None:
        raise BadRows(["Choose a file first."])
    if file.size is None or file.size > MOST_BYTES:
        raise BadRows([TOO_LARGE])
    rows = _rows(file.name or "", file.read(MOST_BYTES + 1))
    if not rows:
        raise BadRows(["The file has no rows."])
    return _imported(tournament, actor, rows, uuid4())


def register_names(*, tournament: Tournament, actor: Player, text: str, bots: int, press: UUID) -> int:
    """Players by name, one a line, and so many bots. BadRows, and then nobody."""
    rows = [Row(f"Line {line}", name, "") for line, name in enumerate(text.splitlines(), start=1) if name.strip()]
    return _imported(tournament, actor, [*rows, *[Row("Bots", "", "1")] * min(bots, MOST_ENTRIES + 1)], press)


def _imported(tournament: Tournament, actor: Player, rows: Sequence[Row], press: UUID) -> int:
    if len(rows) > MOST_ENTRIES:
        raise BadRows([f"More than {MOST_ENTRIES} entries are too many."])
    resource = EntryResource(tournament=tournament, actor=actor, press=press)
    with transaction.atomic():
        told = resource.import_data(Dataset(*rows, headers=Row._fields), use_transactions=True)
        if told.has_errors():
            transaction.set_rollback(True)
    if told.base_errors:
        raise BadRows(["The rows could not be read."])
    if told.error_rows:
        raise BadRows(_faults(rows, [(row.number, row.errors[0].error) for row in told.error_rows]))
    return len(rows)


def _faults(rows: Sequence[Row], found: Sequence[tuple[int, Any]]) -> list[str]:
    lines = [f"{rows[number - 1].where}: {sentence(fault)}" for number, fault in found[:MOST_FAULTS]]
    rest = len(found) - len(lines)
    return [*lines, f"… and {rest} more."] if rest else lines


def _rows(name: str, content: bytes) -> list[Row]:
    """The rows of a file, each with the line it stands on. BadRows."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadRows(["The file is not text in UTF-8."]) from None
    if "\0" in text:
        raise BadRows(["The file is not text in UTF-8."])
    is_json = name.lower().endswith(".json") or text.lstrip()[:1] in ("[", "{")
    return _from_json(text) if is_json else _from_csv(text)


def _from_csv(text: str) -> list[Row]:
    reader = csv.reader(io.StringIO(text), strict=True)
    rows: list[Row] = []
    try:
        columns = [header.strip().lower() for header in next(reader, [])]
        _refuse_columns(columns)
        for cells in reader:
            if not any(map(str.strip, cells)):
                continue
            if len(cells) > len(columns):
                raise BadRows([f"Line {reader.line_num}: more cells than there are columns."])
            said = dict(zip(columns, cells, strict=False))
            rows.append(Row(f"Line {reader.line_num}", said.get("name", ""), said.get("bot", "")))
    except csv.Error as fault:
        raise BadRows([f"Line {reader.line_num}: this is no CSV ({fault})."]) from None
    return rows


def _from_json(text: str) -> list[Row]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as fault:
        where = f" (line {fault.lineno})" if isinstance(fault, json.JSONDecodeError) else ""
        raise BadRows([f"The file is no JSON that can be read{where}."]) from None
    if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
        raise BadRows(["The JSON is no list of objects with a “name”."])
    _refuse_columns(list(dict.fromkeys(str(key) for row in found for key in row)) if found else ["name"])
    return [
        Row(f"Entry {place}", _plain(row.get("name")), _plain(row.get("bot")))
        for place, row in enumerate(found, start=1)
    ]


def _refuse_columns(columns: Sequence[str]) -> None:
    if "name" not in columns and "bot" not in columns:
        raise BadRows(["The file has no column “name”."])
    if unknown := [column[:30] for column in columns if column not in (*COLUMNS, *PASSED_OVER)]:
        raise BadRows([f"Unknown column: {', '.join(unknown[:5])}. Known are “name” and “bot”."])


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "1" if value else ""
    if value is None:
        return ""
    if isinstance(value, str | int):
        return str(value)
    raise BadRows(["A name is a text, and “bot” is true or false."])


def _flag(value: Any) -> bool:
    text = str(value or "").strip().lower()
    if text in _YES:
        return True
    if text in _NO:
        return False
    raise Unreadable("“bot” is 1 or empty.")
