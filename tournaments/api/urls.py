"""The routes about tournaments, below `/api/v1/`."""

from django.urls import path, register_converter
from django.urls.converters import UUIDConverter

from tournaments.api.acts import ORGANISER_ACTS, CheckInView, EntriesView, EntryView, ForfeitView
from tournaments.api.tickets import TournamentTicketView
from tournaments.api.views import (
    LogView,
    StagesView,
    StageView,
    StandingsView,
    TablesView,
    TournamentsView,
    TournamentView,
)


class AnyCaseUUID(UUIDConverter):
    """A UUID in either case, as RFC 9562 wants it read."""

    regex = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"


class Number:
    """The number of an entry, a table or a stage, from 1."""

    regex = "[1-9][0-9]{0,5}"

    def to_python(self, value: str) -> int:
        """The number."""
        return int(value)

    def to_url(self, value: int) -> str:
        """Its digits."""
        return str(value)


register_converter(AnyCaseUUID, "tournament_id")
register_converter(Number, "number")
_ONE = "tournaments/<tournament_id:tournament_id>/"

urlpatterns = [
    path("tournaments/", TournamentsView.as_view(), name="tournaments"),
    path(_ONE, TournamentView.as_view(), name="tournament"),
    path(_ONE + "entries/", EntriesView.as_view(), name="tournament-entries"),
    path(_ONE + "entries/<number:number>/", EntryView.as_view(), name="tournament-entry"),
    path(_ONE + "entries/<number:number>/check-in/", CheckInView.as_view(), name="tournament-check-in"),
    path(_ONE + "entries/<number:number>/forfeit/", ForfeitView.as_view(), name="tournament-forfeit"),
    path(_ONE + "stages/", StagesView.as_view(), name="tournament-stages"),
    path(_ONE + "stages/<number:number>/", StageView.as_view(), name="tournament-stage"),
    path(_ONE + "standings/", StandingsView.as_view(), name="tournament-standings"),
    path(_ONE + "tables/", TablesView.as_view(), name="tournament-tables"),
    path(_ONE + "log/", LogView.as_view(), name="tournament-log"),
    path(_ONE + "stream-ticket/", TournamentTicketView.as_view(), name="tournament-stream-ticket"),
    *(path(_ONE + below, view.as_view()) for below, view in ORGANISER_ACTS.items()),
]
