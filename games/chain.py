"""The fairness formulas, byte for byte: commitment, seed, first player, salt, canonical JSON, hash. Pure.

``‖`` is the concatenation of raw bytes, a text in quotes its ASCII bytes. A version ``v`` is written in decimal
ASCII without leading zeros ("41"), a game id as canonical lower-case UUID text with hyphens (36 bytes).

- ``commitment = SHA-256("taki/1/commit" ‖ server_seed)``
- ``seed = SHA-256("taki/1/seed" ‖ server_seed ‖ for each seat in order: SHA-256(entropy))``
- first seat = first 8 bytes of ``HMAC-SHA256(seed, "taki/1/first")``, big-endian, mod the number of candidates
- ``salt(v) = HMAC-SHA256(server_seed, "taki/1/salt/" ‖ v)``
- ``hash(0) = SHA-256("taki/1/game/" ‖ game id)``
- ``hash(v) = SHA-256(hash(v−1) ‖ SHA-256(salt(v) ‖ canonical JSON of event v))``

The canonical JSON of an event is the object ``{actor, at, data, schema, type, version}``: keys sorted, ASCII, no
spaces, only objects, arrays, integers and strings. ``at`` is the time of recording as the API and the export write
it, RFC 3339 in UTC with milliseconds: ``"2026-05-01T12:00:00.000Z"``.

What the server draws for itself (``private_bytes``) hangs on the server's seed too, so that nobody can foresee it
during the game and anybody can check it afterwards.
"""

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from typing import Final
from uuid import UUID

from games.rules.cards import Seat

SEED_BYTES: Final = 32
MOST_ENTROPY_BYTES: Final = 64

_JSON = json.JSONEncoder(ensure_ascii=True, sort_keys=True, separators=(",", ":"), allow_nan=False)


def commitment(server_seed: bytes) -> bytes:
    """What the server publishes before anybody joins: 32 bytes that bind it to its seed."""
    return hashlib.sha256(b"taki/1/commit" + server_seed).digest()


def entropy_digest(entropy: bytes) -> bytes:
    """SHA-256 of a seat's entropy; a seat without one, and a bot's, counts as empty."""
    return hashlib.sha256(entropy).digest()


def game_seed(server_seed: bytes, entropy_digests: Sequence[bytes]) -> bytes:
    """The 32 bytes that every shuffle of the game hangs on; one digest a seat, in the order of the seats."""
    return hashlib.sha256(b"taki/1/seed" + server_seed + b"".join(entropy_digests)).digest()


def first_seat(seed: bytes, candidates: Sequence[Seat]) -> Seat:
    """Who begins among the candidates, which are in the order of the seats. ValueError without any."""
    if not candidates:
        raise ValueError("no candidates to begin")
    drawn = hmac.digest(seed, b"taki/1/first", "sha256")[:8]
    return candidates[int.from_bytes(drawn, "big") % len(candidates)]


def genesis(game_id: UUID) -> bytes:
    """hash(0): 32 bytes that name the game."""
    return hashlib.sha256(f"taki/1/game/{game_id}".encode("ascii")).digest()


def salt(server_seed: bytes, version: int) -> bytes:
    """salt(v), without which a hidden card could be guessed from its event's hash."""
    return hmac.digest(server_seed, f"taki/1/salt/{version}".encode("ascii"), "sha256")


def canonical_json(value: object) -> bytes:
    """The one spelling of a value of objects, arrays, integers and strings.

    TypeError names a leaf or key of another kind (null, true, 1.5): it would have several spellings.
    """
    _require_plain(value)
    return _JSON.encode(value).encode("ascii")


def canonical_event(
    *, version: int, event_type: str, schema: int, data: Mapping[str, object], actor: str, at: str
) -> bytes:
    """The canonical JSON of one event; ``at`` in RFC 3339, UTC, with milliseconds."""
    return canonical_json(
        {"version": version, "type": event_type, "schema": schema, "data": data, "actor": actor, "at": at}
    )


def event_hash(previous: bytes, event_salt: bytes, canonical: bytes) -> bytes:
    """hash(v) from hash(v−1), salt(v) and the event's canonical JSON: 32 bytes."""
    return hashlib.sha256(previous + hashlib.sha256(event_salt + canonical).digest()).digest()


def private_bytes(server_seed: bytes, purpose: str) -> bytes:
    """32 bytes for something the server draws during the game: HMAC-SHA256(server_seed, "taki/1/" ‖ purpose)."""
    return hmac.digest(server_seed, f"taki/1/{purpose}".encode("ascii"), "sha256")


def private_uuid(server_seed: bytes, purpose: str) -> UUID:
    """The id of a command of the server's own: always the same one for the same purpose, and not to be guessed.

    A guessable id could be used up by a player before the server comes to it.
    """
    drawn = bytearray(private_bytes(server_seed, f"command/{purpose}")[:16])
    drawn[6] = 0x80 | drawn[6] & 0x0F  # version 8, "custom" (RFC 9562)
    drawn[8] = 0x80 | drawn[8] & 0x3F
    return UUID(bytes=bytes(drawn))


def _require_plain(value: object) -> None:
    kind = type(value)
    if kind is str or kind is int:
        return
    if kind is list or kind is tuple:
        for part in value:  # type: ignore[attr-defined]  # a list or tuple, by the line above
            _require_plain(part)
        return
    if not isinstance(value, Mapping):
        raise TypeError(f"no canonical spelling: {value!r}")
    for key, part in value.items():
        if type(key) is not str:
            raise TypeError(f"no canonical spelling of the key {key!r}")
        _require_plain(part)
