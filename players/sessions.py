"""Sessions in a table that says whose they are (Django's own does not). Named in `SESSION_ENGINE`."""

from typing import Any
from uuid import UUID

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore

from players.models import Session


class SessionStore(DatabaseStore):
    """Django's, with the player beside the data."""

    @classmethod
    def get_model_class(cls) -> type[Any]:
        """The table."""
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        """The row for this data."""
        row: Session = super().create_model_instance(data)  # type: ignore[assignment]  # of the table above
        owner = data.get(SESSION_KEY)
        row.player_id = UUID(owner) if owner else None
        return row
