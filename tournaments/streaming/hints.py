"""Hints about tournaments."""

from uuid import UUID

from games.streaming.hints import CHANGED, Hint, hints_publish, tournament_channel


def publish_change(tournament_id: UUID) -> None:
    """For `hooks.after_change`."""
    hints_publish(Hint(tournament_channel(tournament_id), CHANGED))
