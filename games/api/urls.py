"""The routes about games, below `/api/v1/`."""

from django.urls import include, path, register_converter
from django.urls.converters import UUIDConverter

from games.api.auditing import AuditView
from games.api.exports import GamesExportView, RecordView
from games.api.keys import KeysView
from games.api.lobby import AbortView, JoinView, KickView, LeaveView, RematchView, SeatBotView, StartView
from games.api.logs import EventsView, ExportView
from games.api.own_seat import MeView, ReturnView
from games.api.play import CommandsView, LegalView, ViewView
from games.api.rules import HouseRulesView
from games.api.states import StateView
from games.api.tickets import GameTicketView, MyTicketView
from games.api.views import GamesView, GameView, InvitationsView, MyGamesView, PlayerGamesView


class AnyCaseUUID(UUIDConverter):
    """A UUID in either case, as RFC 9562 wants it read."""

    regex = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"


class SeatNumber:
    """A seat's number; a table has at most ten seats."""

    regex = "[0-9]"

    def to_python(self, value: str) -> int:
        """The number."""
        return int(value)

    def to_url(self, value: int) -> str:
        """Its digit."""
        return str(value)


class VersionNumber:
    """A version of a game, as a number without leading zeros."""

    regex = "0|[1-9][0-9]{0,8}"

    def to_python(self, value: str) -> int:
        """The number."""
        return int(value)

    def to_url(self, value: int) -> str:
        """Its digits."""
        return str(value)


register_converter(AnyCaseUUID, "game_id")
register_converter(VersionNumber, "version")
register_converter(SeatNumber, "seat")
_GAME = "games/<game_id:game_id>/"

urlpatterns = [
    path("games/", GamesView.as_view(), name="games"),
    path("games/export/", GamesExportView.as_view(), name="games-export"),
    path(_GAME, GameView.as_view(), name="game"),
    path(_GAME + "join/", JoinView.as_view(), name="game-join"),
    path(_GAME + "leave/", LeaveView.as_view(), name="game-leave"),
    path(_GAME + "return/", ReturnView.as_view(), name="game-return"),
    path(_GAME + "me/", MeView.as_view(), name="game-me"),
    path(_GAME + "start/", StartView.as_view(), name="game-start"),
    path(_GAME + "seats/<seat:seat>/bot/", SeatBotView.as_view(), name="game-seat-bot"),
    path(_GAME + "seats/<seat:seat>/kick/", KickView.as_view(), name="game-kick"),
    path(_GAME + "abort/", AbortView.as_view(), name="game-abort"),
    path(_GAME + "rematch/", RematchView.as_view(), name="game-rematch"),
    path(_GAME + "view/", ViewView.as_view(), name="game-view"),
    path(_GAME + "legal/", LegalView.as_view(), name="game-legal"),
    path(_GAME + "commands/", CommandsView.as_view(), name="game-commands"),
    path(_GAME + "events/", EventsView.as_view(), name="game-events"),
    path(_GAME + "states/<version:version>/", StateView.as_view(), name="game-state"),
    path(_GAME + "audit/", AuditView.as_view(), name="game-audit"),
    path(_GAME + "export/", ExportView.as_view(), name="game-export"),
    path(_GAME + "record/", RecordView.as_view(), name="game-record"),
    path(_GAME + "stream-ticket/", GameTicketView.as_view(), name="game-stream-ticket"),
    path("players/me/games/", MyGamesView.as_view(), name="player-me-games"),
    path("players/me/invitations/", InvitationsView.as_view(), name="player-me-invitations"),
    path("players/me/stream-ticket/", MyTicketView.as_view(), name="player-me-stream-ticket"),
    path("players/<str:name>/games/", PlayerGamesView.as_view(), name="player-games"),
    path("rules/", include("games.api.rules_urls")),
    path("keys/", KeysView.as_view(), name="keys"),
    path("rules/house-rules/", HouseRulesView.as_view(), name="house-rules"),
]
