"""Tournaments on a player's own stream: its entries, and that it goes on, sits down, or that the phase has changed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from django.db.models import Q

from games.streaming.hints import tournament_channel
from games.streaming.own_feeds import Section
from games.streaming.own_state import Told
from players.api.answers import address
from tournaments.api.answers import Json, tournament_path
from tournaments.models import Entry, Phase, TournamentTable
from tournaments.rules import EntryNo, State, Table, TableStatus
from tournaments.store import state_of

STAYS: Final = timedelta(days=1)
"""So long a tournament that is over is still among a player's own."""
_OVER: Final = (Phase.FINISHED, Phase.CANCELLED)


def own_tournaments(players: Sequence[UUID]) -> Mapping[UUID, Mapping[str, Json]]:
    """The entries of each player that count, by tournament: of those that are not over, or have been for a day."""
    lately = Q(tournament__ended_at__gt=datetime.now(UTC) - STAYS)
    rows = Entry.objects.filter(~Q(tournament__phase__in=_OVER) | lately, player_id__in=players, counts=True)
    states: dict[UUID, State] = {}
    found: dict[UUID, dict[str, Json]] = {}
    for entry in rows.select_related("tournament").order_by("tournament_id"):
        tournament = entry.tournament
        state = states.setdefault(tournament.pk, state_of(tournament))
        if entry.player_id is not None:
            found.setdefault(entry.player_id, {})[str(tournament.pk)] = _entry_json(entry, state)
    return found


def _entry_json(entry: Entry, state: State) -> Json:
    tournament, table = entry.tournament, _table_of(EntryNo(entry.number), state)
    return {
        "id": str(tournament.pk),
        "name": tournament.name,
        "phase": tournament.phase,
        "entry": entry.number,
        "status": entry.status,
        "checked_in": entry.checked_in,
        "round": table.round if table else None,
        "table": _table_json(tournament.pk, table) if table else None,
        "champion": tournament.champion == entry.number,
        "links": {"self": address(tournament_path(tournament))},
    }


def _table_of(number: EntryNo, state: State) -> Table | None:
    """The last table that the entry sat at, or sits at."""
    mine = (table for table in reversed(state.tables) if number in table.seats)
    return next((table for table in mine if table.status is not TableStatus.VOID), None)


def _table_json(tournament_id: UUID, table: Table) -> Json:
    games = TournamentTable.objects.filter(tournament_id=tournament_id, number=table.number, attempt=table.attempt)
    game_id = games.values_list("game_id", flat=True).first()
    return {"number": table.number, "status": table.status.value, "game": str(game_id) if game_id else None}


def tournament_changes(before: Mapping[str, Json], now: Mapping[str, Json]) -> Iterable[Told]:
    """`entered`, `advanced` (to a further round), `table` (another one, or its game), `tournament` (anything else)."""
    for key, entry in now.items():
        yield from _changed(before.get(key), entry)
    for key, entry in before.items():
        if key not in now and entry["phase"] not in _OVER:
            yield "withdrawn", entry


def _changed(before: Json | None, now: Json) -> Iterator[Told]:
    if before is None:
        yield "entered", now
    elif before == now:
        return
    elif before["round"] is not None and now["round"] is not None and now["round"] > before["round"]:
        yield "advanced", now
    elif now["table"] != before["table"] and now["table"] is not None:
        yield "table", now
    else:
        yield "tournament", now


TOURNAMENTS: Final = Section(
    read=own_tournaments, changes=tournament_changes, channel=lambda key: tournament_channel(UUID(key))
)
