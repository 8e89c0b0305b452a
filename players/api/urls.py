"""The routes about players, below `/api/v1/`."""

from django.urls import path

from players.api.views import GuestView, MeView

urlpatterns = [
    path("players/guest/", GuestView.as_view(), name="player-guest"),
    path("players/me/", MeView.as_view(), name="player-me"),
]
