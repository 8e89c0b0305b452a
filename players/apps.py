"""The players app."""

from django.apps import AppConfig


class PlayersConfig(AppConfig):
    """The lowest app: it knows nobody above it."""

    name = "players"
    default_auto_field = "django.db.models.BigAutoField"
