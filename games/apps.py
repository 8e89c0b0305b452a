"""The games app."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Tables, their logs, and everything that plays or shows them."""

    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Hear of changed roles; let each move reach those who follow the game, and wake the bot that is next.

        Let whoever is erased leave its tables, and export its seats and what the audit log has of it.
        """
        from games import departing, hooks, tasks  # noqa: PLC0415  # the models must be loaded first
        from games.audit import entries, roles  # noqa: PLC0415
        from games.streaming import hints  # noqa: PLC0415
        from players import hooks as player_hooks  # noqa: PLC0415

        roles.listen()
        for hook in (hints.publish_appended, tasks.wake_bot):
            if hook not in hooks.after_append:
                hooks.after_append.append(hook)
        if hints.publish_lobby not in hooks.after_lobby:
            hooks.after_lobby.append(hints.publish_lobby)
        for list_of, own in (
            (player_hooks.before_erase, departing.lobbies_leave),
            (player_hooks.holds, departing.in_a_lobby),
            (player_hooks.plays_now, departing.at_a_running_table),
        ):
            if own not in list_of:
                list_of.append(own)  # type: ignore[arg-type]  # each to its own list
        player_hooks.export_sections["games"] = departing.seats_told
        player_hooks.export_sections["notices"] = departing.notices_told
        player_hooks.export_sections["audit_log"] = entries.entries_told
