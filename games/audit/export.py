"""A game's log as lines of JSON, whole: what an auditor checks without trusting this server.

Each line is one event ``{game, version, type, schema, data, actor, at, hash}`` in the terms of `games.chain`: what its
hash covers, as it is spelt there, the game that it belongs to, and the hash in hex. Nothing else is needed: the
commitment and the digests of the entropy are in `SeedCommitted`, the server's seed in `SeedRevealed`, the last event.
Its line has three keys more where the game's end is signed: ``signature``, ``key`` and ``public_key``, in hex.
"""

import json
from collections.abc import Iterator
from typing import Any, Final
from uuid import UUID

from django.db import connection

from games import selectors
from games.audit.published import public_key_of, signature_of
from games.audit.verify.lines import Line, Seal, text_of
from games.clock import timestamp

PORTION: Final = 1_000
"""So many events are read at once, whatever the length of the game."""


def export_lines(*, game_id: UUID) -> Iterator[str]:
    """The export, line by line without line ends. GameNotFound; WrongPhase until the game is over."""
    selectors.export_iter(game_id=game_id)  # says at once when it may not be told
    return map(text_of, stored_lines(game_id=game_id))


def stored_lines(*, game_id: UUID) -> Iterator[Line]:
    """The rows of the log as they are stored, whatever they say: nothing of them is believed, nor even decoded.

    Whether they may be told is for `export_lines` to say. The last one carries the signature of the end.
    """
    game, after = str(game_id), 0
    while rows := _rows(game_id, after):
        for version, kind, schema, data, actor, recorded_at, event_hash in rows:
            seal = _seal(game_id) if kind == "SeedRevealed" else None
            at = timestamp(recorded_at)
            yield Line(game, version, kind, schema, json.loads(data), actor, at, bytes(event_hash).hex(), seal, version)
        after = rows[-1][0]


def _rows(game_id: UUID, after: int) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(_ROWS, (game_id, after, PORTION))
        return list(cursor)


_ROWS: Final = (
    "SELECT version, type, schema, data::text, actor, recorded_at, hash FROM games_gameevent"
    " WHERE game_id = %s AND version > %s ORDER BY version LIMIT %s"
)


def _seal(game_id: UUID) -> Seal | None:
    signed = signature_of(game_id=game_id)
    public_key = public_key_of(key=signed.key) if signed else None
    if signed is None or public_key is None:
        return None
    return Seal(bytes(signed.signature).hex(), signed.key, public_key.hex())
