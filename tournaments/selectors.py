"""Reading tournaments: what a caller may see of them, and what is due."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, NamedTuple
from uuid import UUID

from django.db.models import F, Q, QuerySet, Sum

from games.rules import codec as game_codec
from games.rules.events import Event as GameEvent
from games.selectors import events_load
from players.models import Player
from tournaments import store
from tournaments.errors import EntryNotFound, TournamentNotFound
from tournaments.models import Entry, EntryHolder, Phase, Tournament, TournamentReason, TournamentTable, Visibility
from tournaments.results import live_result
from tournaments.roles import RUN, VIEW, knows_of
from tournaments.rules import (
    Act,
    Format,
    Logged,
    Result,
    Stage,
    Standing,
    State,
    Table,
    TableNo,
    knockout_stages,
    ladder_stages,
    legal_targets,
    standings,
)
from tournaments.rules.codec import Data

MOST_DUE: Final = 100
MOST_LINES: Final = 1000
_PORTION: Final = 1000


@dataclass(frozen=True)
class Overview:
    """A tournament with its state and its entries by number, each read with its player."""

    tournament: Tournament
    state: State
    entries: Mapping[int, Entry]

    def player_of(self, number: int) -> Player | None:
        """Who holds the entry now."""
        entry = self.entries.get(number)
        return None if entry is None else entry.player


class TableView(NamedTuple):
    """A table of the tournament, and the games of its attempts; ``game_id``: of the present one, once it has begun."""

    table: Table
    game_id: UUID | None
    games: tuple[UUID, ...]


class LogLine(NamedTuple):
    """A line of the log: ``actor_name`` and ``reason`` are looked up where they are kept, and empty once erased."""

    version: int
    logged: Logged
    type: str
    data: Data
    actor_name: str
    reason: str


def tournament_get(*, tournament_id: UUID, viewer: Player | None = None) -> Tournament:
    """The tournament. TournamentNotFound, also for one that the viewer may not know of (a draft, a private one)."""
    tournament = Tournament.objects.select_related("owner").filter(pk=tournament_id).first()
    if tournament is None or not knows_of(viewer, tournament):
        raise TournamentNotFound(tournament_id)
    return tournament


def tournament_list(
    *,
    viewer: Player | None = None,
    phase: str | None = None,
    format: str | None = None,  # noqa: A002  # the field's name
    player: Player | None = None,
) -> QuerySet[Tournament]:
    """The tournaments that the viewer may know of, newest first: of a phase, a format, with an entry of a player."""
    listed = Tournament.objects.select_related("owner").order_by("-id")
    if viewer is None:
        listed = listed.filter(visibility=Visibility.PUBLIC).exclude(phase=Phase.DRAFT)
    elif not (viewer.is_staff and (viewer.has_perm(RUN) or viewer.has_perm(VIEW))):
        seen = Q(visibility=Visibility.PUBLIC) | Q(pk__in=_entered(viewer))
        listed = listed.filter(Q(owner=viewer) | (seen & ~Q(phase=Phase.DRAFT)))
    if phase is not None:
        listed = listed.filter(phase=phase)
    if format is not None:
        listed = listed.filter(format=format)
    return listed if player is None else listed.filter(pk__in=_entered(player))


def overview(*, tournament_id: UUID, viewer: Player | None = None) -> Overview:
    """The tournament, its state and entries, all of one version. TournamentNotFound."""
    tournament = tournament_get(tournament_id=tournament_id, viewer=viewer)
    state = store.state_of(tournament)
    entries = {entry.number: entry for entry in entries_of(tournament_id=tournament_id)}
    return Overview(tournament, state, entries)


def brief(*, tournament: Tournament, viewer: Player | None) -> Overview:
    """The tournament at the version of its row, with the viewer's own entries and the champion's only."""
    wanted = Q(number=tournament.champion) if tournament.champion is not None else Q(pk__in=())
    if viewer is not None:
        wanted |= Q(player_id=viewer.pk)
    entries = {entry.number: entry for entry in entries_of(tournament_id=tournament.pk).filter(wanted)}
    return Overview(tournament, store.state_of(tournament), entries)


def state_load(*, tournament_id: UUID) -> State:
    """The state that the rules fold the log to. TournamentNotFound."""
    return store.load(tournament_id=tournament_id)[1]


def entries_of(*, tournament_id: UUID) -> QuerySet[Entry]:
    """The entries with their players, by number."""
    return Entry.objects.filter(tournament_id=tournament_id).select_related("player").order_by("number")


def entry_get(*, tournament_id: UUID, number: int) -> Entry:
    """The entry of this number. EntryNotFound."""
    entry = entries_of(tournament_id=tournament_id).filter(number=number).first()
    if entry is None:
        raise EntryNotFound
    return entry


def entry_of(*, tournament_id: UUID, player: Player) -> Entry | None:
    """The player's entry that counts: of several, the one that was not withdrawn before the start."""
    held = entries_of(tournament_id=tournament_id).filter(player_id=player.pk)
    return held.order_by("-counts", "-number").first()


def holders_of(*, tournament_id: UUID) -> QuerySet[EntryHolder]:
    """Who held each entry from one version of the log to another."""
    rows = EntryHolder.objects.filter(entry__tournament_id=tournament_id)
    return rows.select_related("entry", "player").order_by("entry__number", "holder")


