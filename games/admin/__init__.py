"""Games in the admin: to be looked at. Nothing of a game is ever edited; acts go through services."""

from games.admin import audit_log, figures, games
from games.admin.games import PAGE

__all__ = ["PAGE", "audit_log", "figures", "games"]
