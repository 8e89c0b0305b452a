"""A table and its log, to be looked at."""

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from uuid import UUID

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from games import store
from games.admin.looking import LookingPages
from games.admin.replay import replay_link, replay_urls
from games.models import Game, Phase
from games.models import Seat as SeatRow
from games.selectors import events_load
from players.read_only import ReadOnly

if TYPE_CHECKING:
    _GamePages = admin.ModelAdmin[Game]
else:  # the theme's; it takes no type argument at run time
    from unfold.admin import ModelAdmin as _GamePages

PAGE: Final = 100
OVER: Final = (Phase.FINISHED, Phase.ABORTED)
_COLUMNS: Final = (
    "id", "name", "phase", "version", "visibility", "house_rules", "seating_table", "log_link", "replay", "host_seat",
    "turn", "direction", "cards", "stages", "left", "winner", "ranking", "turn_seconds", "bank_seconds",
    "increment_seconds", "reaction_seconds", "game_minutes", "first_player", "deadline", "commitment", "head",
    "abort_reason", "created_at", "started_at", "ended_at", "frozen", "verification", "signature", "audit_links",
)  # fmt: skip


class Line(NamedTuple):
    """One event as the log page shows it."""

    version: int
    type: str
    data: str
    actor: str
    at: object


@admin.register(Game)
class GameAdmin(ReadOnly, LookingPages, _GamePages):
    """Tables and their summaries, their seats, and a page for the log. (A model with a composite key cannot be
    registered, and five thousand events are no inline.)"""

    list_display = ("id", "name", "phase", "mode", "seats", "version", "created_at", "deadline", "replay")
    list_filter = ("phase", "visibility", "seats", ("frozen_at", admin.EmptyFieldListFilter))
    search_fields = ("id", "name")
    ordering = ("-id",)
    list_per_page = 50
    show_full_result_count = False
    fields = _COLUMNS
    readonly_fields = _COLUMNS

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        """Without the invite codes: staff need none."""
        return super().get_queryset(request).defer("invite_code")

    def get_urls(self) -> list[URLPattern]:
        """Django's, the log page, and the replay's."""
        own = path("<uuid:game_id>/log/", self.admin_site.admin_view(self.log_view), name="games_game_log")
        return [own, *replay_urls(self), *super().get_urls()]

    @admin.display(description="mode")
    def mode(self, game: Game) -> str:
        """Single or ladder."""
        return str(game.house_rules.get("mode", "single"))

    @admin.display(description="head of the chain")
    def head(self, game: Game) -> str:
        """The last event's hash."""
        return bytes(game.head_hash).hex()

    @admin.display(description="log")
    def log_link(self, game: Game) -> SafeString:
        """The way to the log page."""
        address = reverse("admin:games_game_log", args=[game.pk])
        return format_html('<a href="{}">{} events</a>', address, game.version)

    @admin.display(description="replay")
    def replay(self, game: Game) -> SafeString | str:
        """The way to the replay."""
        return replay_link(game)

    @admin.display(description="seats")
    def seating_table(self, game: Game) -> SafeString:
        """Who sits, or sat, where, from which version to which."""
        rows = SeatRow.objects.filter(game_id=game.pk).select_related("player").order_by("seat", "from_version")
        lines = format_html_join(
            "",
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            ((row.seat, _sitter(row), row.from_version, _until(row)) for row in rows),
        )
        return format_html(
            "<table><tr><th>seat</th><th>who</th><th>from version</th><th>to version</th></tr>{}</table>", lines
        )

    def log_view(self, request: HttpRequest, game_id: UUID) -> HttpResponse:
        """The log in pages: as a spectator knows it while the game runs, in full once it is over."""
        game = self.get_queryset(request).filter(pk=game_id).first()
        if not self.has_view_permission(request, game):
            raise PermissionDenied
        if game is None:
            raise Http404
        after = _after(request.GET.get("after", "0"))
        context = {
            **self.admin_site.each_context(request),
            "title": f"Log of {game}",
            "game": game,
            "opts": self.opts,
            "full": game.phase in OVER,
            "lines": _lines(game, after),
            "previous": max(0, after - PAGE) if after else None,
            "next": after + PAGE if after + PAGE < game.version else None,
            "last": (game.version - 1) // PAGE * PAGE if game.version else 0,
        }
        return TemplateResponse(request, "admin/games/game/log.html", context)


def _after(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else 0


def _lines(game: Game, after: int) -> list[Line]:
    if game.phase not in OVER:
        seen = events_load(game_id=game.pk, seat=None, after=after, limit=PAGE)
        return [
            Line(event.version, event.type, _shown(event.type, event.data), "", event.recorded_at) for event in seen
        ]
    return [
        Line(event.version, event.type, _shown(event.type, event.data), event.actor, event.recorded_at)
        for event in store.log(game_id=game.pk, after=after, limit=PAGE)
    ]


def _shown(kind: str, data: dict[str, Any]) -> str:
    """The data as text; the seed is told by the audit endpoint and never here."""
    return "(see the audit)" if kind == "SeedRevealed" else json.dumps(data)


def _sitter(row: SeatRow) -> str:
    if row.player is not None:
        return row.player.name
    return f"bot: {row.bot}" if row.bot else "—"


def _until(row: SeatRow) -> str:
    return "" if row.until_version is None else str(row.until_version)
