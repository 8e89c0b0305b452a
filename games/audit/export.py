"""A game's log as lines of JSON, whole: what an auditor checks without trusting this server.

The first line is the header ``{game, commitment, entropy, server_seed, version, head_hash}``: bytes in hex,
``entropy`` one text a seat. Each further line is one event ``{version, type, schema, data, actor, at, hash}`` in the
terms of `games.chain`: ``at`` in milliseconds since 1970 UTC.
"""

import json
from collections.abc import Iterator
from uuid import UUID

from games import selectors
from games.clock import milliseconds
from games.fold import StoredEvent


def export_lines(*, game_id: UUID) -> Iterator[str]:
    """The export, line by line without line ends. GameNotFound; WrongPhase until the game is over."""
    events = selectors.export_iter(game_id=game_id)
    audit = selectors.audit_load(game_id=game_id)
    yield json.dumps(
        {
            "game": str(game_id),
            "commitment": audit.commitment,
            "entropy": [entropy.hex() for entropy in audit.entropy],
            "server_seed": (audit.server_seed or b"").hex(),
            "version": audit.version,
            "head_hash": audit.head_hash.hex(),
        }
    )
    for stored in events:
        yield json.dumps(event_line(stored))


def event_line(stored: StoredEvent) -> dict[str, object]:
    """One event as it is exported."""
    return {
        "version": stored.version,
        "type": stored.type,
        "schema": stored.schema,
        "data": stored.data,
        "actor": stored.actor,
        "at": milliseconds(stored.recorded_at),
        "hash": stored.hash.hex(),
    }
