"""The routes of the rulebook, below `/api/v1/rules/`."""

from django.urls import path

from games.api.rules_pages import DeckView, RulesView

urlpatterns = [
    path("", RulesView.as_view(), name="rules"),
    path("deck/", DeckView.as_view(), name="rules-deck"),
]
