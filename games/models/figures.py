"""What a finished game came to in figures: counted once from its log, so that no page need read logs again."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models

from games.models.games import Game


class GameFigures(models.Model):
    """One finished game in figures. Derived: `games_statistics --rebuild` counts every log anew.

    ``edition`` is the way of counting (`games.figures.counting.EDITION`); an older one is counted anew.
    ``house_rules`` are those that differ from the default. ``played``, ``held`` (in hands at the end), ``windows``
    (by outcome), ``answers`` and ``drawn_for`` (by reason) map a name to how often; ``drawn``, ``laid`` and ``clears``
    (stages, in ladder mode) are by seat. ``people`` are the seats that no built-in bot held at the end.
    """

    game = models.OneToOneField(Game, on_delete=models.CASCADE, primary_key=True, related_name="figures")
    edition = models.PositiveSmallIntegerField()
    counted_at = models.DateTimeField(auto_now=True)
    ended_at = models.DateTimeField()
    mode = models.CharField(max_length=8)
    seats = models.PositiveSmallIntegerField()
    people = models.PositiveSmallIntegerField()
    house_rules = models.JSONField(default=dict)
    first = models.PositiveSmallIntegerField()
    winner = models.PositiveSmallIntegerField(null=True)
    reason = models.CharField(max_length=12)
    events = models.PositiveIntegerField()
    turns = models.PositiveIntegerField()
    duration_ms = models.PositiveBigIntegerField()
    reshuffles = models.PositiveIntegerField()
    drawn = ArrayField(models.PositiveIntegerField())
    laid = ArrayField(models.PositiveIntegerField())
    clears = ArrayField(models.PositiveIntegerField())
    declared = models.PositiveIntegerField()
    missed = models.PositiveIntegerField()
    played = models.JSONField(default=dict)
    held = models.JSONField(default=dict)
    windows = models.JSONField(default=dict)
    answers = models.JSONField(default=dict)
    drawn_for = models.JSONField(default=dict)

    class Meta:
        verbose_name_plural = "figures of games"
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["mode", "seats", "ended_at"], name="figures_by_mode"),
            models.Index(fields=["ended_at"], name="figures_by_end"),
        ]

    def __str__(self) -> str:
        return f"figures of {self.game_id}"
