"""A game's log as lines of JSON, whole: what an auditor checks without trusting this server.

Each line is one event ``{game, version, type, schema, data, actor, at, hash}`` in the terms of `games.chain`: what its
hash covers, as it is spelt there, the game that it belongs to, and the hash in hex. Nothing else is needed: the
commitment and the digests of the entropy are in `SeedCommitted`, the server's seed in `SeedRevealed`, the last event.
Its line has three keys more where the game's end is signed: ``signature``, ``key`` and ``public_key``, in hex.
"""

import json
from collections.abc import Iterator
from uuid import UUID

from games import selectors
from games.audit.published import public_key_of, signature_of
from games.clock import timestamp
from games.fold import StoredEvent
from games.rules.events import SeedRevealed


def export_lines(*, game_id: UUID) -> Iterator[str]:
    """The export, line by line without line ends. GameNotFound; WrongPhase until the game is over."""
    return (json.dumps(_line(game_id, stored)) for stored in selectors.export_iter(game_id=game_id))


def _line(game_id: UUID, stored: StoredEvent) -> dict[str, object]:
    line = event_line(game_id, stored)
    return {**line, **_seal(game_id)} if isinstance(stored.event, SeedRevealed) else line


def _seal(game_id: UUID) -> dict[str, object]:
    signed = signature_of(game_id=game_id)
    public_key = public_key_of(key=signed.key) if signed else None
    if signed is None or public_key is None:
        return {}
    return {"signature": bytes(signed.signature).hex(), "key": signed.key, "public_key": public_key.hex()}


def event_line(game_id: UUID, stored: StoredEvent) -> dict[str, object]:
    """One event as it is exported."""
    return {
        "game": str(game_id),
        "version": stored.version,
        "type": stored.type,
        "schema": stored.schema,
        "data": stored.data,
        "actor": stored.actor,
        "at": timestamp(stored.recorded_at),
        "hash": stored.hash.hex(),
    }
