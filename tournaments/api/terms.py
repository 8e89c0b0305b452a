"""From the fields of a body to the terms of a tournament and the settings of its tables."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Final

from rest_framework.request import Request

from games.services import GameSettings
from players.api.fields import invalid
from tournaments.rules import Format, NoShows, Seeding, TableKind, Terms
from tournaments.settings import TABLE_FIELDS

_ENUMS: Final[Mapping[str, Any]] = {
    "format": Format,
    "table_kind": TableKind,
    "seeding": Seeding,
    "no_shows": NoShows,
}
_TERMS: Final = tuple(field.name for field in fields(Terms))
_LADDER_SEATS: Final = 10
_KNOCKOUT: Final = {"table_kind": TableKind.SINGLE, "table_size": 4, "capacity": 64}
"""What a knockout is by default: tables of four, of which the best two go on, up to 64 entries."""


def new_terms(body: Mapping[str, Any]) -> Terms:
    """The terms of a new tournament; what the body does not name is by its format."""
    given = _given(body)
    if given["format"] is Format.LADDER:
        seats = given.get("capacity", given.get("table_size", _LADDER_SEATS))
        default: dict[str, Any] = {"table_kind": TableKind.LADDER, "table_size": seats, "capacity": seats, "go_on": 1}
        return Terms(**{**default, **given})
    merged: dict[str, Any] = {**_KNOCKOUT, **given}
    merged.setdefault("go_on", max(1, merged["table_size"] // 2))
    return Terms(**merged)


def changed_terms(body: Mapping[str, Any], before: Terms) -> Terms:
    """The terms with what the body names changed; a ladder's table grows with its capacity."""
    given = _given(body)
    after = replace(before, **given)
    if after.format is Format.LADDER and "capacity" in given and "table_size" not in given:
        after = replace(after, table_size=after.capacity)
    return after


def changed_tables(body: Mapping[str, Any], before: GameSettings) -> GameSettings:
    """The tables' settings with what the body names changed."""
    given: dict[str, Any] = {name: body[name] for name in (*TABLE_FIELDS, "house_rules") if name in body}
    return replace(before, **given)


def refuse_other_mode(request: Request, kind: TableKind) -> None:
    """ValidationError when the house rules name another mode than the tables have."""
    rules = request.data.get("house_rules") if isinstance(request.data, dict) else None
    if isinstance(rules, dict) and rules.get("mode", kind.value) != kind.value:
        raise invalid("house_rules.mode", "not_together", other="table_kind")


def _given(body: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _ENUMS.get(name, lambda same: same)(body[name]) for name in _TERMS if name in body}
