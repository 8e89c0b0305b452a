"""The tournaments app."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Tournaments, their logs, and everything that runs or shows them."""

    name = "tournaments"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Let each game that ends carry its tournament on, and let those who know of a tournament watch its games."""
        from games import hooks  # noqa: PLC0415  # the models must be loaded first
        from tournaments import hooks as own_hooks  # noqa: PLC0415
        from tournaments.selectors import watches_game  # noqa: PLC0415
        from tournaments.tasks import carry_on, carry_on_after  # noqa: PLC0415

        if carry_on not in own_hooks.after_change:
            own_hooks.after_change.append(carry_on)
        if carry_on_after not in hooks.after_append:
            hooks.after_append.append(carry_on_after)
        if watches_game not in hooks.may_watch:
            hooks.may_watch.append(watches_game)
