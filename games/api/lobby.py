"""Acts on a table before its game and around it, each answered with the table."""

from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request
from uuid_utils.compat import uuid7

from games.api.acts import LobbyEndpoint, told
from games.api.serializers import AbortBody, BotBody, EntropyBody, JoinBody
from games.api.shapes import GameShape
from games.errors import NoSuchSeat, WrongPhase
from games.models import Game
from games.rules.cards import Seat
from games.rules.commands import LEAVE
from games.services import (
    PlayerActor,
    game_abort,
    game_join,
    game_kick,
    game_leave,
    game_rematch,
    game_seat_bot,
    game_start,
    game_submit,
)
from players.api.door import Empty, caller, idempotency_key, request_digest
from players.api.fields import invalid
from players.api.schema import IF_MATCH, writing
from players.idempotency import Answer


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


class KickView(LobbyEndpoint):
    """Taking somebody off the table."""

    @writing("games_kick", "Kick", Empty, 200, GameShape, IF_MATCH, more=(412,))
    def post(self, request: Request, game_id: UUID, seat: int) -> HttpResponse:
        """Free a seat of its player, who cannot sit down at this table again, or of its bot; the host's alone.

        `If-Match` makes sure that it is the one whom you saw there.
        """
        self.body(request)
        return self.act(request, game_id, lambda: game_kick(game_id=game_id, actor=caller(request), seat=Seat(seat)))


class AbortView(LobbyEndpoint):
    """Ending what shall not count."""

    @writing("games_abort", "Abort a game", AbortBody, 200, GameShape, IF_MATCH, more=(412,))
    def post(self, request: Request, game_id: UUID) -> HttpResponse:
        """Give the table up: its host in the lobby, staff at any time and with a reason. Twice is once."""
        reason = self.body(request, AbortBody).get("reason") or ""
        return self.act(request, game_id, lambda: game_abort(game_id=game_id, actor=caller(request), reason=reason))


class RematchView(LobbyEndpoint):
    """Once more."""

    @writing("games_rematch", "Rematch", EntropyBody, 201, {201: GameShape, 200: GameShape}, IF_MATCH, more=(412,))
    def post(self, request: Request, game_id: UUID) -> HttpResponse:
        """Sit down at the rematch of a game that is over and in which one sat; whoever is first makes it (201).

        It is one table for all of them, with the settings and the bots of before; each is offered the seat after its
        own. They are invited until it starts, and need no code.
        """
        entropy = self.body(request, EntropyBody).get("entropy") or b""
        player = caller(request)

        def make() -> Answer:
            game, created = game_rematch(game_id=game_id, player=player, entropy=entropy)
            return told(game, player, status=201 if created else 200)

        return self.answered(request, game_id, make)
