"""The caller's own seat: which one it is, what it does unasked, and coming back to it."""

from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from games.api.acts import LobbyEndpoint
from games.api.serializers import OwnSeatBody
from games.api.shapes import GameShape, OwnSeatShape
from games.errors import NoSuchSeat
from games.selectors import game_get
from games.services import OwnSeat, own_seat, seat_change, seat_return
from players.api.answers import answer, response
from players.api.door import Empty, caller
from players.api.fields import invalid
from players.api.schema import IF_MATCH, reading, writing
from players.idempotency import Answer


class MeView(LobbyEndpoint):
    """One's own seat, as nobody else is told."""

    @reading("games_my_seat", "One's own seat", OwnSeatShape)
    def get(self, request: Request, game_id: UUID) -> HttpResponse:
        """Which seat it is, whether it accepts every +3 unasked, and what entropy it gave."""
        player = caller(request)
        game_get(game_id=game_id, viewer=player)
        return response(_told(own_seat(game_id=game_id, player=player)))

    @writing("games_me", "Change one's own seat", OwnSeatBody, 200, OwnSeatShape, IF_MATCH, more=(412,))
    def patch(self, request: Request, game_id: UUID) -> HttpResponse:
        """Change what is named, all of it or nothing.

        `auto_accept`: accept every +3 unasked from the next one on, or no longer; nobody else is told. In the lobby
        also `seat`, to move to a free one, and `entropy`, which everybody sees at once.
        """
        wanted = self.body(request, OwnSeatBody)
        player = caller(request)

        def change() -> Answer:
            return _told(seat_change(game_id=game_id, player=player, **wanted))

        try:
            return self.answered(request, game_id, change)
        except NoSuchSeat as none:
            raise invalid("seat", "out_of_range", least=0, most=none.seats - 1) from none


def _told(seat: OwnSeat) -> Answer:
    return answer({"seat": seat.seat, "auto_accept": seat.auto_accept, "entropy": seat.entropy.hex() or None})


class ReturnView(LobbyEndpoint):
    """Coming back."""

    @writing("games_return", "Come back", Empty, 200, GameShape, IF_MATCH, more=(412,))
    def post(self, request: Request, game_id: UUID) -> HttpResponse:
        """Play for oneself again at once, after a bot has stood in. Harmless when one was not away."""
        self.body(request)
        return self.act(request, game_id, lambda: seat_return(game_id=game_id, player=caller(request)))
