"""The replay of a finished game: its page, and the parts that the page fetches."""

from __future__ import annotations

import json
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import get_language_bidi
from django.utils.translation import gettext as _

from games import store
from games.api.auditing import audit_json
from games.audit.export import export_lines
from games.audit.published import looks_at, signature_of
from games.audit.recording import record_text
from games.models import Game
from games.pages import facts, labels
from games.pages.door import Context, Door, keep, number, replay_page
from games.pages.film import FORMAT, Viewer, film
from games.pages.moves import Line, lines
from games.rules.cards import Seat
from games.selectors import audit_load
from players.api.answers import NDJSON

_COMPACT: Final = (",", ":")


@replay_page
def replay_view(request: HttpRequest, game: Game, door: Door) -> HttpResponse:
    """The page. Without scripts: who played, the list of moves, whether the log verifies."""
    viewer = _viewer(request, game)
    sitters = facts.sitters_of(game=game)
    context: Context = {
        "game": game,
        "admin": door.admin,
        "title": game.name or _("A game of TAKI"),
        "viewer": str(viewer),
        "viewers": _viewers(game, sitters),
        "lines": _lines(game, viewer, sitters),
        "results": _results(game, sitters),
        "mode": labels.mode(game.house_rules),
        "house_rules": labels.house_rules(game.house_rules),
        "standing": facts.standing_of(game=game),
        "head": bytes(game.head_hash).hex(),
        "signed": signature_of(game_id=game.pk),
        "looks": looks_at(game_id=game.pk),
        "paths": {
            **{name: door.path(name, game) for name in ("moves", "log", "record", "audit")},
            "film": film_address(game, door),
        },
        "data": _data(game, sitters),
        "languages": settings.LANGUAGES,
        "keys": labels.keys(right_to_left=get_language_bidi()),
        "as_asked": f"&as={viewer}" if "as" in request.GET else "",
    }
    return render(request, "games/replay.html", context)


@replay_page
def film_view(request: HttpRequest, game: Game, door: Door) -> HttpResponse:
    """Every position as the viewer saw it (`?as=`); `head` and `format` in the address make it immutable."""
    made = film(game.pk, store.log(game_id=game.pk), _viewer(request, game), store.limits_of(game))
    text = json.dumps(made, separators=_COMPACT)
    return keep(HttpResponse(text, content_type="application/json"), game, door)


@replay_page
def moves_view(request: HttpRequest, game: Game, door: Door) -> HttpResponse:
    """The list of moves alone, as the viewer may know them."""
    context = {"lines": _lines(game, _viewer(request, game), facts.sitters_of(game=game))}
    return render(request, "games/moves.html", context)


@replay_page
def log_view(request: HttpRequest, game: Game, door: Door) -> HttpResponseBase:
    """The whole log as the verifier reads it (`taki verify`), one event a line, as a file."""
    parts = (line.encode("ascii") + b"\n" for line in export_lines(game_id=game.pk))
    answer = StreamingHttpResponse(parts, content_type=NDJSON)
    answer.headers["Content-Disposition"] = f'attachment; filename="taki-{game.pk}.ndjson"'
    return answer


@replay_page
def record_view(request: HttpRequest, game: Game, door: Door) -> HttpResponse:
    """The record: the whole game as text for people, which the verifier reads too."""
    answer = HttpResponse(record_text(game=game), content_type="text/plain; charset=utf-8")
    answer.headers["Content-Disposition"] = f'attachment; filename="taki-{game.pk}.txt"'
    return answer


@replay_page
def audit_view(request: HttpRequest, game: Game, door: Door) -> HttpResponse:
    """What the API's audit answers of the game, for who comes without a token."""
    return JsonResponse(audit_json(audit_load(game_id=game.pk)), json_dumps_params={"indent": 1})


def _viewer(request: HttpRequest, game: Game) -> Viewer:
    """Whose eyes `?as=` names; every hand open without it, or when it names nobody."""
    asked = request.GET.get("as", "all")
    if asked == "spectator":
        return "spectator"
    seat = number(asked, len(game.cards) - 1)
    return "all" if seat is None else Seat(seat)


def _viewers(game: Game, sitters: tuple[facts.Sitter, ...]) -> list[tuple[str, str]]:
    names = facts.names_at(sitters, len(game.cards), game.version)
    seats = [(str(seat), name) for seat, name in enumerate(names)]
    return [("all", _("All hands")), ("spectator", _("A spectator")), *seats]


def _lines(game: Game, viewer: Viewer, sitters: tuple[facts.Sitter, ...]) -> tuple[Line, ...]:
    return tuple(lines(store.log(game_id=game.pk), viewer, sitters, len(game.cards)))


def _results(game: Game, sitters: tuple[facts.Sitter, ...]) -> list[dict[str, object]]:
    """The final ranking with names; nothing for a game that was ended for good."""
    names = facts.names_at(sitters, len(game.cards), game.version)
    return [
        {**place, "name": names[place["seat"]], "won": place["seat"] == game.winner} for place in game.ranking or ()
    ]


def _data(game: Game, sitters: tuple[facts.Sitter, ...]) -> dict[str, str]:
    """What the scripts are told, as attributes of the page."""
    told = {
        "names": [[sitter.seat, sitter.since, sitter.name] for sitter in sitters],
        "seats": [facts.seat_name(seat) for seat in range(len(game.cards))],
        "cards": labels.cards(),
        "words": labels.words(),
    }
    return {name: json.dumps(value, separators=_COMPACT, ensure_ascii=False) for name, value in told.items()}


def film_address(game: Game, door: Door) -> str:
    """Where the film is; names what it hangs on, so that it can be kept."""
    return f"{door.path('film', game)}?head={bytes(game.head_hash).hex()[:16]}&format={FORMAT}"
