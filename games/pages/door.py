"""How the pages of a replay answer: whom they let in, in which language, under which policy, for how long kept."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, wraps
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.utils.cache import get_conditional_response
from django.utils.translation import ngettext
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from games.audit.verify import Forged
from games.errors import GameNotFound
from games.models import Game, Visibility
from games.pages import facts
from players.api.addresses import address_key
from players.api.errors import TooManyRequests
from players.api.throttles import REPLAYS, limit_spend

logger = logging.getLogger(__name__)

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
DAY: Final = 86_400

Answer = Callable[..., HttpResponseBase]


@dataclass(frozen=True, slots=True)
class Door:
    """One way in: ``find`` gives the game or raises GameNotFound, ``prefix`` names its routes."""

    find: Callable[[HttpRequest, UUID], Game]
    prefix: str
    admin: bool = False

    def path(self, name: str, game: Game) -> str:
        """The address of one of a game's pages."""
        return reverse(f"{self.prefix}{name}", args=[game.pk])


def _public(request: HttpRequest, game_id: UUID) -> Game:
    game = facts.over(game_id=game_id)
    if game.visibility == Visibility.PUBLIC:
        return game
    return facts.replayed(game_id=game_id, viewer=request.user)  # the session is read for private games only


PUBLIC: Final = Door(_public, "replay-")


def replay_page(view: Answer) -> Answer:
    """Read only, under the policy, in the language that `?lang=` names or the browser prefers, compressed, with a tag.

    The view gets the request, the game and the door; a game that this reader may not know of is 404.
    """

    @gzip_page
    def answered(request: HttpRequest, game_id: UUID, door: Door = PUBLIC) -> HttpResponseBase:
        with translation.override(_language(request)):
            try:
                if not door.admin:
                    limit_spend(REPLAYS, address_key(request))
                game = door.find(request, game_id)
            except TooManyRequests as many:
                return _wait(many.seconds)
            except GameNotFound:
                raise Http404 from None
            tag = _tag(request, game)
            answer = get_conditional_response(request, etag=tag) or _shown(view, request, game, door)
            answer.headers["Content-Language"] = translation.get_language() or settings.LANGUAGE_CODE
        if answer.status_code < 400:
            answer.headers["ETag"] = tag
        answer.headers.setdefault("Cache-Control", "no-cache" if _shared(game, door) else "private, no-cache")
        return answer

    @require_safe
    @wraps(view)
    def guarded(request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponseBase:
        answer = answered(request, *arguments, **named)
        # Also on a 304: its headers replace those of the page that the browser has kept.
        answer.headers["Content-Security-Policy"] = POLICY
        return answer

    return guarded


def _tag(request: HttpRequest, game: Game) -> str:
    """A tag that is known before anything is read of the log: what is asked, what of the game, by which program."""
    parts = (request.path, request.META.get("QUERY_STRING", ""), translation.get_language(), facts.stamp_of(game=game))
    return f'"{hashlib.sha256(repr((edition(), *parts)).encode()).hexdigest()[:32]}"'


@cache
def edition() -> str:
    """The program that makes the pages: its code, templates, scripts and words."""
    room = Path(__file__).resolve().parent.parent
    folders = ("pages", "rules", "rulebook", "templates/games", "static/games/replay", "locale")
    files = sorted(file for folder in folders for file in (room / folder).rglob("*.*") if file.is_file())
    return hashlib.sha256(b"".join(file.read_bytes() for file in files if file.suffix != ".pyc")).hexdigest()


def _shown(view: Answer, request: HttpRequest, game: Game, door: Door) -> HttpResponseBase:
    """What the view answers; a log that somebody changed may not even be readable, and is told so."""
    try:
        return view(request, game, door)
    except (Forged, ValueError, LookupError, TypeError) as unreadable:
        logger.warning("the log of game %s cannot be shown: %r", game.pk, unreadable)
        context = {"standing": facts.standing_of(game=game), "log": door.path("log", game)}
        return render(request, "games/unreadable.html", context, status=409)


def keep(answer: HttpResponse, game: Game, door: Door) -> HttpResponse:
    """Let the browser keep what can never change again; of a public game also whoever stands between."""
    answer.headers["Cache-Control"] = f"{'public' if _shared(game, door) else 'private'}, max-age={DAY}, immutable"
    return answer


def _wait(seconds: int) -> HttpResponse:
    """429 in a sentence; each of these pages reads a whole log, and anybody may ask."""
    text = ngettext(
        "Too often. Try again in %(seconds)s second.", "Too often. Try again in %(seconds)s seconds.", seconds
    )
    answer = HttpResponse(text % {"seconds": seconds}, content_type="text/plain; charset=utf-8", status=429)
    answer.headers["Retry-After"], answer.headers["Cache-Control"] = str(seconds), "no-store"
    return answer


def _shared(game: Game, door: Door) -> bool:
    return game.visibility == Visibility.PUBLIC and not door.admin


def _language(request: HttpRequest) -> str:
    asked = request.GET.get("lang", "")
    return asked if asked in dict(settings.LANGUAGES) else translation.get_language() or settings.LANGUAGE_CODE


def number(text: str, most: int) -> int | None:
    """A number from 0 to ``most`` as it stands in an address; None for anything else."""
    found = int(text) if text.isascii() and text.isdigit() and len(text) <= 6 else -1
    return found if 0 <= found <= most else None


Context = dict[str, Any]
