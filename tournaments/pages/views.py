"""The public pages: read only, no log-in, in the reader's language. Private tournaments and drafts are not there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_safe

from tournaments.errors import TournamentNotFound
from tournaments.models import Phase, Tournament
from tournaments.pages import board, words
from tournaments.pages.facts import names_of
from tournaments.pages.picture import staircase
from tournaments.rules import Phase as RulesPhase
from tournaments.rules import Round, State
from tournaments.selectors import live_results, standings_of, tables_of, tournament_get, tournament_list
from tournaments.store import state_of

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
LIST_PAGE: Final = 30
STANDINGS_PAGE: Final = 32
TABLES_PAGE: Final = 24
LIVE_SECONDS: Final = 10

Answer = Callable[..., HttpResponse]


@dataclass(frozen=True, slots=True)
class Link:
    """A way to another part of the same page."""

    name: str
    href: str


def public(view: Answer) -> Answer:
    """Read only, under a strict policy, in the language that `?lang=` names or the browser prefers."""

    @conditional_page
    def answered(request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponse:
        asked = request.GET.get("lang", "")
        language = asked if asked in dict(settings.LANGUAGES) else translation.get_language() or settings.LANGUAGE_CODE
        with translation.override(language):
            answer = view(request, *arguments, **named)
        answer.headers["Content-Language"] = language
        answer.headers["Cache-Control"] = "no-cache"
        return answer

    @require_safe
    @wraps(view)
    def guarded(request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponse:
        answer = answered(request, *arguments, **named)
        # Also on a 304: its headers replace those of the page that the browser has kept.
        answer.headers["Content-Security-Policy"] = POLICY
        return answer

    return guarded


@public
def list_view(request: HttpRequest) -> HttpResponse:
    """`/tournaments/`: the public ones, newest first."""
    before = _uuid(request.GET.get("before", ""))
    rows = tournament_list(viewer=None)
    found = list((rows.filter(pk__lt=before) if before else rows)[: LIST_PAGE + 1])
    lines = [_line(tournament) for tournament in found[:LIST_PAGE]]
    context = {"lines": lines, "next": found[LIST_PAGE - 1].pk if len(found) > LIST_PAGE else None}
    return render(request, "tournaments/list.html", {**context, **_site(request)})


@public
def tournament_view(request: HttpRequest, tournament_id: UUID) -> HttpResponse:
    """`/tournaments/<id>/`: schedule, stages, standings, tables."""
    try:
        tournament = tournament_get(tournament_id=tournament_id, viewer=None)
    except TournamentNotFound:
        raise Http404 from None
    state = state_of(tournament)
    context = {**page_of(tournament, state, request), **_site(request)}
    context["live_seconds"] = 0 if state.over else LIVE_SECONDS
    return render(request, "tournaments/tournament.html", context)


def page_of(
    tournament: Tournament,
    state: State,
    request: HttpRequest,
    *,
    most_standings: int = STANDINGS_PAGE,
    most_tables: int = TABLES_PAGE,
) -> dict[str, Any]:
    """Everything that the page of a tournament shows."""
    of = chosen_round(state, request.GET.get("round", ""))
    standings = standings_of(tournament_id=tournament.pk, state=state)
    first = _start(request.GET.get("from", ""), len(standings))
    shown = standings[first : first + most_standings]
    table_first = _start(request.GET.get("table", ""), of.tables if of else 0)
    tables = state.tables_of(of)[table_first : table_first + most_tables] if of else ()
    before = not state.rounds and tournament.phase not in (Phase.CANCELLED, Phase.FINISHED)
    names = names_of(
        tournament_id=tournament.pk, numbers=None if before else board.numbers_needed(state, tables, of, shown)
    )
    live = live_results(tournament_id=tournament.pk, state=state)
    games: dict[int, UUID | None] = {
        view.table.number: view.game_id for view in tables_of(tournament_id=tournament.pk, state=state)
    }
    steps = board.steps(state, names, live)
    champion = names.get(tournament.champion or 0, "")
    return {
        "tournament": tournament,
        "phase": words.PHASES[state.phase],
        "kind": words.kind_of(state.terms),
        "schedule": schedule(tournament),
        "over": state.over,
        "champion": champion if state.phase is RulesPhase.FINISHED else "",
        "picture": staircase(steps, right_to_left=translation.get_language_bidi()) if steps else None,
        "standings": board.standing_lines(shown, names),
        "shows_rounds": state.terms.format.value == "knockout",
        "shows_stages": state.terms.table_kind.value == "ladder",
        "standing_pages": _pages(request, "from", len(standings), most_standings),
        "rounds": board.round_lines(state, names),
        "round": board.round_line(of, names) if of else None,
        "tables": board.table_lines(state, of, tables, names, live, games) if of else (),
        "table_pages": [
            *_round_links(request, state, of),
            *_pages(request, "table", of.tables if of else 0, most_tables),
        ],
        "entered": _entered(state, names) if before else (),
    }


def schedule(tournament: Tournament) -> list[tuple[str, Any]]:
    """The times that are known, each with its name."""
    times = (
        (_("Registration opens"), tournament.opens_at),
        (_("Registration closes"), tournament.closes_at),
        (_("Starts"), tournament.starts_at if tournament.started_at is None else None),
        (_("Started"), tournament.started_at),
        (_("Ended"), tournament.ended_at),
    )
    return [(name, time) for name, time in times if time is not None]


def chosen_round(state: State, text: str) -> Round | None:
    """The round that was asked for, else the latest."""
    number = _start(text, len(state.rounds) + 1)
    return state.rounds[number - 1] if number else state.latest


def _entered(state: State, names: board.Names) -> list[tuple[str, words.Words]]:
    here = [entry for entry in state.entries if entry.status.value in ("entered", "waiting")]
    return [
        (names.get(entry.number, "") or "—", _("checked in") if entry.checked_in else words.STATUSES[entry.status])
        for entry in here[:STANDINGS_PAGE]
    ]


def _line(tournament: Tournament) -> dict[str, Any]:
    phase = RulesPhase(tournament.phase)
    kind = _("Ladder") if tournament.format == "ladder" else _("Knockout")
    fields = ("id", "name", "phase", "taken", "capacity", "starts_at")
    return {**{name: getattr(tournament, name) for name in fields}, "phase_words": words.PHASES[phase], "kind": kind}


def _round_links(request: HttpRequest, state: State, of: Round | None) -> Iterable[Link]:
    if len(state.rounds) < 2:
        return []
    return [
        Link(_("Round %d") % each.number, _with(request, round=each.number, table=None))
        for each in state.rounds
        if each is not of
    ]


def _pages(request: HttpRequest, name: str, count: int, size: int) -> list[Link]:
    if count <= size:
        return []
    return [
        Link(f"{first + 1}–{min(first + size, count)}", _with(request, **{name: first}))
        for first in range(0, count, size)
    ]


def _with(request: HttpRequest, **changed: object) -> str:
    query = {**request.GET.dict(), **changed}
    return "?" + urlencode({name: value for name, value in query.items() if value not in (None, "")})


def _site(request: HttpRequest) -> dict[str, Any]:
    rest = urlencode({name: value for name, value in request.GET.items() if name != "lang"})
    return {"languages": settings.LANGUAGES, "here": f"?{rest}&lang=" if rest else "?lang="}


def _start(text: str, most: int) -> int:
    """A number below ``most`` as it stands in an address; 0 for anything else."""
    found = int(text) if text.isascii() and text.isdigit() and len(text) <= 6 else 0
    return found if found < most else 0


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
