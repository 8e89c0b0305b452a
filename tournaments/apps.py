"""The tournaments app."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Tournaments, their logs, and everything that runs or shows them."""

    name = "tournaments"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Let each game that ends carry its tournament on, and let those who know of a tournament watch its games.

        Let whoever is erased withdraw its entries, take back its words, and export both.
        """
        from games import hooks  # noqa: PLC0415  # the models must be loaded first
        from players import hooks as player_hooks  # noqa: PLC0415
        from tournaments import departing  # noqa: PLC0415
        from tournaments import hooks as own_hooks  # noqa: PLC0415
        from tournaments.selectors import watches_game  # noqa: PLC0415
        from tournaments.streaming.hints import publish_change  # noqa: PLC0415
        from tournaments.tasks import carry_on, carry_on_after  # noqa: PLC0415

        for hook in (publish_change, carry_on):
            if hook not in own_hooks.after_change:
                own_hooks.after_change.append(hook)
        if carry_on_after not in hooks.after_append:
            hooks.after_append.append(carry_on_after)
        if watches_game not in hooks.may_watch:
            hooks.may_watch.append(watches_game)
        if departing.entries_withdraw not in player_hooks.before_erase:
            player_hooks.before_erase.append(departing.entries_withdraw)
        if departing.reasons_erase not in player_hooks.erasing:
            player_hooks.erasing.append(departing.reasons_erase)
        player_hooks.export_sections["tournaments"] = departing.entries_told
