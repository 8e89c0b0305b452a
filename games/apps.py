"""The games app."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Tables, their logs, and everything that plays or shows them."""

    name = "games"
    default_auto_field = "django.db.models.BigAutoField"
