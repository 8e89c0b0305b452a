"""The routes about players, below `/api/v1/`."""

from django.urls import path

from players.api.export import ExportView
from players.api.tokens import TokensView, TokenView
from players.api.views import GuestView, MeView, ProfileView, UpgradeView

urlpatterns = [
    path("players/guest/", GuestView.as_view(), name="player-guest"),
    path("players/me/", MeView.as_view(), name="player-me"),
    path("players/me/upgrade/", UpgradeView.as_view(), name="player-upgrade"),
    path("players/me/export/", ExportView.as_view(), name="player-export"),
    path("players/<str:name>/", ProfileView.as_view(), name="player"),
    path("tokens/", TokensView.as_view(), name="tokens"),
    path("tokens/<str:token>/", TokenView.as_view(), name="token"),
]
