"""The players app."""

from typing import Any

from django.apps import AppConfig


class PlayersConfig(AppConfig):
    """The lowest app: it knows nobody above it."""

    name = "players"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Let a new password by mail end whatever the old one let in. A signal is all that allauth offers."""
        from allauth.account.signals import password_reset  # noqa: PLC0415  # the models must be loaded first

        password_reset.connect(_end_all, dispatch_uid="players.end_all")


def _end_all(user: Any, **_: Any) -> None:
    from players.services import tokens_revoke  # noqa: PLC0415  # the models must be loaded first

    tokens_revoke(player_id=user.pk)