def legal_acts(*, state: State, kind: type[Act], at: int | None = None) -> frozenset[int]:
    """About which entries, tables or rounds this act may be asked (`rules.legal_targets`); by default, now."""
    return legal_targets(state, kind, store.milliseconds(datetime.now(UTC)) if at is None else at)


# ---- how it stands


def tables_of(*, tournament_id: UUID, state: State) -> tuple[TableView, ...]:
    """Every table by number, also those of rounds that were undone."""
    games: dict[int, dict[int, UUID]] = {}
    rows = TournamentTable.objects.filter(tournament_id=tournament_id).order_by("number", "attempt")
    for number, attempt, game_id in rows.values_list("number", "attempt", "game_id"):
        games.setdefault(number, {})[attempt] = game_id
    return tuple(
        TableView(table, games.get(table.number, {}).get(table.attempt), tuple(games.get(table.number, {}).values()))
        for table in state.tables
    )


def standings_of(*, tournament_id: UUID, state: State) -> tuple[Standing, ...]:
    """Everyone who is ranked, best first; tables that are being played count as they stand."""
    return standings(state, live_results(tournament_id=tournament_id, state=state))


def live_results(*, tournament_id: UUID, state: State) -> dict[TableNo, Result]:
    """How each table stands that is being played."""
    rows = TournamentTable.objects.filter(tournament_id=tournament_id, settled=False)
    fields = rows.values_list("number", "attempt", "game__stages", "game__cards", "game__left")
    known = {(table.number, table.attempt): table for table in state.tables}
    return {
        table.number: live_result(stages, cards, left, table.seats)
        for number, attempt, stages, cards, left in fields
        if cards and (table := known.get((TableNo(number), attempt))) is not None
    }


def games_version(*, tournament_id: UUID) -> int:
    """A number that grows with every move at a table of the tournament that is being played."""
    rows = TournamentTable.objects.filter(tournament_id=tournament_id, settled=False)
    return int(rows.aggregate(moves=Sum("game__version"))["moves"] or 0)


def stages_of(*, tournament_id: UUID, state: State) -> tuple[Stage, ...]:
    """A ladder's eight stages from the events of its game (empty before it begins), a knockout's rounds."""
    if state.terms.format is Format.KNOCKOUT:
        return knockout_stages(state)
    row = TournamentTable.objects.filter(tournament_id=tournament_id).order_by("-number", "-attempt").first()
    return () if row is None else ladder_stages(_game_log(row.game_id))


def log_load(*, tournament_id: UUID, after: int = 0, limit: int = 100) -> tuple[LogLine, ...]:
    """The log after a version (exclusive), ascending, at most MOST_LINES, with who and why in words."""
    lines = store.log(tournament_id=tournament_id, after=after, limit=max(0, min(limit, MOST_LINES)))
    actors = {UUID(line.logged.by) for line in lines if len(line.logged.by) == len(str(UUID(int=0)))}
    reasons = {UUID(line.logged.why) for line in lines if line.logged.why}
    names = {str(pk): name for pk, name in Player.objects.filter(pk__in=actors).values_list("pk", "name")}
    texts = {str(pk): text for pk, text in TournamentReason.objects.filter(pk__in=reasons).values_list("pk", "text")}
    return tuple(
        LogLine(
            line.version,
            line.logged,
            line.type,
            line.data,
            names.get(line.logged.by, ""),
            texts.get(line.logged.why, ""),
        )
        for line in lines
    )


def _game_log(game_id: UUID) -> list[tuple[int, GameEvent]]:
    """The game's events as a spectator may know them, each with its instant (ms)."""
    log: list[tuple[int, GameEvent]] = []
    after = 0
    while seen := events_load(game_id=game_id, seat=None, after=after, limit=_PORTION):
        log += [(store.milliseconds(e.recorded_at), game_codec.decode(e.type, e.schema, e.data)) for e in seen]
        after = seen[-1].version
    return log


# ---- what is due


def tournament_of_game(*, game_id: UUID) -> UUID | None:
    """The tournament that awaits the end of this game; None if it belongs to none, or its end is noted."""
    rows = TournamentTable.objects.filter(game_id=game_id, settled=False)
    return rows.values_list("tournament_id", flat=True).first()


def watches_game(game_id: UUID, player: Player) -> bool:
    """For `games.hooks.may_watch`: the game is a table of a tournament that the player may know of."""
    row = TournamentTable.objects.filter(game_id=game_id).select_related("tournament").first()
    return row is not None and knows_of(player, row.tournament)


def due_work(*, most: int = MOST_DUE) -> tuple[UUID, ...]:
    """Tournaments in which something follows by itself now: a time has come, a game is over, a step is not done."""
    now = datetime.now(UTC)
    undone = Tournament.objects.filter(Q(version__gt=F("advanced_to")) | Q(wakes_at__lte=now))
    over = TournamentTable.objects.filter(settled=False).exclude(game__phase="playing")
    found = dict.fromkeys(undone.order_by("wakes_at", "id").values_list("pk", flat=True)[:most])
    found.update(dict.fromkeys(over.values_list("tournament_id", flat=True).distinct()[:most]))
    return tuple(found)


def _entered(player: Player) -> QuerySet[Entry, UUID]:
    return Entry.objects.filter(player_id=player.pk).values_list("tournament_id", flat=True)
