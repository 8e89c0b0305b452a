"""Where the pages of a game are."""

from django.urls import path

from games.pages import views

urlpatterns = [
    path("games/<uuid:game_id>/replay/", views.replay_view, name="replay-page"),
    path("games/<uuid:game_id>/replay/film/", views.film_view, name="replay-film"),
    path("games/<uuid:game_id>/replay/moves/", views.moves_view, name="replay-moves"),
    path("games/<uuid:game_id>/replay/log/", views.log_view, name="replay-log"),
    path("games/<uuid:game_id>/replay/record/", views.record_view, name="replay-record"),
    path("games/<uuid:game_id>/replay/audit/", views.audit_view, name="replay-audit"),
]
