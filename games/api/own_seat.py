"""The caller's own seat: what it does unasked, and coming back to it."""

from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from games.api.serializers import OwnSeatBody
from games.api.shapes import GameShape, OwnSeatShape
from games.api.views import LobbyEndpoint
from games.selectors import seat_of
from games.services import seat_auto_accept, seat_return
from players.api.answers import answer
from players.api.door import Empty, Endpoint, caller
from players.api.schema import writing
from players.idempotency import Answer


class MeView(Endpoint):
    """What the seat does unasked."""

    @writing("games_me", "Change one's own seat", OwnSeatBody, 200, OwnSeatShape)
    def patch(self, request: Request, game_id: UUID) -> HttpResponse:
        """Accept every +3 unasked from the next one on, or no longer. Nobody else is told."""
        auto_accept = self.body(request, OwnSeatBody)["auto_accept"]

        def change() -> Answer:
            player = caller(request)
            seat_auto_accept(game_id=game_id, player=player, auto_accept=auto_accept)
            return answer({"seat": seat_of(game_id=game_id, player=player), "auto_accept": auto_accept})

        return self.once(request, change)


class ReturnView(LobbyEndpoint):
    """Coming back."""

    @writing("games_return", "Come back", Empty, 200, GameShape)
    def post(self, request: Request, game_id: UUID) -> HttpResponse:
        """Play for oneself again at once, after a bot has stood in. Harmless when one was not away."""
        self.body(request)
        return self.act(request, game_id, lambda: seat_return(game_id=game_id, player=caller(request)))
