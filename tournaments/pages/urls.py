"""Where the public pages are."""

from django.urls import path

from tournaments.pages.views import list_view, tournament_view

urlpatterns = [
    path("tournaments/", list_view, name="public-tournaments"),
    path("tournaments/<uuid:tournament_id>/", tournament_view, name="public-tournament"),
]
