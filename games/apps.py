"""The games app."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Tables, their logs, and everything that plays or shows them."""

    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Let each committed move reach those who follow the game, and wake the bot that is next."""
        from games import hooks, tasks  # noqa: PLC0415  # the models must be loaded first
        from games.streaming import hints  # noqa: PLC0415

        for hook in (hints.publish_appended, tasks.wake_bot):
            if hook not in hooks.after_append:
                hooks.after_append.append(hook)
        if hints.publish_lobby not in hooks.after_lobby:
            hooks.after_lobby.append(hints.publish_lobby)
