"""Where the pages of a game are."""

from django.urls import path

from games.pages import views

urlpatterns = [
    path("games/<uuid:game_id>/replay/", views.replay_view, name="game-replay"),
    path("games/<uuid:game_id>/replay/film/", views.film_view, name="game-film"),
    path("games/<uuid:game_id>/replay/moves/", views.moves_view, name="game-moves"),
    path("games/<uuid:game_id>/replay/log/", views.log_view, name="game-log"),
]
