"""What follows by itself: results come in, rounds are seated, games begin, those who are out leave them.

Each step is its own short transaction under the tournament's lock and hangs on the log and the games alone. So it may
be done at any time, by several at once, or again after a crash at any instant: nothing is lost and nothing doubled.
"""

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.db import transaction

from games.errors import WrongPhase
from games.rules.cards import Seat
from games.services import (
    SystemActor,
    game_give_up,
    game_open,
    game_start,
    game_stop,
    seat_replace,
    seat_resign,
)
from players.models import Player
from tournaments import store
from tournaments.errors import TournamentNotFound
from tournaments.models import Entry, TournamentTable
from tournaments.results import result_of
from tournaments.rules import (
    AbortTable,
    Act,
    FinishTable,
    OpenTable,
    Phase,
    Refused,
    State,
    Table,
    TableNo,
    TableStatus,
    advance,
    decide,
)
from tournaments.rules.events import THE_CLOCK
from tournaments.rules.terms import LEAST_SEATS
from tournaments.settings import game_settings
from tournaments.store import Locked

logger = logging.getLogger(__name__)

MOST_TABLES: Final = 50
"""How many tables one call looks after; the rest is left to the next."""
SERVER: Final = SystemActor("server")
_PLAYING, _FINISHED = "playing", "finished"
_GIVEN_UP: Final = frozenset({TableStatus.VOID, TableStatus.ABORTED, TableStatus.FINISHED, TableStatus.SEATED})


@dataclass(frozen=True, slots=True)
class Advanced:
    """How many steps were taken; ``more``: there is more to do at once, by another call."""

    steps: int
    more: bool


def tournament_advance(*, tournament_id: UUID, most_tables: int = MOST_TABLES) -> Advanced:
    """Do everything that follows by itself now. A table's fault is logged, and does not keep the others waiting."""
    steps, tables, failed = 0, 0, set[int]()
    while True:
        taken, waiting = _take_steps(tournament_id)
        steps += taken
        todo = [number for number in waiting if number not in failed]
        if not todo:
            return Advanced(steps, more=False)
        for number in todo:
            if tables == most_tables:
                return Advanced(steps, more=True)
            tables += 1
            if _looked_after(tournament_id, TableNo(number)):
                steps += 1
            else:
                failed.add(number)


def _take_steps(tournament_id: UUID) -> tuple[int, tuple[int, ...]]:
    """Note the games that are over and take the steps that follow; how many, and the tables to be looked after."""
    with transaction.atomic():
        try:
            locked = store.lock(tournament_id=tournament_id)
        except TournamentNotFound:
            return 0, ()
        games = _games(tournament_id)
        running = [game for game in games if not _note_end(locked, game)]
        locked.add(advance(locked.state, now=locked.now(), seed=store.seed_of(tournament_id)))
        todo = tuple(_to_look_after(locked.state, running))
        steps = len(locked.new)
        if steps or (not todo and locked.tournament.advanced_to != locked.state.version):
            store.write(locked, done=not todo)
        return steps, todo


def _looked_after(tournament_id: UUID, number: TableNo) -> bool:
    try:
        with transaction.atomic():
            _look_after(store.lock(tournament_id=tournament_id), number)
    except Exception:
        logger.exception("table %s of tournament %s could not be looked after", number, tournament_id)
        return False
    return True


@dataclass(frozen=True, slots=True)
class _Game:
    """An unsettled game of a table, as it is now; ``left``: the seats that left it."""

    row_id: UUID
    number: TableNo
    attempt: int
    lineup: list[int]
    game_id: UUID
    phase: str
    version: int
    left: list[int]


def _games(tournament_id: UUID, number: TableNo | None = None) -> list[_Game]:
    rows = TournamentTable.objects.filter(tournament_id=tournament_id, settled=False).order_by("number", "attempt")
    if number is not None:
        rows = rows.filter(number=number)
    fields = rows.values_list(
        "pk", "number", "attempt", "lineup", "game_id", "game__phase", "game__version", "game__left"
    )
    return [_Game(pk, TableNo(table), *rest) for pk, table, *rest in fields]  # type: ignore[arg-type]  # as named above


# ---- games that are over


def _note_end(locked: Locked, game: _Game) -> bool:
    """Put the end of a game into the log, once; False if it is not over. One that no longer counts is passed over."""
    if game.phase == _PLAYING:
        return False
    act: Act = AbortTable(game.number, game.attempt)
    if game.phase == _FINISHED:
        seats = locked.state.table(game.number).seats
        act = FinishTable(game.number, game.attempt, result_of(game.game_id, game.version, seats))
    _add(locked, act)
    TournamentTable.objects.filter(pk=game.row_id).update(settled=True)
    return True


