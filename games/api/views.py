"""Tables: making and finding them, and those of one player."""

from collections.abc import Mapping
from typing import Any, ClassVar, cast
from urllib.parse import quote
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpResponse
from rest_framework.request import Request

from games.api.acts import told
from games.api.answers import game_json, game_tag
from games.api.paging import games_page, link
from games.api.serializers import GameBody, GameQuery, PageQuery, PlayerGamesQuery
from games.api.shapes import GameListShape, GameShape
from games.models import Game, Phase
from games.selectors import game_get, game_list, invitation_list
from games.services import GameSettings, game_create
from games.streaming.presence import NOBODY, presence_of
from players.api.answers import answer, response, tagged
from players.api.door import Endpoint, caller
from players.api.fields import StrictSerializer
from players.api.schema import IF_NONE_MATCH, reading, writing
from players.models import Player
from players.selectors import player_named


def listed(request: Request, games: QuerySet[Game], asked: Mapping[str, Any]) -> HttpResponse:
    """One page of the games, as the caller may know them; in as many statements however many they are."""
    page = games_page(games, cursor=asked.get("cursor"), limit=asked["limit"])
    present = presence_of(game.pk for game in page.games if game.phase in (Phase.LOBBY, Phase.PLAYING))
    results = [game_json(game, caller(request), present.get(game.pk, NOBODY)) for game in page.games]
    pages = {name: link(quote(request.path), asked, getattr(page, name)) for name in ("next", "previous")}
    return response(answer({**pages, "results": results}))


class GamesView(Endpoint):
    """Open tables, running and finished games; and new ones."""

    query: ClassVar[type[StrictSerializer]] = GameQuery

    @reading("games_list", "List games", GameListShape, GameQuery, without=(404,))
    def get(self, request: Request) -> HttpResponse:
        """The games that the caller may know of, the newest first."""
        viewer, asked = caller(request), self.asked
        filters = {name: asked.get(name) for name in ("phase", "mode", "seats_free", "player")}
        found = game_list(viewer=viewer, **cast("dict[str, Any]", filters))
        return listed(request, found, asked)

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
        made = answer(game_json(game, viewer, presence_of([game_id]).get(game_id, NOBODY)))
        return tagged(made, tag=game_tag(game), if_none_match=request.META.get("HTTP_IF_NONE_MATCH", ""))


class PlayerGamesView(Endpoint):
    """The games of a player."""

    query: ClassVar[type[StrictSerializer]] = PlayerGamesQuery

    @reading("players_games", "A player's games", GameListShape, PlayerGamesQuery)
    def get(self, request: Request, name: str) -> HttpResponse:
        """The games at which this player sits or sat at the end, the newest first; private ones for who knows them."""
        return of_player(request, player_named(name), self.asked)


class MyGamesView(Endpoint):
    """The caller's own games."""

    query: ClassVar[type[StrictSerializer]] = PlayerGamesQuery

    @reading("players_my_games", "One's own games", GameListShape, PlayerGamesQuery, without=(404,))
    def get(self, request: Request) -> HttpResponse:
        """The games at which the caller sits or sat at the end, the newest first."""
        return of_player(request, caller(request), self.asked)


class InvitationsView(Endpoint):
    """Where one is awaited."""

    query: ClassVar[type[StrictSerializer]] = PageQuery

    @reading("players_invitations", "Invitations", GameListShape, PageQuery, without=(404,))
    def get(self, request: Request) -> HttpResponse:
        """The lobbies of rematches that wait for the caller: `join/` needs no code there."""
        return listed(request, invitation_list(player=caller(request)), self.asked)


def of_player(request: Request, player: Player, asked: Mapping[str, Any]) -> HttpResponse:
    """One page of the player's games."""
    found = game_list(viewer=caller(request), sitting=player, phase=asked.get("phase"), mode=asked.get("mode"))
    return listed(request, found, asked)
