"""What the desk's pages show, and which of their buttons may be pressed now: the rules' own list of legal acts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final
from uuid import uuid4

from django.core.paginator import Page, Paginator
from django.db.models import Q
from django.http import HttpRequest

from tournaments.models import Entry, Tournament
from tournaments.pages import board, words
from tournaments.pages.facts import names_of
from tournaments.pages.views import page_of
from tournaments.rules import NEED_REASON, EntryNo, Phase, State, TableNo
from tournaments.rules import acts as a
from tournaments.selectors import LogLine, entries_of, legal_acts, log_load, state_load, tables_of
from tournaments.store import moment

ENTRIES_PAGE: Final = 50
LOG_PAGE: Final = 25
STANDINGS_PAGE: Final = 16
TABLES_PAGE: Final = 12
LIVE_SECONDS: Final = 5
_WHOLE: Final = (
    a.OpenRegistration,
    a.CloseRegistration,
    a.Start,
    a.Resume,
    a.Pause,
    a.ListSeeding,
    a.ReopenRound,
    a.Cancel,
)
_ENTRY: Final = (a.CheckIn, a.Promote, a.Withdraw, a.Disqualify, a.Reinstate, a.Forfeit, a.Replace)
_TABLE: Final = (a.EndTable, a.ReplayTable, a.AbortTable)
_GRAVE: Final = frozenset({a.Cancel, a.Disqualify, a.ReopenRound, a.ReplayTable, a.AbortTable, a.EndTable})


@dataclass(frozen=True, slots=True)
class Button:
    """An act that may be asked now."""

    name: str
    words: words.Words
    needs_reason: bool
    grave: bool


@dataclass(frozen=True, slots=True)
class EntryLine:
    """One entry at the desk."""

    number: int
    name: str
    status: words.Words
    here: bool
    bot: bool
    holder: int
    seed: int | None


@dataclass(frozen=True, slots=True)
class LoggedLine:
    """One line of the log at the desk."""

    version: int
    at: Any
    what: str
    detail: str
    who: str
    why: str


def desk_context(tournament: Tournament, request: HttpRequest, *, may_run: bool) -> dict[str, Any]:
    """Everything on the desk; without buttons for those who may only look."""
    state = state_load(tournament_id=tournament.pk)
    page = page_of(tournament, state, request, most_standings=STANDINGS_PAGE, most_tables=TABLES_PAGE)
    entries = _entries_page(tournament, state, request)
    return {
        **page,
        "may_run": may_run,
        "press": uuid4(),
        "next_step": _next_step(state),
        "buttons": whole_buttons(state) if may_run else (),
        "may_register": may_run and bool(legal_acts(state=state, kind=a.Register)),
        "may_change_terms": may_run and bool(legal_acts(state=state, kind=a.ChangeTerms)),
        "reopenable": sorted(legal_acts(state=state, kind=a.ReopenRound)),
        "entry_buttons": entry_buttons(state) if may_run else (),
        "entries": entries,
        "search": request.GET.get("q", ""),
        "tables": [(line, table_buttons(state, line.number) if may_run else ()) for line in page["tables"]],
        "log": log_lines(tournament, state, request),
        "live_seconds": 0 if state.over else LIVE_SECONDS,
        "invite_code": tournament.invite_code if may_run else "",
    }


def table_context(tournament: Tournament, number: int, *, may_run: bool) -> dict[str, Any] | None:
    """One table's page; None if there is no such table."""
    state = state_load(tournament_id=tournament.pk)
    if not 1 <= number <= len(state.tables):
        return None
    table = state.table(TableNo(number))
    (view,) = [view for view in tables_of(tournament_id=tournament.pk, state=state) if view.table.number == number]
    names = names_of(tournament_id=tournament.pk, numbers=table.seats)
    of = state.rounds[table.round - 1]
    (line,) = board.table_lines(state, of, (table,), names, {}, {number: view.game_id})
    return {
        "table": line,
        "games": view.games,
        "press": uuid4(),
        "may_run": may_run,
        "may_correct": may_run and number in legal_acts(state=state, kind=a.CorrectResult),
        "buttons": table_buttons(state, number) if may_run else (),
    }


def whole_buttons(state: State) -> tuple[Button, ...]:
    """The legal acts about the tournament as a whole."""
    return tuple(_button(kind) for kind in _WHOLE if legal_acts(state=state, kind=kind))


def entry_buttons(state: State) -> tuple[Button, ...]:
    """The acts that are legal about one entry at least."""
    found = [_button(kind) for kind in _ENTRY if legal_acts(state=state, kind=kind)]
    if legal_acts(state=state, kind=a.NoShow):
        found.append(Button("NoShowBot", "No-show: let a bot play", needs_reason=True, grave=False))
        found.append(Button("NoShowForfeit", "No-show: forfeit the table", needs_reason=True, grave=True))
    return tuple(found)


def table_buttons(state: State, number: int) -> tuple[Button, ...]:
    """The legal acts about this table; a correction has a page of its own."""
    return tuple(_button(kind) for kind in _TABLE if number in legal_acts(state=state, kind=kind))


def log_lines(tournament: Tournament, state: State, request: HttpRequest) -> dict[str, Any]:
    """A page of the log, newest first."""
    text = request.GET.get("log", "")
    until = int(text) if text.isascii() and text.isdigit() and 0 < len(text) <= 7 else state.version
    until = min(until, state.version)
    after = max(0, until - LOG_PAGE)
    lines = log_load(tournament_id=tournament.pk, after=after, limit=until - after)
    return {
        "lines": [_logged(line) for line in reversed(lines)],
        "older": after or None,
        "newer": until < state.version,
        "version": state.version,
    }


def _entries_page(tournament: Tournament, state: State, request: HttpRequest) -> Page[EntryLine]:
    rows = entries_of(tournament_id=tournament.pk)
    wanted = request.GET.get("q", "").strip()[:60].replace("\0", "")
    if wanted:
        match = Q(player__name__icontains=wanted)
        if wanted.isascii() and wanted.isdigit() and len(wanted) <= 6:
            match |= Q(number=int(wanted))
        rows = rows.filter(match)
    page: Page[Any] = Paginator(rows, ENTRIES_PAGE).get_page(request.GET.get("entries"))
    seeds = {number: seed for seed, number in enumerate(state.seeding, start=1)}
    page.object_list = [_entry(row, state, seeds) for row in page.object_list if row.number <= len(state.entries)]
    return page


def _entry(row: Entry, state: State, seeds: dict[EntryNo, int]) -> EntryLine:
    entry = state.entry(EntryNo(row.number))
    name = row.player.name if row.player else f"Bot {row.number}" if row.bot else "—"
    return EntryLine(
        row.number,
        name,
        words.STATUSES[entry.status],
        entry.checked_in,
        entry.bot,
        entry.holder,
        seeds.get(entry.number),
    )


def _next_step(state: State) -> words.Words:
    if state.phase is Phase.REGISTRATION and not state.terms.check_in:
        return "Entries are being taken. Next step: start, as soon as everybody is there."
    return words.NEXT_STEPS[state.phase]


def _button(kind: type[a.Act]) -> Button:
    return Button(kind.__name__, words.ACTS[kind], kind in NEED_REASON or kind is a.AbortTable, kind in _GRAVE)


def _logged(line: LogLine) -> LoggedLine:
    who = line.actor_name or ("the clock" if line.logged.by == "clock" else "somebody who was erased")
    return LoggedLine(
        line.version, moment(line.logged.at), words.event_name(line.type), words.plain(line.data), who, line.reason
    )
