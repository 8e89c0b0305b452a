"""Tournaments: making, finding and changing them, and how they stand."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, cast
from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from games.api.paging import games_page, link
from players.api.answers import address, answer, response, tagged, unchanged
from players.api.door import caller
from players.api.fields import StrictSerializer
from players.api.schema import IF_MATCH, IF_NONE_MATCH, reading, writing
from players.models import Player
from players.names import name_key
from tournaments.api.answers import (
    entries_json,
    line_json,
    listed_json,
    may_read_reasons,
    stage_json,
    standing_json,
    table_json,
    tournament_json,
    tournament_path,
    tournament_tag,
)
from tournaments.api.bodies import LogQuery, TournamentBody, TournamentChange, TournamentQuery
from tournaments.api.door import OrganiserEndpoint, PlayerEndpoint, told
from tournaments.api.shapes import (
    StageShape,
    StagesShape,
    StandingsShape,
    TournamentListShape,
    TournamentLogShape,
    TournamentShape,
    TournamentTablesShape,
)
from tournaments.api.terms import changed_tables, changed_terms, new_terms, refuse_other_mode
from tournaments.errors import EntryNotFound
from tournaments.models import Tournament
from tournaments.rules import Terms
from tournaments.selectors import (
    LogLine,
    Overview,
    brief,
    games_version,
    log_load,
    overview,
    stages_of,
    standings_of,
    tables_of,
    tournament_get,
    tournament_list,
)
from tournaments.services import tournament_create, tournament_edit
from tournaments.settings import DEFAULT_TABLES

_REST = ("name", "visibility", "bot_level")


class TournamentsView(OrganiserEndpoint):
    """Tournaments, and new ones."""

    query: ClassVar[type[StrictSerializer]] = TournamentQuery

    @reading("tournaments_list", "List tournaments", TournamentListShape, TournamentQuery, without=(404,))
    def get(self, request: Request) -> HttpResponse:
        """The tournaments that the caller may know of, the newest first."""
        viewer, asked = caller(request), self.asked
        found = tournament_list(viewer=viewer, phase=asked.get("phase"), format=asked.get("format"))
        if asked.get("player") is not None:
            named = Player.objects.filter(key=name_key(asked["player"])).first()
            found = found.filter(entries__player=named) if named else found.none()
        # A page is by id, whatever is on it.
        page = games_page(cast("Any", found.distinct()), cursor=asked.get("cursor"), limit=asked["limit"])
        listed = {
            "next": link(request.path, asked, page.next),
            "previous": link(request.path, asked, page.previous),
            "results": [listed_json(cast("Any", tournament)) for tournament in page.games],
        }
        return response(answer(listed))

    @writing("tournaments_create", "Create a tournament", TournamentBody, 201, TournamentShape, without=(404,))
    def post(self, request: Request) -> HttpResponse:
        """A new tournament, a draft that the caller organises. Guests need an account first."""
        body, owner = self.body(request, TournamentBody), caller(request)
        terms = new_terms(body)
        refuse_other_mode(request, terms.table_kind)
        tables = changed_tables(body, DEFAULT_TABLES)
        rest = {name: body[name] for name in _REST if name in body}
        return self.once(
            request,
            lambda: told(tournament_create(owner=owner, terms=terms, tables=tables, **rest), owner, status=201),
        )


class TournamentView(OrganiserEndpoint):
    """One tournament."""

    @reading("tournaments_get", "A tournament", TournamentShape, IF_NONE_MATCH)
    def get(self, request: Request, tournament_id: UUID) -> HttpResponse:
        """What it is held on, and where it is in its life."""
        viewer = caller(request)
        tournament = tournament_get(tournament_id=tournament_id, viewer=viewer)
        made = answer(tournament_json(brief(tournament=tournament, viewer=viewer), viewer))
        return tagged(made, tag=tournament_tag(tournament), if_none_match=_if_none_match(request))

    @writing("tournaments_change", "Change a tournament", TournamentChange, 200, TournamentShape, IF_MATCH, more=(412,))
    def patch(self, request: Request, tournament_id: UUID) -> HttpResponse:
        """Change what is named; once registration is open, what players rely on stays. The organiser's alone."""
        body, actor = self.body(request, TournamentChange), caller(request)

        def terms(before: Terms) -> Terms:
            after = changed_terms(body, before)
            refuse_other_mode(request, after.table_kind)
            return after

        rest = {name: body[name] for name in _REST if name in body}
        return self.act(
            request,
            tournament_id,
            lambda key: tournament_edit(
                tournament_id=tournament_id,
                actor=actor,
                terms=terms,
                tables=lambda before: changed_tables(body, before),
                reason=body.get("reason") or "",
                command_id=key,
                **rest,
            ),
        )


