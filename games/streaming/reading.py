"""What the stream process reads, by psycopg's own pool: Django's ORM would hold up every stream.

What belongs together is read in one statement, hence in one snapshot: no event is shown by the seating of before it.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar
from uuid import UUID

from django.db import connection
from psycopg import AsyncConnection, OperationalError
from psycopg.rows import tuple_row
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from games.clock import moment
from games.fold import StoredEvent
from games.models import Game
from games.models import Seat as SeatRow
from games.rules import codec
from players.models import Player

T = TypeVar("T")
logger = logging.getLogger(__name__)

CONNECTIONS: Final = 4
PAGE: Final = 200
"""Events that are read and folded at once, so that no other stream waits longer than for these."""
_ATTEMPTS: Final = 3
_REST_SECONDS: Final = 0.3


class Known(NamedTuple):
    """What is known of a game that is to be read: nothing is told unless one of them has changed."""

    game_id: UUID
    version: int
    lobby_revision: int = -1
    seating_revision: int = -1
    frozen: bool = False


class Read(NamedTuple):
    """A game's row with its seating, and the events after the version that was known, of one snapshot.

    ``broken``: some of the events are none of ours; then none of them is given.
    """

    game: Game
    events: tuple[StoredEvent, ...]
    broken: bool = False


class Reader:
    """A few connections, opened when first needed and again after they broke."""

    def __init__(self) -> None:
        self._pool: AsyncConnectionPool[AsyncConnection[tuple[Any, ...]]] = AsyncConnectionPool(
            kwargs={**_connection(), "autocommit": True, "row_factory": tuple_row},
            min_size=1,
            max_size=CONNECTIONS,
            timeout=3,
            max_idle=300,
            open=False,
            name="streams",
        )

    async def open(self) -> None:
        """Begin to connect; that goes on by itself, also if the database comes up later."""
        await self._pool.open()

    async def close(self) -> None:
        """Let the connections go."""
        await self._pool.close(timeout=1)

    async def rows(self, statement: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        """The rows of a statement that only reads. It is tried again on a new connection if the old one broke."""
        return await self._again(lambda connection: _rows(connection, statement, values))

    async def games(self, known: Iterable[Known], *, limit: int = PAGE) -> list[Read]:
        """The games that have changed since, each with at most ``limit`` events more than are known."""
        wanted = list(known)
        columns = [list(column) for column in zip(*wanted, strict=True)] or [[], [], [], [], []]
        found = await self.rows(_GAMES, (limit, *columns))
        return [_read(row) for row in found]

    async def game(self, game_id: UUID, *, after: int = 0, limit: int = 0) -> Read | None:
        """The game, whether it has changed or not; None if there is none."""
        found = await self.games([Known(game_id, after)], limit=limit)
        return found[0] if found else None

    async def _again(self, read: Callable[[AsyncConnection[tuple[Any, ...]]], Awaitable[T]]) -> T:
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                async with self._pool.connection() as connection:
                    return await read(connection)
            except (OperationalError, PoolTimeout):
                if attempt == _ATTEMPTS:
                    raise
                await asyncio.sleep(_REST_SECONDS)
        raise AssertionError


async def _rows(
    connection: AsyncConnection[tuple[Any, ...]], statement: str, values: Sequence[Any]
) -> list[tuple[Any, ...]]:
    cursor = await connection.execute(statement, values)
    return await cursor.fetchall()


def _connection() -> Mapping[str, Any]:
    """Django's own settings of the database, as psycopg spells them."""
    found = connection.settings_dict
    names = {"dbname": "NAME", "user": "USER", "password": "PASSWORD", "host": "HOST", "port": "PORT"}
    values = {name: found[key] for name, key in names.items() if found[key]}
    options = {name: value for name, value in found["OPTIONS"].items() if name not in ("pool", "assume_role")}
    return {**options, **values, "application_name": "taki streams"}


def _read(row: tuple[Any, ...]) -> Read:
    game = _game(row)
    try:
        return Read(game, _events(row[-1]))
    except ValueError as unknown:  # tampered with, or of a newer release: that stops no other game
        logger.error("the log of game %s cannot be read: %s", game.pk, unknown)
        return Read(game, (), broken=True)


def _game(row: tuple[Any, ...]) -> Game:
    game = Game.from_db("default", _GAME_COLUMNS, list(row[: len(_GAME_COLUMNS)]))
    seating = [_seat(game.pk, **seated) for seated in row[-2]]
    game._prefetched_objects_cache = {"seating": _Listed(seating)}  # type: ignore[attr-defined]  # as prefetch does
    return game


def _seat(
    game_id: UUID, seat: int, player: str | None, bot: str, name: str | None, guest: bool | None, program: bool | None
) -> SeatRow:
    sitting = SeatRow(game_id=game_id, seat=seat, bot=bot)
    sitting.player = None
    if player is not None:
        sitting.player = Player(id=UUID(player), name=name or "", guest=bool(guest), bot=bool(program))
    return sitting


class _Listed(list[SeatRow]):
    """What a manager's `all()` gives for rows that were read along."""

    def all(self) -> "_Listed":
        """The rows."""
        return self


def _events(listed: Iterable[Sequence[Any]]) -> tuple[StoredEvent, ...]:
    return tuple(
        StoredEvent(version, kind, schema, data, codec.decode(kind, schema, data), actor, moment(at), b"", _NO_ID, 0)
        for version, kind, schema, data, actor, at in listed
    )


_NO_ID: Final = UUID(int=0)
_GAME_COLUMNS: Final = tuple(field.attname for field in Game._meta.concrete_fields)
_GAME_NAMES: Final = ", ".join(f'game."{field.column}"' for field in Game._meta.concrete_fields)

# The id of no event is told here, nor its hash: they are nobody's business who follows.
_GAMES: Final = f"""
    SELECT {_GAME_NAMES},
        (SELECT coalesce(json_agg(json_build_object('seat', seated.seat, 'player', seated.player_id, 'bot', seated.bot,
                'name', player.name, 'guest', player.guest, 'program', player.bot) ORDER BY seated.seat), '[]')
            FROM games_seat seated LEFT JOIN players_player player ON player.id = seated.player_id
            WHERE seated.game_id = game.id AND seated.until_version IS NULL),
        (SELECT coalesce(json_agg(json_build_array(version, type, schema, data, actor,
                floor(1000 * extract(epoch FROM recorded_at))::bigint) ORDER BY version), '[]')
            FROM (SELECT * FROM games_gameevent event
                WHERE event.game_id = game.id AND event.version > known.version AND event.version <= game.version
                ORDER BY event.version LIMIT %s) newer)
    FROM unnest(%s::uuid[], %s::int[], %s::int[], %s::int[], %s::bool[]) AS known (id, version, lobby, seating, frozen)
    JOIN games_game game ON game.id = known.id
    WHERE (game.version, game.lobby_revision, game.seating_revision, game.frozen_at IS NOT NULL)
        <> (known.version, known.lobby, known.seating, known.frozen)
"""  # noqa: S608  # our own column names
