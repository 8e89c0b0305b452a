"""Entries of the audit log: refused commands, and the removal of what has expired."""

import json
import logging
from collections.abc import Sequence
from typing import Final
from uuid import UUID

from django.db import DatabaseError, connection

from games.errors import CommandIdReused, GameError, MoveRefused, StaleVersion, WrongPhase
from games.models import AuditKind
from games.rules.commands import Command
from games.rules.notation import format_command

logger = logging.getLogger(__name__)

REFUSED_DAYS: Final = 30
MOST_REFUSED: Final = 50
"""So many refused commands are kept of one player, in one game, in one day."""
MOST_COMMAND: Final = 600
MOST_EXPIRED: Final = 5_000


def refusal_record(*, game_id: UUID, player_id: UUID, commands: Sequence[Command], error: GameError) -> None:
    """Note that a command of a player at the table was refused: code, rule, version, seat, and the command's text.

    Nothing else that was sent is kept, and nothing of what the server knows. It goes after 30 days. One statement
    that waits for no lock of the game and for no disk; it never raises, as the refusal is what the caller must hear.
    """
    found = _refusal(error)
    if found is None:
        return
    code, rule, version = found
    data = {"command": format_command(commands)[:MOST_COMMAND]} | ({"rule": rule} if rule else {})
    named = {
        "kind": AuditKind.REFUSED.value,
        "code": code,
        "version": version,
        "data": json.dumps(data),
        "days": REFUSED_DAYS,
        "game": game_id,
        "player": player_id,
        "most": MOST_REFUSED,
    }
    try:
        with connection.cursor() as cursor:
            cursor.execute(_REFUSED, named)
    except DatabaseError:
        logger.warning("a refused command of game %s could not be noted", game_id, exc_info=True)


def entries_expire() -> int:
    """Remove entries that have expired, a portion at a time; how many. Twice at once is harmless."""
    with connection.cursor() as cursor:
        cursor.execute(_EXPIRE, (MOST_EXPIRED,))
        return int(cursor.rowcount)


def _refusal(error: GameError) -> tuple[str, str, int | None] | None:
    match error:
        case MoveRefused():
            return error.refusal.value, error.rule, error.version
        case StaleVersion():
            return "stale_version", "", error.version
        case WrongPhase():
            return error.code, "", None
        case CommandIdReused():
            return "command_id_reused", "", None
        case _:
            return None


_REFUSED: Final = """
    INSERT INTO games_auditentry (game_id, at, kind, code, player_id, seat, version, reason, data, expires_at)
    SELECT seat.game_id, now(), %(kind)s, %(code)s, seat.player_id, seat.seat, %(version)s, '', %(data)s,
        now() + make_interval(days => %(days)s)
    FROM games_seat seat
    WHERE seat.game_id = %(game)s AND seat.player_id = %(player)s AND seat.until_version IS NULL
        AND %(most)s > (SELECT count(*) FROM (
            SELECT FROM games_auditentry
            WHERE kind = 'refused' AND game_id = %(game)s AND player_id = %(player)s AND at > now() - interval '1 day'
            LIMIT %(most)s
        ) noted)
        AND set_config('synchronous_commit', 'off', true) = 'off'
"""

_EXPIRE: Final = """
    DELETE FROM games_auditentry WHERE id IN (
        SELECT id FROM games_auditentry WHERE expires_at < now() ORDER BY expires_at LIMIT %s FOR UPDATE SKIP LOCKED
    )
"""
