"""Whom a tournament has something to tell by e-mail: their table is ready, they go on, they are out."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Final, NamedTuple
from uuid import UUID

from games.notices import kinds
from games.notices.sending import players_notice
from tournaments import store
from tournaments.models import Entry, TournamentTable
from tournaments.rules import EntryNo, Phase, Round, State, Table, TableStatus, still_in

FRESH_MS: Final = 3_600_000
"""What is older is told nobody any more, such as who asks for mails in the middle of a tournament."""


class News(NamedTuple):
    """What is to be told, of which game, and to whom."""

    game_id: UUID
    kind: str
    entries: tuple[EntryNo, ...]


def tournament_notices(*, tournament_id: UUID) -> tuple[int, ...]:
    """Write down what players are to be told, once for each; the notices that are to be sent. TournamentNotFound."""
    state = store.load(tournament_id=tournament_id)[1]
    news = tuple(_news(tournament_id, state))
    if not news:
        return ()
    held = Entry.objects.filter(tournament_id=tournament_id, player__isnull=False).values_list("number", "player_id")
    players = {EntryNo(number): player for number, player in held if player is not None}
    found: list[int] = []
    for game_id, kind, entries in news:
        told = [players[entry] for entry in entries if entry in players and not state.entry(entry).bot]
        found += players_notice(game_id=game_id, player_ids=told, kind=kind)
    return tuple(found)


def _news(tournament_id: UUID, state: State) -> Iterator[News]:
    """Everything of the last hour."""
    since = store.milliseconds(datetime.now(UTC)) - FRESH_MS
    ready = [table for table in state.tables if table.status is TableStatus.PLAYING and table.since >= since]
    decided = [each for each in state.rounds if each.finished_at is not None and each.finished_at >= since]
    if not ready and not decided:
        return
    rows = TournamentTable.objects.filter(tournament_id=tournament_id)
    games = {(number, attempt): game for number, attempt, game in rows.values_list("number", "attempt", "game_id")}
    for table, kind, entries in (*_ready(ready), *_decided(state, decided)):
        game_id = games.get((table.number, table.attempt))
        if game_id is not None and entries:
            yield News(game_id, kind, entries)


def _ready(tables: Iterable[Table]) -> Iterator[tuple[Table, str, tuple[EntryNo, ...]]]:
    for table in tables:
        yield table, kinds.TABLE, table.staying


def _decided(state: State, rounds: Iterable[Round]) -> Iterator[tuple[Table, str, tuple[EntryNo, ...]]]:
    """Who goes on, or has won, and who does not, of each table that came to a result."""
    for each in rounds:
        if each.final and state.phase is not Phase.FINISHED:
            continue
        well = frozenset(still_in(state) if each.final else each.going_on or ())
        for table in state.tables_of(each):
            if table.status is TableStatus.FINISHED:
                yield table, kinds.WON if each.final else kinds.ADVANCED, _those(table, well, among=True)
                yield table, kinds.OUT, _those(table, well, among=False)


def _those(table: Table, entries: frozenset[EntryNo], *, among: bool) -> tuple[EntryNo, ...]:
    """Of those who stayed at the table, who is among the entries, or who is not."""
    return tuple(entry for entry in table.staying if (entry in entries) is among)
