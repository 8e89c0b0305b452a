"""The log: lock a tournament, load what it folds to, add to it. The only writer of `TournamentEvent`.

A process keeps the states of the tournaments it saw last, so that an act reads only events it has not seen. The cache
is never trusted: the last event it knows must be the one that is stored, under the tournament's lock.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID

from django.db import connection, transaction
from psycopg.types.json import Jsonb

from tournaments import projections
from tournaments.errors import TournamentNotFound
from tournaments.models import Tournament, TournamentEvent, TournamentSecret, new_id
from tournaments.rules import Logged, State, codec, evolve
from tournaments.rules.state import NOT_CREATED

CACHED: Final = 64
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)


class Line(NamedTuple):
    """One row of the log."""

    version: int
    logged: Logged
    type: str
    data: codec.Data
    command_id: UUID
    ordinal: int
    digest: bytes | None


class _Seen(NamedTuple):
    """A state, and by what its last event is known again."""

    state: State
    last: tuple[UUID | None, int] | None
    at: int


class Locked:
    """A tournament whose row this transaction holds, its state, and the lines that are still to be written.

    ``told``: the lines of the command asked about, if it is in the log.
    """

    def __init__(self, tournament: Tournament, seen: _Seen, told: tuple[Line, ...]) -> None:
        self.tournament = tournament
        self.state = seen.state
        self.before = seen.state
        self.told = told
        self.new: list[Logged] = []
        self._last_at = seen.at

    @classmethod
    def created(cls, tournament: Tournament) -> "Locked":
        """A tournament that nobody else knows of yet."""
        return cls(tournament, _NOTHING, ())

    def now(self) -> int:
        """The time in ms since 1970 UTC; never before the last line's, however the clock is set."""
        return max(time.time_ns() // 1_000_000, self._last_at)

    def add(self, lines: Iterable[Logged]) -> None:
        """Lines that `write` is to write; the state follows at once."""
        for line in lines:
            self.state = evolve(self.state, line)
            self.new.append(line)
            self._last_at = max(self._last_at, line.at)


# ---- time


def moment(at: int) -> datetime:
    """The instant of so many milliseconds since 1970 UTC."""
    return _EPOCH + at * _MILLISECOND


def milliseconds(instant: datetime) -> int:
    """Whole milliseconds since 1970 UTC."""
    return (instant - _EPOCH) // _MILLISECOND


# ---- reading


def lock(*, tournament_id: UUID, command_id: UUID | None = None) -> Locked:
    """Lock the tournament until the end of the transaction, and load its state. TournamentNotFound."""
    tournament = Tournament.objects.select_for_update(no_key=True).filter(pk=tournament_id).first()
    if tournament is None:
        raise TournamentNotFound(tournament_id)
    told = () if command_id is None else _lines(tournament_id, command_id=command_id)
    return Locked(tournament, _loaded(tournament), told)


def load(*, tournament_id: UUID) -> tuple[Tournament, State]:
    """The tournament and its state as they are now, without a lock. TournamentNotFound."""
    tournament = Tournament.objects.filter(pk=tournament_id).first()
    if tournament is None:
        raise TournamentNotFound(tournament_id)
    return tournament, state_of(tournament)


def state_of(tournament: Tournament) -> State:
    """The state at the version of this row."""
    return _loaded(tournament).state


def log(*, tournament_id: UUID, after: int = 0, until: int | None = None, limit: int | None = None) -> tuple[Line, ...]:
    """The lines after a version (exclusive), ascending, up to a version (inclusive), at most ``limit``."""
    return _lines(tournament_id, after=after, until=until, limit=limit)


def seed_of(tournament_id: UUID) -> bytes:
    """The seed, which nobody is told before the end. TournamentNotFound."""
    seed = TournamentSecret.objects.filter(tournament_id=tournament_id).values_list("seed", flat=True).first()
    if seed is None:
        raise TournamentNotFound(tournament_id)
    return bytes(seed)


def _loaded(tournament: Tournament) -> _Seen:
    seen = _states.get(tournament.pk)
    if seen is None or seen.state.version > tournament.version:
        seen = _NOTHING
    if seen.state.version == tournament.version and seen.last == (tournament.last_command, tournament.last_ordinal):
        return seen
    lines = _lines(tournament.pk, after=max(0, seen.state.version - 1), until=tournament.version)
    if seen.state.version:
        if not lines or (lines[0].command_id, lines[0].ordinal) != seen.last:
            lines, seen = _lines(tournament.pk, until=tournament.version), _NOTHING
        else:
            lines = lines[1:]
    followed = _followed(seen, lines)
    # What this transaction reads may be its own, and still be undone.
    transaction.on_commit(lambda: _states.put(tournament.pk, followed))
    return followed


def _followed(seen: _Seen, lines: Sequence[Line]) -> _Seen:
    state, last, at = seen
    for line in lines:
        state, last, at = evolve(state, line.logged), (line.command_id, line.ordinal), line.logged.at
    return _Seen(state, last, at)


def _lines(
    tournament_id: UUID,
    *,
    after: int = 0,
    until: int | None = None,
    limit: int | None = None,
    command_id: UUID | None = None,
) -> tuple[Line, ...]:
    rows = TournamentEvent.objects.filter(tournament_id=tournament_id, version__gt=after).order_by("version")
    if until is not None:
        rows = rows.filter(version__lte=until)
    if command_id is not None:
        rows = rows.filter(command_id=command_id)
    return tuple(_line(row) for row in (rows if limit is None else rows[:limit]))


def _line(row: TournamentEvent) -> Line:
    event = codec.decode(codec.Encoded(row.type, row.schema, row.data))
    why = "" if row.reason_id is None else str(row.reason_id)
    logged = Logged(event, milliseconds(row.recorded_at), row.actor, why)
    digest = None if row.digest is None else bytes(row.digest)
    return Line(row.version, logged, row.type, row.data, row.command_id, row.ordinal, digest)


# ---- writing


def write(locked: Locked, *, command_id: UUID | None = None, digest: bytes = b"", done: bool = False) -> None:
    """Write the new lines in one statement, and the summaries that follow; the tournament must be locked.

    ``done``: everything that follows by itself has been done up to here.
    """
    command_id, tournament = command_id or new_id(), locked.tournament
    if locked.new:
        _insert(tournament, locked.before.version, locked.new, command_id, digest)
        tournament.last_command, tournament.last_ordinal = command_id, len(locked.new) - 1
    projections.project(tournament=tournament, before=locked.before, state=locked.state, lines=locked.new, done=done)
    seen = _Seen(locked.state, (tournament.last_command, tournament.last_ordinal), locked._last_at)
    locked.before, locked.new = locked.state, []
    transaction.on_commit(lambda: _states.put(tournament.pk, seen))


def _insert(tournament: Tournament, version: int, new: Sequence[Logged], command_id: UUID, digest: bytes) -> None:
    encoded = [codec.encode(line.event) for line in new]
    ordinals = range(len(new))
    with connection.cursor() as cursor:
        cursor.execute(
            _INSERT,
            (
                tournament.pk,
                command_id,
                digest,
                [version + 1 + ordinal for ordinal in ordinals],
                [event.type for event in encoded],
                [event.schema for event in encoded],
                [Jsonb(event.data) for event in encoded],
                list(ordinals),
                [line.by for line in new],
                [UUID(line.why) if line.why else None for line in new],
                [moment(line.at) for line in new],
            ),
        )


_INSERT: Final = """
    INSERT INTO tournaments_tournamentevent
        (tournament_id, command_id, digest, version, type, schema, data, ordinal, actor, reason_id, recorded_at)
    SELECT %s, %s, CASE WHEN ordinal = 0 THEN %s::bytea END,
        version, type, schema, data, ordinal, actor, reason_id, recorded_at
    FROM unnest(%s::int[], %s::text[], %s::smallint[], %s::jsonb[], %s::int[], %s::text[], %s::uuid[],
            %s::timestamptz[])
        AS new (version, type, schema, data, ordinal, actor, reason_id, recorded_at)
"""


# ---- the states seen last


class _States:
    """Safe among threads; holds only what was read from or committed to the log."""

    def __init__(self) -> None:
        self._states: OrderedDict[UUID, _Seen] = OrderedDict()
        self._guard = threading.Lock()

    def get(self, tournament_id: UUID) -> _Seen | None:
        with self._guard:
            return self._states.get(tournament_id)

    def put(self, tournament_id: UUID, seen: _Seen) -> None:
        with self._guard:
            self._states[tournament_id] = seen
            self._states.move_to_end(tournament_id)
            if len(self._states) > CACHED:
                self._states.popitem(last=False)

    def clear(self) -> None:
        with self._guard:
            self._states.clear()


_NOTHING: Final = _Seen(NOT_CREATED, None, 0)
_states: Final = _States()


def forget_all() -> None:
    """Empty this process's cache; costs time, never correctness."""
    _states.clear()
