"""What every game of a tournament is created with, and how that is stored."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from games.rules.ruleset import Mode, Ruleset
from games.selectors import LEVEL_NAMES
from games.services import GameSettings
from tournaments.models import Tournament
from tournaments.rules import TableKind

TABLE_FIELDS: Final = (
    "turn_seconds",
    "bank_seconds",
    "increment_seconds",
    "reaction_seconds",
    "game_minutes",
    "when_away",
    "first_player",
)
"""Of `GameSettings`: those that are the same at every table. The rest (name, seats, visibility) is each table's."""
DEFAULT_TABLES: Final = GameSettings(first_player="random")  # type: ignore[arg-type]  # its model is the games' own
"""By default the draw says who begins: in a tournament age should win nothing (choice)."""
BOT_LEVELS: Final = LEVEL_NAMES
"""The built-in bots that may play for somebody who does not come."""
_NAME_SHOWN: Final = 48


def write_tables(tables: GameSettings) -> dict[str, Any]:
    """As JSON: the fields above, and the house rules that were chosen."""
    written: dict[str, Any] = {name: getattr(tables, name) for name in TABLE_FIELDS}
    return {
        **{k: str(v) if isinstance(v, str) else v for k, v in written.items()},
        "house_rules": tables.house_rules.chosen(),
    }


def read_tables(stored: Mapping[str, Any]) -> GameSettings:
    """What was written by `write_tables`."""
    fields: dict[str, Any] = {name: stored[name] for name in TABLE_FIELDS if name in stored}
    return replace(DEFAULT_TABLES, **fields, house_rules=Ruleset.from_mapping(stored.get("house_rules", {})))


def game_settings(tournament: Tournament, *, kind: TableKind, table: int, seats: int) -> GameSettings:
    """The settings of one table's game."""
    tables = read_tables(tournament.tables)
    visibility: Any = str(tournament.visibility)
    return replace(
        tables,
        name=f"{tournament.name[:_NAME_SHOWN]} #{table}",
        seats=seats,
        visibility=visibility,
        house_rules=replace(tables.house_rules, mode=Mode(kind.value)),
    )
