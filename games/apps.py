"""The games app."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Tables, their logs, and everything that plays or shows them."""

    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Let each committed move wake the bot that is next."""
        from games import hooks, tasks  # noqa: PLC0415  # the models must be loaded first

        if tasks.wake_bot not in hooks.after_append:
            hooks.after_append.append(tasks.wake_bot)
