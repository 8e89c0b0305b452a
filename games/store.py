"""The log: lock a game, load what it folds to, append to it. The only writer of `GameEvent`.

A process keeps the folds of the games it saw last, so that a move reads only events it has not seen, however long
the game. The cache is never trusted: version and hash are checked against the game's row under its lock.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.models import JSONField

from games import chain
from games.clock import Limits, lost_from, moment, timestamp
from games.errors import ChainBroken, GameNotFound, LogUnreadable
from games.fold import StoredEvent, begin, fold
from games.models import Game, GameSecret
from games.models import Seat as SeatRow
from games.rules import codec
from games.rules.cards import Seat
from games.rules.events import Event
from games.table import Seated, Table, recall, remember


class Told(NamedTuple):
    """A command that was carried out before: its events, and the digest that came with it."""

    events: tuple[StoredEvent, ...]
    digest: bytes


@dataclass(frozen=True, slots=True)
class Locked:
    """A game whose row this transaction holds. ``told`` is the command asked about, if it is in the log."""

    game: Game
    table: Table
    told: Told | None


class NewEvent(NamedTuple):
    """An event to append, and whose act it is: `seat:N`, `bot:N`, `clock`, `host`, `staff` or `server`."""

    event: Event
    actor: str


def limits_of(game: Game) -> Limits:
    """The clock settings of a table."""
    return Limits(
        game.turn_seconds,
        game.reaction_seconds,
        game.game_minutes,
        game.bank_seconds,
        game.increment_seconds,
        settings.TAKI_BOT_PAUSE_PERCENT,
    )


# ---- reading


def lock(*, game_id: UUID, command_id: UUID | None = None, skip_locked: bool = False) -> Locked:
    """Lock the game until the end of the transaction, and load its table.

    GameNotFound; with ``skip_locked`` also when another transaction holds it. ChainBroken.
    """
    game = _game(game_id, " FOR UPDATE SKIP LOCKED" if skip_locked else " FOR UPDATE")
    table, told = _loaded(game, command_id)
    return Locked(game, table, told)


def load(*, game_id: UUID) -> tuple[Game, Table]:
    """The game and its table as they are now, without a lock. GameNotFound, ChainBroken."""
    game = _game(game_id)
    return game, _loaded(game, None)[0]


def reread(*, game_id: UUID) -> tuple[Game, Table]:
    """Lock the game and fold its whole log anew, each hash checked, whatever the row and the cache say.

    GameNotFound; ChainBroken at the first event that does not follow on the one before.
    """
    game = _game(game_id, " FOR UPDATE")
    table = _unfolded(game)
    events = log(game_id=game_id)
    broken_at = _broken_at(table, events)
    if broken_at is not None:
        raise ChainBroken(game_id, broken_at)
    return game, _newer(game, table, events)


def log(*, game_id: UUID, after: int = 0, limit: int | None = None) -> tuple[StoredEvent, ...]:
    """The events after a version (exclusive), ascending, at most ``limit``."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {_COLUMNS} FROM games_gameevent"  # noqa: S608  # our own column names
            " WHERE game_id = %s AND version > %s ORDER BY version LIMIT %s",
            (game_id, after, limit),
        )
        return _events(game_id, cursor)


def lost_ms(locked: Locked) -> int:
    """For how many milliseconds nobody has looked at the clocks since the running one began to count.

    A statement of its own, as only a timeout, or a move that overdraws its turn, need know.
    """
    since = lost_from(locked.table.folded.clock, limits_of(locked.game))
    if since is None:
        return 0
    with connection.cursor() as cursor:
        cursor.execute(_LOST, {"since": moment(since)})
        return int(cursor.fetchone()[0])


def _game(game_id: UUID, locking: str = "") -> Game:
    """The game's row. By hand: building the query anew for each move costs more than running it (tests/bench)."""
    with connection.cursor() as cursor:
        cursor.execute(_GAME + locking, (game_id,))
        row = cursor.fetchone()
    if row is None:
        raise GameNotFound(game_id)
    values = [
        json.loads(value) if name in _JSON_COLUMNS and value is not None else value
        for name, value in zip(_GAME_COLUMNS, row, strict=True)
    ]
    return Game.from_db(connection.alias, _GAME_COLUMNS, values)


