"""The audit log, the audits and the signing keys in the admin: to be read, filtered and taken along."""

import json
from typing import TYPE_CHECKING, Any, Final, cast

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.urls import URLPattern, path
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.audit.entries import entry_data, entry_line
from games.models import AuditEntry, AuditKind, AuditRun, Phase, Seat, SigningKey
from players.models import Player
from players.read_only import ReadOnly

if TYPE_CHECKING:
    _EntryPages = admin.ModelAdmin[AuditEntry]
    _RunPages = admin.ModelAdmin[AuditRun]
    _KeyPages = admin.ModelAdmin[SigningKey]
else:  # the theme's; it takes no type argument at run time
    from unfold.admin import ModelAdmin

    _EntryPages = _RunPages = _KeyPages = ModelAdmin

PORTION: Final = 500
_ENTRY: Final = ("at", "kind", "code", "game", "player", "subject", "seat", "version", "reason", "told", "expires_at")
_RUN: Final = ("started_at", "night", "asked", "games", "checked", "failed", "differing", "seen_at", "finished_at")


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnly, _EntryPages):
    """What happened and is no event. The command of a refusal is shown when its game is over: it may name a card."""

    list_display = ("at", "kind", "code", "game", "player", "subject", "version", "reason")
    list_filter = ("kind", ("at", admin.DateFieldListFilter), "code")
    search_fields = ("=game__id", "=player__name", "=subject__name", "reason")
    search_help_text = "a game's id, a player's name, or words of a reason"
    list_select_related = ("game", "player", "subject")
    ordering = ("-id",)
    list_per_page = 50
    show_full_result_count = False
    fields = _ENTRY
    readonly_fields = _ENTRY
    change_list_template = "admin/games/auditentry/change_list.html"

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Also by game: its page leads here."""
        return lookup == "game__id__exact" or bool(super().lookup_allowed(lookup, value, request))  # type: ignore[arg-type, unused-ignore]

    def get_queryset(self, request: HttpRequest) -> QuerySet[AuditEntry]:
        """Without what was refused in a running game in which the reader sits, or sat.

        A refusal's code alone may tell of a hand: that a Breaker is locked, that something could be played.
        """
        entries: QuerySet[AuditEntry] = super().get_queryset(request)
        own = Seat.objects.filter(game_id=OuterRef("game_id"), player=cast("Player", request.user))
        return entries.exclude(Exists(own), kind=AuditKind.REFUSED, game__phase=Phase.PLAYING)

    def get_urls(self) -> list[URLPattern]:
        """Django's, and the export."""
        own = path("export/", self.admin_site.admin_view(self.export_view), name="games_auditentry_export")
        return [own, *super().get_urls()]

    @admin.display(description="data")
    def told(self, entry: AuditEntry) -> SafeString:
        """The rest of what the entry says."""
        return format_html("<code>{}</code>", json.dumps(entry_data(entry), ensure_ascii=False))

    def export_view(self, request: HttpRequest) -> HttpResponse | StreamingHttpResponse:
        """The entries that the list shows, newest first, one JSON object a line."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        entries: QuerySet[AuditEntry] = self.get_changelist_instance(request).get_queryset(request)
        lines = (entry_line(entry) + "\n" for entry in entries.iterator(chunk_size=PORTION))
        headers = {"Content-Disposition": 'attachment; filename="audit-log.ndjson"', "Cache-Control": "no-store"}
        return StreamingHttpResponse(lines, content_type="application/x-ndjson", headers=headers)


@admin.register(AuditRun)
class AuditRunAdmin(ReadOnly, _RunPages):
    """The audits, each with how far it has come."""

    list_display = _RUN
    list_filter = (("started_at", admin.DateFieldListFilter),)
    ordering = ("-id",)
    fields = _RUN
    readonly_fields = _RUN

    @admin.display(description="of")
    def asked(self, run: AuditRun) -> str:
        """Which games."""
        told = {name: value for name, value in run.scope.items() if value and name in ("games", "since", "sample")}
        return ", ".join(f"{name}: {value}" for name, value in told.items()) or "all games"


@admin.register(SigningKey)
class SigningKeyAdmin(ReadOnly, _KeyPages):
    """The keys, and since when each."""

    list_display = ("key", "public", "since")
    ordering = ("id",)
    fields = ("key", "public", "since")
    readonly_fields = fields

    @admin.display(description="public key")
    def public(self, key: SigningKey) -> str:
        """In hexadecimal."""
        return bytes(key.public_key).hex()


__all__: list[Any] = ["AuditEntryAdmin", "AuditRunAdmin", "SigningKeyAdmin"]
