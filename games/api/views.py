"""Tables: making and finding them."""

from typing import Any, ClassVar, cast
from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from games.api.acts import told
from games.api.answers import game_json, game_tag
from games.api.paging import games_page, link
from games.api.serializers import GameBody, GameQuery
from games.api.shapes import GameListShape, GameShape
from games.selectors import game_get, game_list
from games.services import (
    GameSettings,
    game_create,
)
from players.api.answers import answer, response, tagged
from players.api.door import Endpoint, caller
from players.api.fields import StrictSerializer
from players.api.schema import IF_NONE_MATCH, reading, writing


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
