"""Tables: making, finding, joining, leaving and starting them."""

from collections.abc import Callable
from typing import Any, ClassVar, cast
from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request
from uuid_utils.compat import uuid7

from games.api.answers import game_json, game_path, game_tag, with_seating
from games.api.paging import games_page, link
from games.api.serializers import BotBody, GameBody, GameQuery, JoinBody
from games.api.shapes import GameListShape, GameShape
from games.errors import NoSuchSeat, WrongPhase
from games.models import Game
from games.rules.cards import Seat
from games.rules.commands import LEAVE
from games.selectors import game_get, game_list
from games.services import (
    GameSettings,
    PlayerActor,
    game_create,
    game_join,
    game_leave,
    game_seat_bot,
    game_start,
    game_submit,
)
from games.services.guarded import under_lock
from players.api.answers import address, answer, response, tagged, tags
from players.api.door import Empty, Endpoint, caller, idempotency_key, request_digest
from players.api.errors import PreconditionFailed
from players.api.fields import StrictSerializer, invalid
from players.api.schema import IF_MATCH, IF_NONE_MATCH, reading, writing
from players.idempotency import Answer
from players.models import Player


def told(game: Game, viewer: Player, *, status: int = 200) -> Answer:
    """The table after an act of the viewer."""
    headers = {"ETag": f'"{game_tag(game)}"'}
    if status == 201:
        headers["Location"] = address(game_path(game.pk))
    return answer(game_json(with_seating(game), viewer), status=status, headers=headers)


class GamesView(Endpoint):
    """Open tables, running and finished games; and new ones."""

    query: ClassVar[type[StrictSerializer]] = GameQuery

    @reading("games_list", "List games", GameListShape, GameQuery, without=(404,))
    def get(self, request: Request) -> HttpResponse:
        """The games that the caller may know of, the newest first."""
        viewer, asked = caller(request), self.asked
        filters = {name: asked.get(name) for name in ("phase", "mode", "seats_free", "player")}
        page = games_page(
            game_list(viewer=viewer, **cast("dict[str, Any]", filters)),
            cursor=asked.get("cursor"),
            limit=asked["limit"],
        )
        listed = {
            "next": link(request.path, asked, page.next),
            "previous": link(request.path, asked, page.previous),
            "results": [game_json(game, viewer) for game in page.games],
        }
        return response(answer(listed))

    @writing("games_create", "Create a game", GameBody, 201, GameShape, without=(404,))
    def post(self, request: Request) -> HttpResponse:
        """A new table in the lobby; the caller sits on seat 0 and is its host."""
        body = self.body(request, GameBody)
        host = caller(request)
        entropy = body.pop("entropy", None) or b""
        chosen = {name: value for name, value in body.items() if not (name == "name" and value is None)}
        settings = GameSettings(**chosen)
        return self.once(
            request, lambda: told(game_create(host=host, settings=settings, entropy=entropy), host, status=201)
        )


class GameView(Endpoint):
    """One table."""

    @reading("games_get", "A game", GameShape, IF_NONE_MATCH)
    def get(self, request: Request, game_id: UUID) -> HttpResponse:
        """The summary of a game: who sits there, whose turn it is, how it ended."""
        viewer = caller(request)
        game = game_get(game_id=game_id, viewer=viewer)
        made = answer(game_json(game, viewer))
        return tagged(made, tag=game_tag(game), if_none_match=request.META.get("HTTP_IF_NONE_MATCH", ""))


class LobbyEndpoint(Endpoint):
    """An act on a table, answered with the table. ``strangers``: also for who may not know of a private one."""

    strangers: ClassVar[bool] = False

    def act(self, request: Request, game_id: UUID, act: Callable[[], Game]) -> HttpResponse:
        """Carry it out, once for each `Idempotency-Key`, and only if the game is as `If-Match` says."""
        player = caller(request)
        wanted = _if_match(request)
        if wanted is None:
            return self.once(request, lambda: told(act(), player))

        def check(game: Game) -> None:
            if game_tag(game) not in wanted:
                raise PreconditionFailed(game.version)

        def make() -> Answer:
            if not self.strangers:
                game_get(game_id=game_id, viewer=player)
            return told(under_lock(game_id=game_id, check=check, act=act), player)

        return self.once(request, make)


def _if_match(request: Request) -> frozenset[str] | None:
    """The tags that `If-Match` names; None without one, or for `*`. A weak tag never matches. ValidationError."""
    header = request.META.get("HTTP_IF_MATCH", "").strip()
    if not header or header == "*":
        return None
    named = tags(header)
    if named is None:
        raise invalid("If-Match", "bad_etag")
    return frozenset(tag for weak, tag in named if not weak)


class JoinView(LobbyEndpoint):
    """Sitting down."""

    strangers = True

    @writing("games_join", "Join a game", JoinBody, 200, GameShape, IF_MATCH, more=(412,))
    def post(self, request: Request, game_id: UUID) -> HttpResponse:
        """Sit down on the seat named, or on the first free one."""
        body = self.body(request, JoinBody)

        def join() -> Game:
            return game_join(
                game_id=game_id,
                player=caller(request),
                seat=body.get("seat"),
                invite_code=body.get("invite_code"),
                entropy=body.get("entropy") or b"",
            )

        try:
            return self.act(request, game_id, join)
        except NoSuchSeat as none:
            raise invalid("seat", "out_of_range", least=0, most=none.seats - 1) from none


class LeaveView(LobbyEndpoint):
    """Getting up."""

    @writing("games_leave", "Leave a game", Empty, 200, GameShape, IF_MATCH, more=(412,))
    def post(self, request: Request, game_id: UUID) -> HttpResponse:
        """In the lobby: free the seat; if the host leaves, the next player is host. In a game: rule Z4."""
        self.body(request)
        key = idempotency_key(request) or uuid7()
        return self.act(request, game_id, lambda: _left(request, game_id, key))


def _left(request: Request, game_id: UUID, key: UUID) -> Game:
    player = caller(request)
    try:
        return game_leave(game_id=game_id, player=player)
    except WrongPhase as begun:
        if begun.code != "already_started":
            raise
    appended = game_submit(
        game_id=game_id,
        actor=PlayerActor(player.pk),
        commands=(LEAVE,),
        command_id=key,
        digest=request_digest(request),
    )
    return appended.game


class StartView(LobbyEndpoint):
    """The deal."""

    @writing("games_start", "Start a game", Empty, 200, GameShape, IF_MATCH, more=(412,))
    def post(self, request: Request, game_id: UUID) -> HttpResponse:
        """Begin, with every seat taken; the host's alone. Starting twice starts once."""
        self.body(request)
        return self.act(request, game_id, lambda: game_start(game_id=game_id, actor=caller(request)).game)


class SeatBotView(LobbyEndpoint):
    """Built-in bots at the table."""

    @writing("games_seat_bot", "Seat a bot", BotBody, 200, GameShape, IF_MATCH, more=(412,))
    def post(self, request: Request, game_id: UUID, seat: int) -> HttpResponse:
        """Put a built-in bot on a free seat; the host's alone."""
        level = self.body(request, BotBody)["level"]

        def seat_bot() -> Game:
            return game_seat_bot(game_id=game_id, actor=caller(request), seat=Seat(seat), level=level)

        return self.act(request, game_id, seat_bot)
