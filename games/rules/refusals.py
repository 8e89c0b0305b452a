"""Why a command is refused (section 14)."""

from __future__ import annotations

from enum import Enum


class Refusal(Enum):
    """The codes in their order: if several fit, the first is given."""

    GAME_OVER = "GAME_OVER"
    SEAT_LEFT = "SEAT_LEFT"
    WINDOW_OPEN = "WINDOW_OPEN"
    NO_WINDOW = "NO_WINDOW"
    NOT_ASKED = "NOT_ASKED"
    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    NOT_IN_HAND = "NOT_IN_HAND"
    BREAKER_LOCKED = "BREAKER_LOCKED"
    STACK_ACTIVE = "STACK_ACTIVE"
    NOT_IN_RUN = "NOT_IN_RUN"
    DOES_NOT_MATCH = "DOES_NOT_MATCH"
    COLOR_REQUIRED = "COLOR_REQUIRED"
    COLOR_NOT_ALLOWED = "COLOR_NOT_ALLOWED"
    CANNOT_DRAW = "CANNOT_DRAW"
    MUST_PLAY = "MUST_PLAY"
    NO_RUN = "NO_RUN"
    TAKI_ON_TOP = "TAKI_ON_TOP"
    NOT_LAST_CARD = "NOT_LAST_CARD"


class Refused(Exception):
    """The rules do not allow the command; nothing has changed.

    ``refusal`` is the code, ``rule`` the id of the rule that forbids it here ("U6").
    """

    def __init__(self, refusal: Refusal, rule: str) -> None:
        super().__init__(refusal, rule)
        self.refusal = refusal
        self.rule = rule

    def __str__(self) -> str:
        return f"{self.refusal.value} ({self.rule})"
