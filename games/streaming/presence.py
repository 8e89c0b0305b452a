"""Who is connected: which seats have an open stream, and how many watch.

Each stream process writes a field of its own into the hash `presence:<game>`, and again every few seconds. A field
that is not written again counts no longer, so that a crash heals by itself. `gone:<seat>` says when a seat left.
"""

import time
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple
from uuid import UUID

from redis import Redis

from games.rules.cards import Seat
from games.streaming.valkey import ValkeyAway, ask

LEASE_MS: Final = 30_000
"""How long a field counts that was not written again."""
REFRESH_SECONDS: Final = 10.0
KEPT_SECONDS: Final = 86_400
"""How long it is known when a seat left, after the last who followed its game."""
_GONE: Final = "gone:"


class Presence(NamedTuple):
    """Who follows a game now. Times are milliseconds since 1970 UTC.

    ``since``: from when on each connected seat has been. ``gone``: when each other seat left, where it is known.
    """

    since: Mapping[Seat, int]
    gone: Mapping[Seat, int]
    spectators: int

    @property
    def seats(self) -> frozenset[int]:
        """The seats that are connected."""
        return frozenset(self.since)


NOBODY: Final = Presence({}, {}, 0)


def presence_key(game_id: UUID) -> str:
    """Where a game's presence is kept."""
    return f"presence:{game_id}"


def connected_seats(*, game_id: UUID) -> frozenset[int]:
    """The seats of the game that are connected; none when Valkey is away."""
    return connected_of([game_id]).get(game_id, frozenset())


def connected_of(game_ids: Iterable[UUID]) -> dict[UUID, frozenset[int]]:
    """The connected seats of each game, in one round trip; empty when Valkey is away."""
    return {game_id: presence.seats for game_id, presence in presence_of(game_ids).items()}


def presence_of(game_ids: Iterable[UUID]) -> dict[UUID, Presence]:
    """Who follows each game, in one round trip; empty when Valkey is away."""
    wanted = tuple(game_ids)
    if not wanted:
        return {}
    try:
        found = ask(lambda valkey: _fields(valkey, wanted))
    except ValkeyAway:
        return {}
    now = now_ms()
    return {game_id: presence_read(fields, now) for game_id, fields in zip(wanted, found, strict=True)}


def presence_read(fields: Mapping[bytes, bytes], now: int) -> Presence:
    """What the fields of all stream processes come to at this time."""
    since: dict[Seat, int] = {}
    gone: dict[Seat, int] = {}
    spectators = 0
    for name, value in fields.items():
        if name.startswith(_GONE.encode()):
            gone[Seat(int(name[len(_GONE) :]))] = int(value)
            continue
        until, watching, seats = _unwritten(value)
        if until <= now:
            for seat in seats:
                gone[seat] = max(gone.get(seat, 0), until - LEASE_MS)
            continue
        spectators += watching
        for seat, at in seats.items():
            since[seat] = min(since.get(seat, at), at)
    return Presence(since, {seat: at for seat, at in gone.items() if seat not in since}, spectators)


def presence_written(*, until: int, spectators: int, seats: Mapping[Seat, int]) -> str:
    """A process's field: until when it counts, how many watch, and since when each of its seats is connected."""
    return ";".join([str(until), str(spectators), *(f"{seat}={at}" for seat, at in sorted(seats.items()))])


def gone_field(seat: Seat) -> str:
    """The field that says when the seat left."""
    return f"{_GONE}{seat}"


def now_ms() -> int:
    """The time in milliseconds since 1970 UTC."""
    return time.time_ns() // 1_000_000


def _unwritten(value: bytes) -> tuple[int, int, dict[Seat, int]]:
    until, spectators, *seats = value.decode().split(";")
    pairs = (pair.split("=") for pair in seats)
    return int(until), int(spectators), {Seat(int(seat)): int(at) for seat, at in pairs}


def _fields(valkey: Redis, game_ids: tuple[UUID, ...]) -> list[Mapping[bytes, bytes]]:
    if len(game_ids) == 1:
        return [valkey.hgetall(presence_key(game_ids[0]))]  # type: ignore[list-item]  # typed for both clients at once
    pipeline = valkey.pipeline(transaction=False)
    for game_id in game_ids:
        pipeline.hgetall(presence_key(game_id))
    return list(pipeline.execute())
