"""Tickets for streams, for clients that cannot send a header (a browser's EventSource)."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpResponse
from rest_framework.request import Request

from games.api.answers import game_path
from games.api.shapes import TicketShape
from games.selectors import game_get
from games.streaming.tickets import TICKET_SECONDS, ticket_create
from players.api.answers import answer, instant, response
from players.api.authentication import LoggedIn
from players.api.door import Empty, Endpoint, caller
from players.api.schema import writing
from players.models import Scope, Token

MY_STREAM = "/api/v1/players/me/stream/"


class TicketEndpoint(Endpoint):
    """A ticket is good for what reading is; it changes nothing. Each request draws a new one, whatever its key."""

    def allows(self, token: Token, method: str) -> bool:
        """Whoever may read may follow."""
        return Scope.READ in token.scopes

    def ticket(self, request: Request, path: str) -> HttpResponse:
        """A ticket for the stream at this path. ValkeyAway."""
        self.body(request)
        expires_at = datetime.now(UTC) + timedelta(seconds=TICKET_SECONDS)
        by: Any = request.auth
        token_id = by.pk if isinstance(by, Token) else None
        session_key = str(by.session.session_key) if isinstance(by, LoggedIn) else ""
        ticket = ticket_create(player_id=caller(request).pk, subject=path, token_id=token_id, session_key=session_key)
        url = f"{settings.TAKI_STREAM_URL}{path}?ticket={ticket}"
        return response(answer({"ticket": ticket, "expires_at": instant(expires_at), "url": url}, status=201))


class GameTicketView(TicketEndpoint):
    """A game's."""

    @writing("games_stream_ticket", "A game stream's ticket", Empty, 201, TicketShape, keyed=False, without=(409,))
    def post(self, request: Request, game_id: UUID) -> HttpResponse:
        """Opens `links.stream` once, within a minute: add it as `?ticket=`."""
        game_get(game_id=game_id, viewer=caller(request))
        return self.ticket(request, f"{game_path(game_id)}stream/")


class MyTicketView(TicketEndpoint):
    """The caller's own."""

    @writing(
        "players_stream_ticket",
        "A ticket for one's own stream",
        Empty,
        201,
        TicketShape,
        keyed=False,
        without=(404, 409),
    )
    def post(self, request: Request) -> HttpResponse:
        """Opens `players/me/stream/` once, within a minute: add it as `?ticket=`."""
        return self.ticket(request, MY_STREAM)
