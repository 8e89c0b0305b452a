"""The server's own check of a game, running or over: the log as any auditor checks it, and the tables around it.

It reads one snapshot of the database, so a game that is being moved in is judged as it was at one moment, and nobody
waits for it.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, NamedTuple
from uuid import UUID

from django.db import connection, transaction

from games import chain, store
from games.audit.seal import seal_problem
from games.audit.verify import Forged, Line, Unreadable, Verified, verify_log
from games.audit.verify.chaining import Entry
from games.clock import Clock, tick, timestamp
from games.errors import GameNotFound
from games.fold import Folded
from games.models import Game, GameCheck, Phase
from games.projections import differing
from games.rules.ruleset import Ruleset
from games.services.freezing import game_freeze
from games.table import Table

MOST_PROBLEM: Final = 300
PORTION: Final = 1000
UNSETTLED: Final = frozenset({"bot_due_at"})
"""Not compared: it hangs on a setting of the server, too."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check came to: ``problem`` is the first thing that does not fit, None when the log verifies.

    ``unjudged``: it could not be judged by this server (a later version of the rules, say), which proves nothing.
    ``differing``: columns of the summary that the log contradicts; `games_rebuild` writes them anew.
    """

    ok: bool
    problem: str | None
    version: int
    checked_at: datetime
    differing: tuple[str, ...] = ()
    unjudged: bool = False


def game_check(*, game_id: UUID, freeze: bool = True) -> Checked:
    """Check the game, remember the outcome, and freeze the game when it does not verify. GameNotFound.

    While the game runs, ``problem`` names the version and the kind of fault, and nothing that a seat may not know.
    """
    with _snapshot():
        checked = _look(game_id)
    _remember(game_id, checked)
    if checked.problem is not None and not checked.unjudged and freeze:
        game_freeze(game_id=game_id, reason=checked.problem)
    return checked


@contextmanager
def _snapshot() -> Iterator[None]:
    with transaction.atomic():
        if not connection.savepoint_ids:  # the outermost transaction has begun here
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def _look(game_id: UUID) -> Checked:
    game = Game.objects.filter(pk=game_id).first()
    if game is None:
        raise GameNotFound(game_id)
    now = datetime.now(UTC)
    try:
        columns = _verified(game)
    except Unreadable as unreadable:
        return Checked(False, _told(game, unreadable), game.version, now, unjudged=True)
    except Forged as forged:
        return Checked(False, _told(game, forged), game.version, now)
    return Checked(True, None, game.version, now, columns)


def _told(game: Game, forged: Forged) -> str:
    """The problem; what was found and expected may show cards, so only of a game that is over."""
    if game.phase in (Phase.FINISHED, Phase.ABORTED):
        return str(forged)[:MOST_PROBLEM]
    return (f"version {forged.version}: {forged.what}" if forged.version else forged.what)[:MOST_PROBLEM]


def _remember(game_id: UUID, checked: Checked) -> None:
    row = GameCheck(
        game_id=game_id,
        ok=checked.ok,
        problem=checked.problem or "",
        version=checked.version,
        differing=" ".join(checked.differing)[:MOST_PROBLEM],
        checked_at=checked.checked_at,
    )
    columns = ["ok", "problem", "version", "differing", "checked_at"]
    GameCheck.objects.bulk_create([row], update_conflicts=True, unique_fields=["game"], update_fields=columns)


# ---- the check


class _Watched:
    """Keeps the time of a log that goes by."""

    def __init__(self) -> None:
        self.clock = Clock()

    def __call__(self, entry: Entry) -> None:
        self.clock = tick(self.clock, entry.event, entry.version, entry.at, entry.actor)


def _verified(game: Game) -> tuple[str, ...]:
    """The columns of the summary that differ from a log that holds. Forged, Unreadable."""
    server_seed = _seed(game)
    _require(chain.commitment(server_seed).hex() == game.commitment, "the seed kept is not the one committed to")
    lines = _lines(game.pk)
    first = next(lines, None)
    if first is None:
        _require(game.version == 0 and game.phase in (Phase.LOBBY, Phase.ABORTED), "the log is gone")
        return ()
    watched = _Watched()
    verified = verify_log(
        _again(first, lines), game_id=game.pk, server_seed=server_seed, limits=store.limits_of(game), watch=watched
    )
    _require_row(game, verified)
    problem = seal_problem(game_id=game.pk, verified=verified)
    _require(problem is None, problem or "")
    table = Table(_folded(verified, watched.clock), (), 0, server_seed)
    return differing(game=game, table=table, but=UNSETTLED)


def _seed(game: Game) -> bytes:
    try:
        return store.server_seed_of(game.pk)
    except GameNotFound:
        raise Forged("the seed kept for it is gone") from None


def _require_row(game: Game, verified: Verified) -> None:
    """What the row says of the game beside the log must be what the log began with, and ends with."""
    where = verified.version
    _require(game.version == where, "the log is shorter or longer than it was", where)
    _require(bytes(game.head_hash) == verified.head_hash, "the head is not the one that was noted", where)
    _require(game.commitment == verified.commitment, "the commitment is not the published one", 2)
    digests = tuple(chain.entropy_digest(entropy).hex() for entropy in store.first_entropies(game))
    _require(digests == verified.entropy, "the entropy is not what the seats gave", 2)
    _require(game.seats == verified.state.seats, "the table has another number of seats", 1)
    _require(Ruleset.from_mapping(game.house_rules) == verified.rules, "the table has other house rules", 1)


def _folded(verified: Verified, clock: Clock) -> Folded:
    return Folded(
        verified.version,
        verified.head_hash,
        verified.state,
        clock,
        verified.first,
        verified.ranking,
        verified.aborted,
    )


def _require(holds: bool, what: str, version: int = 0) -> None:
    if not holds:
        raise Forged(what, version=version)


def _again(first: Line, rest: Iterator[Line]) -> Iterator[Line]:
    yield first
    yield from rest


def _lines(game_id: UUID) -> Iterator[Line]:
    """The stored rows as an export would have them, read in portions; nothing of them is believed yet."""
    game, after = str(game_id), 0
    while rows := _rows(game_id, after):
        for row in rows:
            data = json.loads(row.data)
            _require(type(data) is dict, "the data are no object", row.version)
            yield Line(
                game,
                row.version,
                row.type,
                row.schema,
                data,
                row.actor,
                timestamp(row.recorded_at),
                bytes(row.hash).hex(),
                number=row.version,
            )
        after = rows[-1].version


class _Row(NamedTuple):
    version: int
    type: str
    schema: int
    data: str
    actor: str
    recorded_at: datetime
    hash: bytes


def _rows(game_id: UUID, after: int) -> list[_Row]:
    with connection.cursor() as cursor:
        cursor.execute(_ROWS, (game_id, after, PORTION))
        return [_Row(*row) for row in cursor.fetchall()]


_ROWS: Final = (
    "SELECT version, type, schema, data::text, actor, recorded_at, hash FROM games_gameevent"
    " WHERE game_id = %s AND version > %s ORDER BY version LIMIT %s"
)
