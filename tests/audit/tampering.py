"""What only a superuser of the database could do: the triggers off for a moment."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from games.models import GameEvent
from games.table import forget_all

TABLES = ("games_gameevent", "games_gamesignature", "games_auditentry", "games_signingkey")


def tamper(statement: str, *values: Any) -> int:
    """Run the statement with no trigger in its way; how many rows it changed."""
    with transaction.atomic(), connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        cursor.execute(statement, values)
        changed = cursor.rowcount
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for table in TABLES:
            cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")
    forget_all()
    return int(changed)


def alter_event(game_id: UUID, version: int, change: str) -> None:
    """Change one event: ``change`` is what follows SET."""
    statement = f"UPDATE games_gameevent SET {change} WHERE game_id = %s AND version = %s"  # noqa: S608  # a test's own
    assert tamper(statement, game_id, version) == 1


@contextmanager
def altered_event(game_id: UUID, version: int, change: str) -> Iterator[None]:
    """One event is changed, and then again as it was."""
    columns = ("type", "schema", "data", "actor", "recorded_at", "hash")
    before = GameEvent.objects.filter(game_id=game_id, version=version).values(*columns).get()
    alter_event(game_id, version, change)
    try:
        yield
    finally:
        before["data"] = json.dumps(before["data"])
        back = ", ".join(f"{column} = %s" for column in columns)
        statement = f"UPDATE games_gameevent SET {back} WHERE game_id = %s AND version = %s"  # noqa: S608
        assert tamper(statement, *before.values(), game_id, version) == 1
