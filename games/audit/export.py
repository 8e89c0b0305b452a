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
from games.audit.verify.lines import Line, Seal
from games.clock import timestamp
from games.fold import StoredEvent
from games.rules.events import SeedRevealed


def export_lines(*, game_id: UUID) -> Iterator[str]:
    """The export, line by line without line ends. GameNotFound; WrongPhase until the game is over."""
    return (text_of(line_of(game_id, stored)) for stored in selectors.export_iter(game_id=game_id))


def line_of(game_id: UUID, stored: StoredEvent) -> Line:
    """One event as it is exported, the last one with the signature."""
    return Line(
        str(game_id),
        stored.version,
        stored.type,
        stored.schema,
        stored.data,
        stored.actor,
        timestamp(stored.recorded_at),
        stored.hash.hex(),
        _seal(game_id) if isinstance(stored.event, SeedRevealed) else None,
    )


def text_of(line: Line) -> str:
    """The line as it stands in an export."""
    told = {name: value for name, value in zip(Line._fields, line, strict=True) if name not in ("seal", "number")}
    return json.dumps({**told, **line.seal._asdict()} if line.seal else told)


def _seal(game_id: UUID) -> Seal | None:
    signed = signature_of(game_id=game_id)
    public_key = public_key_of(key=signed.key) if signed else None
    if signed is None or public_key is None:
        return None
    return Seal(bytes(signed.signature).hex(), signed.key, public_key.hex())