class Reading(PlayerEndpoint):
    """A view of one tournament; `ETag` changes with what it shows."""

    def show(
        self, request: Request, tournament_id: UUID, make: Callable[[Overview], Any], *, live: bool
    ) -> HttpResponse:
        """The answer of ``make``, or 304. ``live``: it also shows how games stand."""
        viewer = caller(request)
        tournament = tournament_get(tournament_id=tournament_id, viewer=viewer)
        tag = tournament_tag(tournament)
        if live:
            tag = f"{tag}-{games_version(tournament_id=tournament_id)}"
        if tagged_alike(request, tag):
            return tagged(answer(None), tag=tag, if_none_match=_if_none_match(request))
        seen = overview(tournament_id=tournament_id, viewer=viewer)
        return tagged(answer(make(seen)), tag=tag, if_none_match="")


class StagesView(Reading):
    """All stages or rounds."""

    @reading("tournaments_stages", "Stages or rounds", StagesShape, IF_NONE_MATCH)
    def get(self, request: Request, tournament_id: UUID) -> HttpResponse:
        """Who is in each, when they entered and left it, cards left. A ladder's stages (8 to 1) or the rounds."""

        def make(seen: Overview) -> Any:
            stages = stages_of(tournament_id=tournament_id, state=seen.state)
            return {"version": seen.state.version, "stages": [stage_json(seen, stage) for stage in stages]}

        return self.show(request, tournament_id, make, live=True)


class StageView(Reading):
    """One stage or round."""

    @reading("tournaments_stage", "A stage or round", StageShape, IF_NONE_MATCH)
    def get(self, request: Request, tournament_id: UUID, number: int) -> HttpResponse:
        """Who is in it, when they entered and left it, cards left."""

        def make(seen: Overview) -> Any:
            stages = stages_of(tournament_id=tournament_id, state=seen.state)
            found = [stage for stage in stages if stage.number == number]
            if not found:
                raise EntryNotFound
            return stage_json(seen, found[0])

        return self.show(request, tournament_id, make, live=True)


class StandingsView(Reading):
    """How it stands."""

    @reading("tournaments_standings", "Standings", StandingsShape, IF_NONE_MATCH)
    def get(self, request: Request, tournament_id: UUID) -> HttpResponse:
        """Everyone who is ranked, best first; tables that are being played count as they stand."""

        def make(seen: Overview) -> Any:
            found = standings_of(tournament_id=tournament_id, state=seen.state)
            return {"version": seen.state.version, "standings": [standing_json(seen, place) for place in found]}

        return self.show(request, tournament_id, make, live=True)


class TablesView(Reading):
    """The tables."""

    @reading("tournaments_tables", "Tables", TournamentTablesShape, IF_NONE_MATCH)
    def get(self, request: Request, tournament_id: UUID) -> HttpResponse:
        """Every table with its seats, its game and its result; those of rounds that were undone are void."""

        def make(seen: Overview) -> Any:
            found = tables_of(tournament_id=tournament_id, state=seen.state)
            return {"version": seen.state.version, "tables": [table_json(seen, view) for view in found]}

        return self.show(request, tournament_id, make, live=False)


class LogView(Reading):
    """The log."""

    query: ClassVar[type[StrictSerializer]] = LogQuery

    @reading("tournaments_log", "Log", TournamentLogShape, LogQuery, IF_NONE_MATCH)
    def get(self, request: Request, tournament_id: UUID) -> HttpResponse:
        """What happened, when and by whom; the words of reasons for whoever runs the tournament, and staff."""
        asked, viewer = self.asked, caller(request)
        tournament = tournament_get(tournament_id=tournament_id, viewer=viewer)
        reasons = may_read_reasons(viewer, tournament)
        lines = log_load(tournament_id=tournament_id, after=asked["after"], limit=asked["limit"])
        lines = tuple(line for line in lines if line.version <= tournament.version)
        told = {
            "version": tournament.version,
            **_log_pages(tournament, lines, after=asked["after"], limit=asked["limit"]),
            "events": [line_json(line, reasons=reasons) for line in lines],
        }
        return tagged(answer(told), tag=tournament_tag(tournament), if_none_match=_if_none_match(request))


def _log_pages(tournament: Tournament, lines: Sequence[LogLine], *, after: int, limit: int) -> dict[str, str | None]:
    """Where the log goes on, and where it comes from."""
    path = f"{tournament_path(tournament)}log/"
    more = bool(lines) and lines[-1].version < tournament.version
    return {
        "next": address(f"{path}?after={lines[-1].version}&limit={limit}") if more else None,
        "previous": address(f"{path}?after={max(0, after - limit)}&limit={limit}") if after else None,
    }


def entries_answer(request: Request, tournament_id: UUID) -> HttpResponse:
    """All entries of a tournament."""
    viewer = caller(request)
    seen = overview(tournament_id=tournament_id, viewer=viewer)
    tag = tournament_tag(seen.tournament)
    return tagged(answer(entries_json(seen)), tag=tag, if_none_match=_if_none_match(request))


def tagged_alike(request: Request, tag: str) -> bool:
    """The caller has this state already."""
    header = _if_none_match(request)
    return bool(header) and unchanged(header, tag)


def _if_none_match(request: Request) -> str:
    return str(request.META.get("HTTP_IF_NONE_MATCH", ""))
