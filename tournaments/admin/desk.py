"""The list of tournaments, the way to a new one, and the pages and buttons of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.views.decorators.http import require_POST

from players.models import Player
from tournaments import services
from tournaments.admin import dashboard, exporting, importing, pressing, staff
from tournaments.admin.context import desk_context, table_context
from tournaments.admin.creating import EntriesFile, NewTournament, terms_form
from tournaments.admin.patterns import BY_KEY, PATTERNS
from tournaments.admin.reading import Unreadable, number, press_of
from tournaments.errors import TournamentError
from tournaments.models import Tournament
from tournaments.roles import runs
from tournaments.services import Acted

if TYPE_CHECKING:
    _TournamentPages = admin.ModelAdmin[Tournament]
else:  # the theme's; it takes no type argument at run time
    from unfold.admin import ModelAdmin as _TournamentPages

MOST_AT_ONCE: Final = 500  # entries in one bulk act
_NAMES: Final = "tournaments_tournament"
_FAULTS: Final = (TournamentError, Unreadable)


class TournamentAdmin(_TournamentPages):
    """Tournaments: a list, and for each one the desk. No field is ever edited in place."""

    list_display = ("name", "phase", "format", "places", "owner", "starts_at", "created_at")
    list_filter = ("phase", "format", "visibility")
    search_fields = ("name",)
    ordering = ("-id",)
    list_per_page = 50
    list_select_related = ("owner",)
    show_full_result_count = False
    actions = None

    @admin.display(description="places")
    def places(self, tournament: Tournament) -> str:
        """Taken, of all."""
        return f"{tournament.taken} / {tournament.capacity}"

    # ---- who may

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tournament]:
        """One's own; all of them for those who may see all."""
        return dashboard.seen_by(_player(request)).select_related("owner")

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Any role at the desk."""
        return staff.may_open(_player(request))

    def has_view_permission(self, request: HttpRequest, obj: Tournament | None = None) -> bool:
        """One's own, or any with the right to."""
        player = _player(request)
        return staff.may_open(player) if obj is None else staff.may_see(player, obj)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Organisers and superusers."""
        return staff.may_create(_player(request))

    def has_change_permission(self, request: HttpRequest, obj: Tournament | None = None) -> bool:
        """Nobody edits a row; the buttons ask the services."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Tournament | None = None) -> bool:
        """Nobody: a log is kept."""
        return False

    # ---- where the pages are

    def get_urls(self) -> list[URLPattern]:
        """Django's list and add page, and the desk's own."""
        pages = (
            ("", self.desk_view, "change"),
            ("press/", require_POST(self.press_view), "press"),
            ("entries/", require_POST(self.entries_view), "entries"),
            ("register/", require_POST(self.register_view), "register"),
            ("tables/", require_POST(self.tables_view), "tables"),
            ("tables/<int:table>/", self.table_view, "table"),
            ("terms/", self.terms_view, "terms"),
            ("import/", self.import_view, "import"),
            ("export/<slug:what>.<slug:form>", self.export_view, "export"),
        )
        own = [
            path(
                f"<uuid:tournament_id>/{where}", self.admin_site.admin_view(view), name=f"tournaments_tournament_{name}"
            )
            for where, view, name in pages
        ]
        change = path("<uuid:tournament_id>/change/", self.admin_site.admin_view(self.desk_view))
        return [*own, change, *super().get_urls()]

    # ---- making one

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """First the templates to choose from, then the form that the chosen one has filled in."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        pattern = BY_KEY.get(request.GET.get("pattern", ""))
        if pattern is None and request.method != "POST":
            return self._page(request, "patterns", "New tournament", {"patterns": PATTERNS})
        form = NewTournament(
            request.POST if request.method == "POST" else None, initial=pattern.initial if pattern else None
        )
        if request.method == "POST" and form.is_valid():
            try:
                made = services.tournament_create(owner=_player(request), **form.settings())
            except TournamentError as error:
                form.add_error(None, pressing.sentence(error))
            else:
                messages.success(request, f"“{made.name}” has been created as a draft.")
                return HttpResponseRedirect(_desk(made.pk))
        title = pattern.title if pattern else "New tournament"
        return self._page(request, "form", title, {"form": form, "submit": "Create"})

    # ---- the desk and its buttons

    def desk_view(self, request: HttpRequest, tournament_id: UUID) -> HttpResponse:
        """State and next step, entries, tables, stages, standings, log."""
        tournament = self._seen(request, tournament_id)
        context = desk_context(tournament, request, may_run=runs(_player(request), tournament))
        return self._page(request, "desk", tournament.name, {"tournament": tournament, **context})

    def press_view(self, request: HttpRequest, tournament_id: UUID) -> HttpResponse:
        """A button about the tournament as a whole."""
        name, form = request.POST.get("act", ""), request.POST.dict()
        return self._pressed(
            request,
            tournament_id,
            lambda player: pressing.press_whole(name=name, tournament_id=tournament_id, actor=player, form=form),
            "state",
        )

    def tables_view(self, request: HttpRequest, tournament_id: UUID) -> HttpResponse:
        """A button about one table."""
        name, form = request.POST.get("act", ""), request.POST.dict()
        return self._pressed(
            request,
            tournament_id,
            lambda player: pressing.press_table(name=name, tournament_id=tournament_id, actor=player, form=form),
            "tables",
        )

    def entries_view(self, request: HttpRequest, tournament_id: UUID) -> HttpResponse:
        """One act about each of the entries that were ticked; those it does not fit are named and stay as they are."""
        tournament, player = self._seen(request, tournament_id), _player(request)
        name, form = request.POST.get("act", ""), request.POST.dict()
        done, faults = [], []
        ticked = request.POST.getlist("entry")[:MOST_AT_ONCE]
        for text in ticked:
            try:
                entry = number(text)
                pressing.press_entry(name=name, tournament_id=tournament.pk, actor=player, entry=entry, form=form)
                done.append(entry)
            except _FAULTS as fault:
                faults.append((text[:6], pressing.sentence(fault)))
        if not ticked:
            messages.warning(request, "Tick the entries first.")
        if done:
            messages.success(request, f"Done for entry {', '.join(map(str, done))}.")
        for sentence in dict.fromkeys(sentence for _, sentence in faults):
            named = ", ".join(text for text, other in faults if other == sentence)
            messages.error(request, f"Entry {named}: {sentence}")
        return HttpResponseRedirect(_desk(tournament_id) + "#entries")

    def register_view(self, request: HttpRequest, tournament_id: UUID) -> HttpResponse:
        """Names, one a line, and bots: all of them or none."""
        tournament, player = self._seen(request, tournament_id), _player(request)
        try:
            press = press_of(request.POST.dict(), "register")
            bots = number(request.POST.get("bots") or "0")
            count = importing.register_names(
                tournament=tournament, actor=player, text=request.POST.get("names", ""), bots=bots, press=press
            )
        except importing.BadRows as bad:
            for line in bad.lines:
                messages.error(request, line)
            messages.error(request, "Nobody was registered.")
        except _FAULTS as fault:
            messages.error(request, pressing.sentence(fault))
        else:
            messages.success(request, f"{count} registered." if count else "Nobody was named.")
        return HttpResponseRedirect(_desk(tournament_id) + "#entries")

    # ---- further pages

    def table_view(self, request: HttpRequest, tournament_id: UUID, table: int) -> HttpResponse:
        """One table: its games, and the form that corrects its result."""
        tournament = self._seen(request, tournament_id)
        context = table_context(tournament, table, may_run=runs(_player(request), tournament))
        if context is None:
            raise Http404
        return self._page(
            request, "table", f"{tournament.name}: table {table}", {**context, **_heading(tournament, f"table {table}")}
        )

    def terms_view(self, request: HttpRequest, tournament_id: UUID) -> HttpResponse:
        """The terms and the house rules, to be changed as long as the rules allow."""
        tournament = self._seen(request, tournament_id)
        if not runs(_player(request), tournament):
            raise PermissionDenied
        form = terms_form(request.POST if request.method == "POST" else None, tournament)
        if request.method == "POST" and form.is_valid():
            try:
                acted = services.tournament_edit(
                    tournament_id=tournament_id,
                    actor=_player(request),
                    terms=form.terms(),
                    tables=form.tables,
                )
            except TournamentError as error:
                form.add_error(None, pressing.sentence(error))
            else:
                changed = acted.lines or acted.tournament.revision != tournament.revision
                messages.success(request, "The terms have been changed." if changed else "Nothing was changed.")
                return HttpResponseRedirect(_desk(tournament_id))
        return self._page(
            request,
            "form",
            f"{tournament.name}: terms",
            {"form": form, "submit": "Change", "back": _desk(tournament_id), **_heading(tournament, "terms")},
        )

    def import_view(self, request: HttpRequest, tournament_id: UUID) -> HttpResponse:
        """Entries from a file: all of them or none; bad rows are named by line."""
        tournament = self._seen(request, tournament_id)
        if not runs(_player(request), tournament):
            raise PermissionDenied
        lines: tuple[str, ...] = ()
        if "too_large" in request.GET:
            lines = (importing.TOO_LARGE,)
        elif request.method == "POST":
            try:
                count = importing.import_file(
                    tournament=tournament, actor=_player(request), file=request.FILES.get("file")
                )
            except importing.BadRows as bad:
                lines = bad.lines
            else:
                messages.success(request, f"{count} registered from the file.")
                return HttpResponseRedirect(_desk(tournament_id) + "#entries")
        return self._page(
            request,
            "import",
            f"{tournament.name}: import",
            {"form": EntriesFile(), "bad": lines, **_heading(tournament, "import entries")},
        )

    def export_view(self, request: HttpRequest, tournament_id: UUID, what: str, form: str) -> HttpResponse:
        """Results, entries or the log as CSV or JSON."""
        tournament = self._seen(request, tournament_id)
        answer = exporting.answer(tournament=tournament, what=what, form=form)
        if answer is None:
            raise Http404
        return answer

    # ---- shared

    def _pressed(self, request: HttpRequest, tournament_id: UUID, act: Any, part: str) -> HttpResponse:
        self._seen(request, tournament_id)
        try:
            acted: Acted = act(_player(request))
        except _FAULTS as fault:
            messages.error(request, pressing.sentence(fault))
        else:
            if acted.repeated:
                messages.info(request, "This has been done already.")
            else:
                messages.success(request, "Done.")
        return HttpResponseRedirect(f"{_desk(tournament_id)}#{part}")

    def _seen(self, request: HttpRequest, tournament_id: UUID) -> Tournament:
        """The tournament, for those who may see it; for all others there is none."""
        tournament = Tournament.objects.select_related("owner").filter(pk=tournament_id).first()
        if tournament is None or not staff.may_see(_player(request), tournament):
            raise Http404
        return tournament

    def _page(self, request: HttpRequest, name: str, title: str, context: dict[str, Any]) -> TemplateResponse:
        shared = {**self.admin_site.each_context(request), "title": title, "opts": self.opts}
        return TemplateResponse(request, f"admin/tournaments/tournament/{name}.html", {**shared, **context})


def _heading(tournament: Tournament, heading: str) -> dict[str, Any]:
    return {"tournament": tournament, "heading": heading}


def _desk(tournament_id: UUID) -> str:
    return reverse("admin:tournaments_tournament_change", args=[tournament_id])


def _player(request: HttpRequest) -> Player:
    """Whoever asks: `admin_view` lets nobody else in."""
    player: Any = request.user
    return player  # type: ignore[no-any-return]
