"""What was told a player by e-mail, so that it is told once."""

from typing import ClassVar

from django.conf import settings
from django.db import models


class GameNotice(models.Model):
    """One notice of one kind to one player, about one version of a game; ``sent_at`` is None until it was sent."""

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="+", db_index=False)
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=20)
    version = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    sent_at = models.DateTimeField(null=True)

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            # The sweep looks for what has not left yet.
            models.Index(fields=["created_at"], name="notice_unsent", condition=models.Q(sent_at=None)),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["game", "player", "kind", "version"], name="notice_once"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.game_id} at {self.version}"
