"""From a folded log to the summary in the game's row. The only writer of the row's derived columns."""

from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import connection, transaction
from psycopg.types.json import Jsonb

from games import clock
from games.clock import moment
from games.fold import Folded
from games.models import Game, Phase
from games.rules.cards import Seat
from games.store import limits_of, reread
from games.table import Table


class Summary(NamedTuple):
    """The derived columns of `Game`, by their names. It hangs on the log and the table's settings alone."""

    phase: str
    version: int
    head_hash: bytes
    first_seat: int | None
    turn: int | None
    direction: int | None
    cards: list[int]
    stages: list[int]
    left: list[int]
    away: list[int]
    banks: list[int]
    deadline: datetime | None
    clock_from: datetime | None
    stop_at: datetime | None
    bot_due_at: datetime | None
    winner: int | None
    ranking: list[dict[str, int]] | None
    started_at: datetime | None
    ended_at: datetime | None


def summary(table: Table, limits: clock.Limits) -> Summary:
    """The summary of a game that has started."""
    folded = table.folded
    state, times = folded.state, folded.clock
    due = clock.bots_due(times, state, table.bots, limits, paced=table.paced)
    return Summary(
        phase=_phase(folded),
        version=folded.version,
        head_hash=folded.hash,
        first_seat=folded.first,
        turn=state.turn,
        direction=state.direction,
        cards=[len(hand) for hand in state.hands],
        stages=list(state.stages),
        left=list(state.left),
        away=list(times.away),
        banks=_banks(times, state.seats, limits),
        deadline=_moment(times.deadline),
        clock_from=_moment(clock.lost_from(times, limits)),
        stop_at=_moment(clock.stop_time(times, limits)),
        bot_due_at=_moment(clock.bot_overdue_at(due, state, paced=table.paced)),
        winner=state.winner,
        ranking=_ranking(folded),
        started_at=_moment(times.started_at or None),
        ended_at=_moment(times.ended_at or None),
    )


def project(*, game: Game, table: Table) -> None:
    """Write the summary to the game's row, and to ``game``. The row must be locked by this transaction."""
    derived = summary(table, limits_of(game))
    with connection.cursor() as cursor:
        cursor.execute(_UPDATE, (*derived._replace(ranking=_json(derived.ranking)), game.pk))
    for name, value in zip(Summary._fields, derived, strict=True):
        setattr(game, name, value)


def rebuild(*, game_id: UUID, check: bool = False) -> tuple[str, ...]:
    """Fold the whole log anew and write the summary; the names of the columns that differed.

    With ``check`` nothing is written. A game without a log has nothing derived: (). GameNotFound; ChainBroken
    when an event's hash is not what the chain says.
    """
    with transaction.atomic():
        game, table = reread(game_id=game_id)
        if not table.folded.version:
            return ()
        columns = differing(game=game, table=table)
        if columns and not check:
            project(game=game, table=table)
        return columns


def differing(*, game: Game, table: Table, but: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """The names of the row's derived columns, those in ``but`` left out, that are not what the log comes to."""
    rebuilt = summary(table, limits_of(game))._asdict()
    return tuple(name for name, value in rebuilt.items() if name not in but and value != _stored(game, name))


def _stored(game: Game, name: str) -> object:
    value = getattr(game, name)
    return bytes(value) if isinstance(value, memoryview) else value


def _phase(folded: Folded) -> str:
    if folded.aborted:
        return Phase.ABORTED.value
    return Phase.FINISHED.value if folded.state.over else Phase.PLAYING.value


def _banks(times: clock.Clock, seats: int, limits: clock.Limits) -> list[int]:
    if limits.turn_seconds is None:
        return []
    return [clock.bank_of(times, Seat(seat), limits) for seat in range(seats)]


def _ranking(folded: Folded) -> list[dict[str, int]] | None:
    rows = [{"rank": p.rank, "seat": p.seat, "cards": p.cards, "stage": p.stage} for p in folded.ranking]
    return rows or None


def _json(value: object) -> Any:
    return None if value is None else Jsonb(value)


def _moment(at: int | None) -> datetime | None:
    return None if at is None else moment(at)


# Written by hand: building the query anew for each move costs more than running it (tests/bench).
_UPDATE: Final = "UPDATE games_game SET {} WHERE id = %s".format(  # noqa: S608  # our own column names
    ", ".join(f'"{name}" = %s' for name in Summary._fields)
)