def _loaded(game: Game, command_id: UUID | None) -> tuple[Table, Told | None]:
    table = recall(game.id)
    if table is None or not 0 < table.folded.version <= game.version:
        table = _unfolded(game)
    newer, told = _read(game, table.folded.version, command_id)
    if not _follows(table, newer, game):
        table = _unfolded(game)
        newer, told = _read(game, 0, command_id)
        if not _follows(table, newer, game):
            raise ChainBroken(game.id, _broken_at(table, newer) or game.version)
    if newer or table.seating_revision != game.seating_revision:
        table = _newer(game, table, newer)
        if game.version:  # before the start the seed still hangs on who comes in
            remember(game.id, table)
    return table, told


def _newer(game: Game, table: Table, events: Sequence[StoredEvent]) -> Table:
    return Table(fold(table.folded, events), *_seating(game, table), table.server_seed)


def _unfolded(game: Game) -> Table:
    server_seed = server_seed_of(game.id)
    folded = begin(chain.genesis(game.id), _game_seed(game, server_seed))
    return Table(folded, (), -1, server_seed)


def _read(game: Game, after: int, command_id: UUID | None) -> tuple[tuple[StoredEvent, ...], Told | None]:
    """The events after a version up to the row's, and those of the command, in one statement (or none)."""
    if command_id is None and after == game.version:
        return (), None
    with connection.cursor() as cursor:
        cursor.execute(_NEWER_AND_COMMAND, (game.id, after, game.version, game.id, after, command_id))
        rows = cursor.fetchall()
    try:
        events = _events(game.id, rows)
    except LogUnreadable as unreadable:
        if game.frozen_at is None:
            raise
        raise ChainBroken(game.id, unreadable.version) from unreadable  # it was looked at, and told as frozen
    newer = tuple(event for event in events if event.version > after)
    return newer, _told(command_id, events, rows)


def _told(command_id: UUID | None, events: Iterable[StoredEvent], rows: Iterable[tuple[Any, ...]]) -> Told | None:
    own = tuple(event for event in events if event.command_id == command_id)
    if command_id is None or not own:
        return None
    digest = next(bytes(row[-1]) for row in rows if row[4] == command_id and row[-1] is not None)
    return Told(own, digest)


def _follows(table: Table, newer: Sequence[StoredEvent], game: Game) -> bool:
    """The fold and the newer events lead, hash by hash, to the head that the row names."""
    head = newer[-1].hash if newer else table.folded.hash
    length = table.folded.version + len(newer)
    return (length, head) == (game.version, bytes(game.head_hash)) and _broken_at(table, newer) is None


def _broken_at(table: Table, events: Sequence[StoredEvent]) -> int | None:
    """The version at which an event does not follow on the one before, the fold's head being before the first."""
    version, head = table.folded.version, table.folded.hash
    for stored in events:
        version += 1
        head = hash_of(head, table.server_seed, stored)
        if (stored.version, stored.hash) != (version, head):
            return version
    return None


def hash_of(previous: bytes, server_seed: bytes, stored: StoredEvent) -> bytes:
    """What the hash of this event must be when it follows on ``previous``."""
    canonical = chain.canonical_event(
        version=stored.version,
        event_type=stored.type,
        schema=stored.schema,
        data=stored.data,
        actor=stored.actor,
        at=timestamp(stored.recorded_at),
    )
    return chain.event_hash(previous, chain.salt(server_seed, stored.version), canonical)


def _seating(game: Game, table: Table) -> tuple[tuple[Seated, ...], int]:
    if table.seating_revision == game.seating_revision:
        return table.seating, table.seating_revision
    rows = SeatRow.objects.filter(game_id=game.id, until_version=None).order_by("seat")
    seating = rows.values_list("seat", "player_id", "bot", "auto_accept", "player__bot")
    return tuple(
        Seated(Seat(seat), player, bot, accepts, bool(program)) for seat, player, bot, accepts, program in seating
    ), game.seating_revision


def server_seed_of(game_id: UUID) -> bytes:
    """The server's seed, which nobody else is told before the end. GameNotFound."""
    found = GameSecret.objects.filter(game_id=game_id).values_list("server_seed", flat=True).first()
    if found is None:
        raise GameNotFound(game_id)
    return bytes(found)


def _game_seed(game: Game, server_seed: bytes) -> bytes:
    """The seed hangs on those who sat at the start, whoever sits there now."""
    digests = [chain.entropy_digest(entropy) for entropy in first_entropies(game)]
    return chain.game_seed(server_seed, digests)


def first_entropies(game: Game) -> tuple[bytes, ...]:
    """The entropy of each seat in order, as it was at the start; empty for bots and those who gave none."""
    rows = SeatRow.objects.filter(game_id=game.id, from_version=0).order_by("seat")
    return tuple(bytes(entropy) for entropy in rows.values_list("entropy", flat=True))


