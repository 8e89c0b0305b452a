"""Pages of the admin that are only to be looked at."""

from django.db.models import Model
from django.http import HttpRequest


class ReadOnly:
    """Nobody adds, changes or deletes, superusers included."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nobody."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nobody."""
        return False
