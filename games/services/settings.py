"""What a table is created with: the fields of `POST games/`, their bounds and defaults."""

from dataclasses import dataclass, field
from typing import Final

from games.models import MOST_SEATS, FirstPlayer, Visibility, WhenAway
from games.rules.ruleset import DEFAULT_RULES, Ruleset

MOST_NAME: Final = 60
BOUNDS: Final = {
    "seats": (2, MOST_SEATS),
    "turn_seconds": (5, 604_800),
    "bank_seconds": (0, 86_400),
    "increment_seconds": (0, 600),
    "reaction_seconds": (3, 86_400),
    "game_minutes": (5, 100_000),
}
"""Least and most of each number, both included. ``turn_seconds`` and ``game_minutes`` may be None: no limit."""


@dataclass(frozen=True, slots=True)
class GameSettings:
    """One table's settings. ValueError names the first field that is out of bounds."""

    name: str = ""
    seats: int = 4
    house_rules: Ruleset = field(default=DEFAULT_RULES)
    visibility: Visibility = Visibility.PUBLIC
    turn_seconds: int | None = 60
    bank_seconds: int = 0
    increment_seconds: int = 0
    reaction_seconds: int = 8
    game_minutes: int | None = None
    when_away: WhenAway = WhenAway.BOT
    first_player: FirstPlayer = FirstPlayer.YOUNGEST

    def __post_init__(self) -> None:
        for name, (least, most) in BOUNDS.items():
            value = getattr(self, name)
            if value is not None and not least <= value <= most:
                raise ValueError(f"{name}: from {least} to {most}, not {value}")
        if len(self.name) > MOST_NAME:
            raise ValueError(f"name: at most {MOST_NAME} characters")
