"""The replay of any finished game, in the admin: the public page through another door."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final
from uuid import UUID

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.models import Game
from games.pages import facts, views
from games.pages.door import Door

_PAGES: Final[dict[str, tuple[str, Callable[..., HttpResponseBase]]]] = {
    "page": ("", views.replay_view),
    "film": ("film/", views.film_view),
    "moves": ("moves/", views.moves_view),
    "log": ("log/", views.log_view),
    "record": ("record/", views.record_view),
    "audit": ("audit/", views.audit_view),
}


def replay_urls(desk: admin.ModelAdmin[Game]) -> list[URLPattern]:
    """The routes of the replay under the admin's; for whoever may see games."""
    door = Door(partial(_found, desk), "admin:games_game_replay_", admin=True)
    return [
        path(
            f"<uuid:game_id>/replay/{tail}",
            desk.admin_site.admin_view(partial(view, door=door)),
            name=f"games_game_replay_{name}",
        )
        for name, (tail, view) in _PAGES.items()
    ]


def replay_link(game: Game) -> SafeString | str:
    """The way to the replay, once the game is over."""
    if game.phase not in facts.OVER or not game.version:
        return "—"
    return format_html('<a href="{}">replay</a>', reverse("admin:games_game_replay_page", args=[game.pk]))


def _found(desk: Any, request: HttpRequest, game_id: UUID) -> Game:
    if not desk.has_view_permission(request):
        raise PermissionDenied
    return facts.over(game_id=game_id)
