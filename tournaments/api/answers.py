"""The JSON of answers about tournaments."""

from datetime import datetime
from typing import Any

from django.conf import settings

from games.rules.ruleset import Mode
from players.api.answers import address, instant, now
from players.api.people import seated_json
from players.models import Player
from tournaments.models import Tournament
from tournaments.roles import VIEW, runs
from tournaments.rules import EntryNo, Place, Stage, Standing, TableStatus
from tournaments.selectors import LogLine, Overview, TableView
from tournaments.settings import TABLE_FIELDS, read_tables
from tournaments.store import moment, seed_of

Json = dict[str, Any]


def tournament_path(tournament: Tournament) -> str:
    """Where the tournament is."""
    return f"/api/v1/tournaments/{tournament.pk}/"


def tournament_tag(tournament: Tournament) -> str:
    """By what a change of the tournament is known."""
    return f"{tournament.version}-{tournament.revision}"


def listed_json(tournament: Tournament) -> Json:
    """A tournament in a list."""
    return {
        "id": str(tournament.pk),
        "name": tournament.name,
        "phase": tournament.phase,
        "version": tournament.version,
        "organiser": seated_json(tournament.owner),
        "visibility": tournament.visibility,
        "format": tournament.format,
        "capacity": tournament.capacity,
        "taken": tournament.taken,
        "waiting": tournament.waiting,
        **{name: time(getattr(tournament, name)) for name in _TIMES},
        "links": _links(tournament),
    }


_TIMES = ("opens_at", "closes_at", "starts_at", "started_at", "ended_at")


def tournament_json(seen: Overview, viewer: Player) -> Json:
    """The tournament as its viewer may know it."""
    tournament, state = seen.tournament, seen.state
    own = _own_entry(seen, viewer)
    may_run = runs(viewer, tournament)
    return {
        **listed_json(tournament),
        "invite_code": (tournament.invite_code or None) if own is not None or may_run else None,
        **_terms(seen),
        **_tables(seen),
        "rounds": tournament.rounds,
        "champion": None if tournament.champion is None else entry_json(seen, tournament.champion),
        "entry": None if own is None else entry_json(seen, own),
        "may_run": may_run,
        "commitment": tournament.commitment,
        "seed": seed_of(tournament.pk).hex() if state.revealed else None,
        "created_at": instant(tournament.created_at),
        "now": now(),
    }


def _terms(seen: Overview) -> Json:
    terms = seen.state.terms
    return {
        "table_kind": terms.table_kind.value,
        "table_size": terms.table_size,
        "go_on": terms.go_on,
        "seeding": terms.seeding.value,
        "check_in": terms.check_in,
        "no_shows": terms.no_shows.value,
        "waiting_list": terms.waiting_list,
        "start_by_clock": terms.start_by_clock,
    }


def _tables(seen: Overview) -> Json:
    tables = read_tables(seen.tournament.tables)
    rules = {**tables.house_rules.as_mapping(), "mode": Mode(seen.state.terms.table_kind.value).value}
    clocks = {name: getattr(tables, name) for name in TABLE_FIELDS}
    return {"house_rules": rules, **clocks, "bot_level": seen.tournament.bot_level}


def _own_entry(seen: Overview, viewer: Player) -> int | None:
    held = [entry for entry in seen.entries.values() if entry.player_id == viewer.pk]
    held.sort(key=lambda entry: (entry.counts, entry.number))
    return held[-1].number if held else None


def entry_json(seen: Overview, number: int) -> Json:
    """An entry."""
    entry, state = seen.state.entry(EntryNo(number)), seen.state
    return {
        "number": number,
        **_who(seen, number),
        "status": entry.status.value,
        "checked_in": entry.checked_in,
        "waiting_place": state.waiting.index(entry.number) + 1 if entry.number in state.waiting else None,
        "seed": state.seeding.index(entry.number) + 1 if entry.number in state.seeding else None,
    }