# ---- appending


def append(
    *, locked: Locked, events: Sequence[NewEvent], command_id: UUID, digest: bytes, now: int
) -> tuple[tuple[StoredEvent, ...], Table]:
    """Write the events of one command in one statement; the game must be locked by this transaction.

    ``now`` is the time in milliseconds since 1970 UTC, not before the last event's. Returns what was written,
    and the table after it. The row's summary is for `projections` to write, in the same transaction.
    """
    stored = _chained(locked, events, command_id, now)
    _insert(locked.game.id, stored, command_id, digest)
    table = locked.table
    return stored, Table(fold(table.folded, stored), table.seating, table.seating_revision, table.server_seed)


def _chained(locked: Locked, events: Sequence[NewEvent], command_id: UUID, now: int) -> tuple[StoredEvent, ...]:
    head, version = locked.table.folded.hash, locked.table.folded.version
    recorded_at = moment(now)
    stored = []
    for ordinal, (event, actor) in enumerate(events):
        version += 1
        encoded = codec.encode(event)
        draft = StoredEvent(version, *encoded, event, actor, recorded_at, b"", command_id, ordinal)
        head = hash_of(head, locked.table.server_seed, draft)
        stored.append(draft._replace(hash=head))
    return tuple(stored)


def _insert(game_id: UUID, stored: Sequence[StoredEvent], command_id: UUID, digest: bytes) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            _INSERT,
            (
                game_id,
                command_id,
                stored[0].recorded_at,
                digest,
                [event.version for event in stored],
                [event.type for event in stored],
                [event.schema for event in stored],
                [json.dumps(event.data) for event in stored],
                [event.ordinal for event in stored],
                [event.actor for event in stored],
                [event.hash for event in stored],
            ),
        )


def _events(game_id: UUID, rows: Iterable[tuple[Any, ...]]) -> tuple[StoredEvent, ...]:
    return tuple(_stored(game_id, row) for row in rows)


def _stored(game_id: UUID, row: tuple[Any, ...]) -> StoredEvent:
    version, event_type, schema, text, command_id, ordinal, actor, recorded_at, event_hash, _digest = row
    data = json.loads(text)
    try:
        event = codec.decode(event_type, schema, data)
    except ValueError as unknown:
        raise LogUnreadable(game_id, version) from unknown
    return StoredEvent(
        version, event_type, schema, data, event, actor, recorded_at, bytes(event_hash), command_id, ordinal
    )


_GAME_COLUMNS: Final = tuple(field.attname for field in Game._meta.concrete_fields)
_JSON_COLUMNS: Final = frozenset(field.attname for field in Game._meta.concrete_fields if isinstance(field, JSONField))

_GAME: Final = "SELECT {} FROM games_game WHERE id = %s".format(  # noqa: S608  # our own column names
    ", ".join(f'"{field.column}"' for field in Game._meta.concrete_fields)
)

# The pauses between the spells of watching since the clock began to count, and the pause that lasts now.
_LOST: Final = """
    SELECT floor(1000 * extract(epoch FROM
        coalesce((SELECT sum(began_at - greatest(down_since, %(since)s)) FROM games_watch
            WHERE began_at > %(since)s AND down_since IS NOT NULL), interval '0')
        + coalesce((SELECT clock_timestamp() - greatest(max(last_at), %(since)s) FROM games_watch
            HAVING clock_timestamp() - max(last_at) > interval '5 seconds'), interval '0')))
"""

_COLUMNS: Final = "version, type, schema, data::text, command_id, ordinal, actor, recorded_at, hash, digest"

# Two index scans; with OR the planner may walk the whole game.
_NEWER_AND_COMMAND: Final = f"""
    SELECT {_COLUMNS} FROM games_gameevent WHERE game_id = %s AND version > %s AND version <= %s
    UNION ALL
    SELECT {_COLUMNS} FROM games_gameevent WHERE game_id = %s AND version <= %s AND command_id = %s
    ORDER BY version
"""  # noqa: S608  # our own column names

_INSERT: Final = """
    INSERT INTO games_gameevent
        (game_id, command_id, recorded_at, digest, version, type, schema, data, ordinal, actor, hash)
    SELECT %s, %s, %s, CASE WHEN ordinal = 0 THEN %s END, version, type, schema, data, ordinal, actor, hash
    FROM unnest(%s::int[], %s::text[], %s::smallint[], %s::jsonb[], %s::smallint[], %s::text[], %s::bytea[])
        AS new (version, type, schema, data, ordinal, actor, hash)
"""
