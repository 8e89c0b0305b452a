"""The tables of games, of what proves them, and of what is told about them."""

from games.models.auditing import AuditEntry, AuditKind, AuditRun, GameCheck, GameSignature, SigningKey
from games.models.figures import GameFigures
from games.models.games import (
    MOST_SEATS,
    FirstPlayer,
    Game,
    GameEvent,
    GameSecret,
    Phase,
    Seat,
    Visibility,
    Watch,
    WhenAway,
    new_id,
)
from games.models.notices import GameNotice

__all__ = [
    "MOST_SEATS",
    "AuditEntry",
    "AuditKind",
    "AuditRun",
    "FirstPlayer",
    "Game",
    "GameCheck",
    "GameEvent",
    "GameFigures",
    "GameNotice",
    "GameSecret",
    "GameSignature",
    "Phase",
    "Seat",
    "SigningKey",
    "Visibility",
    "Watch",
    "WhenAway",
    "new_id",
]