def entries_json(seen: Overview) -> Json:
    """All entries. Places are looked up once: there may be ten thousand."""
    state = seen.state
    seeds = {number: at for at, number in enumerate(state.seeding, start=1)}
    waiting = {number: at for at, number in enumerate(state.waiting, start=1)}
    entries = [
        {
            "number": entry.number,
            **_who(seen, entry.number),
            "status": entry.status.value,
            "checked_in": entry.checked_in,
            "waiting_place": waiting.get(entry.number),
            "seed": seeds.get(entry.number),
        }
        for entry in state.entries
    ]
    return {"version": state.version, "entries": entries}


def stage_json(seen: Overview, stage: Stage) -> Json:
    """A stage. A ladder names seats; who sits there is its one table's."""
    entries = []
    for standing in stage.entries:
        entry = standing.entry
        if entry is None and standing.seat is not None:
            entry = seen.state.tables[-1].seats[standing.seat]
        number = int(entry or 0)
        entries.append(
            {
                "entry": number,
                **_who(seen, number),
                "seat": standing.seat,
                "entered": instant(moment(standing.entered)),
                "left": None if standing.left is None else instant(moment(standing.left)),
                "cards": standing.cards,
                "table": standing.table,
                "place": standing.place,
                "goes_on": standing.goes_on,
            }
        )
    return {"number": stage.number, "kind": stage.kind.value, "status": stage.status.value, "entries": entries}


def standing_json(seen: Overview, standing: Standing) -> Json:
    """A line of the standings."""
    return {
        "rank": standing.rank,
        "entry": standing.entry,
        **_who(seen, standing.entry),
        "group": standing.group.value,
        "round": standing.round,
        "place": standing.place,
        "stage": standing.stage,
        "cards": standing.cards,
        "still_in": standing.still_in,
        "champion": standing.champion,
        "drawn": standing.drawn,
    }


def table_json(seen: Overview, view: TableView) -> Json:
    """A table."""
    table = view.table
    over = table.status is TableStatus.FINISHED
    return {
        "number": table.number,
        "round": table.round,
        "attempt": table.attempt,
        "status": table.status.value,
        "since": instant(moment(table.since)),
        "seats": [
            {"seat": seat, "entry": entry, **_who(seen, entry), "out": table.has_left(entry)}
            for seat, entry in enumerate(table.seats)
        ],
        "game": None if view.game_id is None else str(view.game_id),
        "games": [str(game_id) for game_id in view.games],
        "result": [_place(place) for place in table.result] if over else None,
        "ending": table.ending.value if over else None,
    }


def line_json(line: LogLine, *, reasons: bool) -> Json:
    """A line of the log."""
    known = bool(line.actor_name)
    return {
        "version": line.version,
        "type": line.type,
        "data": line.data,
        "at": instant(moment(line.logged.at)),
        "by": {"id": line.logged.by, "name": line.actor_name} if known else None,
        "reason": (line.reason or None) if reasons else None,
    }


def may_read_reasons(viewer: Player, tournament: Tournament) -> bool:
    """The words of a reason may name people: they are for whoever runs the tournament, and staff who may look."""
    return runs(viewer, tournament) or (viewer.is_staff and viewer.has_perm(VIEW))


def _who(seen: Overview, number: int) -> Json:
    entry = seen.entries.get(number)
    bot = entry is not None and entry.bot
    player = None if entry is None else entry.player
    return {
        "player": None if bot and player is None else seated_json(player),
        "bot": seen.tournament.bot_level if bot else None,
    }


def _place(place: Place) -> Json:
    return {"rank": place.rank, "entry": place.entry, "stage": place.stage, "cards": place.cards}


def time(at: datetime | None) -> str | None:
    """An instant, or none."""
    return None if at is None else instant(at)


def _links(tournament: Tournament) -> Json:
    path = tournament_path(tournament)
    parts = {name: address(f"{path}{name}/") for name in ("entries", "stages", "standings", "tables", "log")}
    return {"self": address(path), **parts, "stream": f"{settings.TAKI_STREAM_URL}{path}stream/"}
