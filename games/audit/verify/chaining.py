"""The chain: versions without a gap, each hash that of its event after the one before, times that never go back."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple
from uuid import UUID

from games import chain
from games.audit.verify.errors import Forged, Unreadable, shown
from games.audit.verify.lines import Line, read_time
from games.rules import codec
from games.rules.events import Event


class Entry(NamedTuple):
    """An event of a chain that holds up to it; ``at`` in milliseconds since 1970 UTC, ``hash`` 32 bytes."""

    version: int
    event: Event
    actor: str
    at: int
    hash: bytes


def entries(lines: Iterable[Line], *, game_id: UUID, server_seed: bytes) -> Iterator[Entry]:
    """The events, each checked against the chain before it is told. Forged; Unreadable for a later kind of event."""
    game, head, before = str(game_id), chain.genesis(game_id), 0
    for version, line in enumerate(lines, start=1):
        if line.version != version:
            _refuse_version(line, version)
        if line.game != game:
            raise Forged("an event of another game", version=version, found=shown(line.game), expected=game)
        if line.seal is not None and line.type != "SeedRevealed":
            raise Unreadable("only the last line carries a signature", line=line.number)
        head = _next_hash(head, server_seed, line)
        at = _time(line)
        if at < before:
            raise Forged("it is earlier than the event before", version=version, found=line.at)
        before = at
        yield Entry(version, _event(line), line.actor, at, head)


def told_of(event: Event) -> str:
    """The event as a message names it: its type and its data, as far as they go on a line."""
    encoded = codec.encode(event)
    return shown(f"{encoded.type} {_encode(encoded.data)}")


def _refuse_version(line: Line, version: int) -> None:
    raise Forged(
        "a version is missing or doubled",
        version=version,
        found=f"version {line.version} ({shown(line.type, 40)})",
        expected=f"version {version}",
    )


def hash_after(previous: bytes, server_seed: bytes, line: Line) -> bytes:
    """What the line's hash must be when it follows on ``previous``. TypeError, as `chain.canonical_json`."""
    return chain.event_hash(previous, chain.salt(server_seed, line.version), canonical(line))


def canonical(line: Line) -> bytes:
    """`chain.canonical_event` of the line; hot (tests/bench), so data without depth goes a shorter way."""
    told = {
        "actor": line.actor,
        "at": line.at,
        "data": line.data,
        "schema": line.schema,
        "type": line.type,
        "version": line.version,
    }
    return _encode(told).encode("ascii") if _flat(line.data) else chain.canonical_json(told)


def _flat(data: Mapping[str, object]) -> bool:
    """Only numbers and texts, and lists of them: nothing that could be spelt in two ways."""
    for value in data.values():
        kind = type(value)
        if kind not in _LEAVES and (kind is not list or not _LEAVES.issuperset(map(type, value))):  # type: ignore[call-overload]  # a list
            return False
    return True


def _next_hash(previous: bytes, server_seed: bytes, line: Line) -> bytes:
    try:
        head = hash_after(previous, server_seed, line)
    except (TypeError, ValueError, RecursionError) as error:
        raise Forged(f"no event is spelt so: {shown(str(error), 120)}", version=line.version) from None
    if head.hex() != line.hash:
        found = f"{shown(line.type, 40)} with hash {shown(line.hash, 70)}"
        raise Forged(
            "the event is not the one that was recorded", version=line.version, found=found, expected=head.hex()
        )
    return head


def _time(line: Line) -> int:
    try:
        return read_time(line.at)
    except ValueError as error:
        raise Forged(str(error), version=line.version) from None


def _event(line: Line) -> Event:
    newest = codec.SCHEMA.get(line.type)
    if newest is None:
        raise Unreadable(
            f"version {line.version}: this verifier knows no events of type {shown(line.type, 40)}", line=line.number
        )
    if line.schema > newest:
        what = f"version {line.version}: schema {line.schema} of {line.type}; this verifier knows up to {newest}"
        raise Unreadable(what, line=line.number)
    try:
        return codec.decode(line.type, line.schema, line.data)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
        raise Forged(f"no event is made so: {shown(str(error), 120)}", version=line.version) from None


_LEAVES: Final = frozenset({int, str})
_encode: Final = json.JSONEncoder(ensure_ascii=True, sort_keys=True, separators=(",", ":"), allow_nan=False).encode
