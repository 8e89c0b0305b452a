"""Tickets for a tournament's stream."""

from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from games.api.shapes import TicketShape
from games.api.tickets import TicketEndpoint
from players.api.door import Empty, caller
from players.api.schema import writing
from tournaments.api.answers import tournament_path
from tournaments.selectors import tournament_get


class TournamentTicketView(TicketEndpoint):
    """A tournament's."""

    @writing(
        "tournaments_stream_ticket",
        "A tournament stream's ticket",
        Empty,
        201,
        TicketShape,
        keyed=False,
        without=(409,),
    )
    def post(self, request: Request, tournament_id: UUID) -> HttpResponse:
        """Opens `stream/` of the tournament once, within a minute: add it as `?ticket=`."""
        tournament = tournament_get(tournament_id=tournament_id, viewer=caller(request))
        return self.ticket(request, f"{tournament_path(tournament)}stream/")