def _add(locked: Locked, act: Act) -> bool:
    """An act of the server's; False if the rules no longer want it."""
    try:
        locked.add(decide(locked.state, act, by=THE_CLOCK, at=locked.now()))
    except Refused as refused:
        logger.info("tournament %s: %s was refused: %s", locked.tournament.pk, act, refused)
        return False
    return True


# ---- tables to be looked after


def _to_look_after(state: State, games: Iterable[_Game]) -> Iterator[int]:
    """The tables whose game is to be opened, or is not as the state wants it."""
    yield from (table.number for table in _to_open(state))
    yield from (game.number for game in games if _unlike(state, game))


def _to_open(state: State) -> Iterator[Table]:
    if state.phase is Phase.RUNNING and state.latest is not None:
        for table in state.tables_of(state.latest):
            if table.status is TableStatus.SEATED and len(table.staying) >= LEAST_SEATS:
                yield table


def _given_up(state: State, game: _Game) -> bool:
    """The game no longer counts: its table was set up anew, settled otherwise or undone, or the tournament is over."""
    table = state.table(game.number)
    return state.over or table.attempt != game.attempt or table.status in _GIVEN_UP


def _unlike(state: State, game: _Game) -> bool:
    table = state.table(game.number)
    return (
        _given_up(state, game)
        or table.status is TableStatus.ENDING
        or bool(_to_resign(table, game))
        or _lineup(state, table) != game.lineup
    )


def _to_resign(table: Table, game: _Game) -> list[Seat]:
    return [Seat(seat) for seat in _seats_out(table) if seat not in game.left]


def _seats_out(table: Table) -> list[int]:
    return [seat for seat, entry in enumerate(table.seats) if table.has_left(entry)]


def _lineup(state: State, table: Table) -> list[int]:
    entries = [state.entry(number) for number in table.seats]
    return [2 * entry.holder + entry.bot for entry in entries]


def _look_after(locked: Locked, number: TableNo) -> None:
    """Make the table's games what the state wants them to be; what was seen before the lock is looked at anew."""
    state = locked.state
    for game in _games(locked.tournament.pk, number):
        if game.phase == _PLAYING:
            _bring_into_line(locked, game)
    if any(table.number == number for table in _to_open(state)):
        _open(locked, state.table(number))
        store.write(locked)


def _bring_into_line(locked: Locked, game: _Game) -> None:
    state, table = locked.state, locked.state.table(game.number)
    if _given_up(state, game):
        _give_up(game)
        TournamentTable.objects.filter(pk=game.row_id).update(settled=True)
        return
    if table.status is TableStatus.ENDING:
        game_stop(game_id=game.game_id)
        return
    _reseat(locked, table, game)
    for seat in _to_resign(table, game):
        seat_resign(game_id=game.game_id, seat=seat)


def _give_up(game: _Game) -> None:
    """A frozen game takes no end: it rests as it is, and its table goes on without it."""
    try:
        game_give_up(game_id=game.game_id, reason=f"table {game.number}, attempt {game.attempt}: does not count")
    except WrongPhase as refused:
        if refused.code != "frozen":
            raise


def _reseat(locked: Locked, table: Table, game: _Game) -> None:
    wanted = _lineup(locked.state, table)
    if wanted == game.lineup:
        return
    sitting = _occupants(locked, table)
    for seat, (new, old) in enumerate(zip(wanted, game.lineup, strict=True)):
        whom = sitting[seat]
        if new == old or seat in game.left:
            continue
        if isinstance(whom, Player):
            seat_replace(game_id=game.game_id, seat=Seat(seat), player=whom)
        else:
            seat_replace(game_id=game.game_id, seat=Seat(seat), bot=whom)
    TournamentTable.objects.filter(pk=game.row_id).update(lineup=wanted)


def _open(locked: Locked, table: Table) -> None:
    """Game, row and event come to be together or not at all."""
    tournament, state = locked.tournament, locked.state
    kind, seats = state.terms.table_kind, len(table.seats)
    settings = game_settings(tournament, kind=kind, table=table.number, seats=seats)
    game = game_open(settings=settings, seating=_occupants(locked, table))
    TournamentTable.objects.create(
        tournament=tournament,
        number=table.number,
        attempt=table.attempt,
        game_id=game.pk,
        lineup=_lineup(state, table),
    )
    game_start(game_id=game.pk, actor=SERVER)
    for seat in _seats_out(table):
        seat_resign(game_id=game.pk, seat=Seat(seat))
    _add(locked, OpenTable(table.number, table.attempt))


def _occupants(locked: Locked, table: Table) -> list[Player | str]:
    """For each seat the player, or the level of the bot that plays for one that is absent, out or erased."""
    rows = Entry.objects.filter(tournament=locked.tournament, number__in=table.seats).select_related("player")
    players: dict[int, Any] = {entry.number: None if entry.bot else entry.player for entry in rows}
    out = {leaver.entry for leaver in table.out}
    level = locked.tournament.bot_level
    return [(players.get(number) if number not in out else None) or level for number in table.seats]
