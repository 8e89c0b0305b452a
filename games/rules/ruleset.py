"""House rules (section 13): fixed per game when it is created."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from functools import cache
from typing import Final

from games.rules.cards import CARDS, COLORLESS, Card, Face, copies

RULES_VERSION: Final = "1"
"""The version of the rules that new games begin with. A game keeps the version that it began with."""
KNOWN_VERSIONS: Final = frozenset({RULES_VERSION})
"""The versions that ``decide`` can play. A rule that is mended asks ``state.rules_version`` how it was before."""


class Mode(Enum):
    SINGLE = "single"
    LADDER = "ladder"


class Deck(Enum):
    SUPER_116 = "super_116"
    KING_112 = "king_112"
    CLASSIC_108 = "classic_108"


class OpeningCard(Enum):
    COLORED = "coloured"
    NUMBER = "number"


class LastCard(Enum):
    PENALTY = "penalty"
    OFF = "off"


class KingLead(Enum):
    ANY = "any"
    UNDER = "under"


class SuperTakiColor(Enum):
    LEAD = "lead"
    CHOOSE = "choose"


class TwoPlayerDirection(Enum):
    PASS = "pass"  # noqa: S105  # not a password: the turn passes
    SKIP = "skip"


def _between(default: int, least: int, most: int) -> int:
    """A field whose value is a whole number within bounds, both included."""
    value: int = field(default=default, metadata={"least": least, "most": most})
    return value


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The house rules of one game, each at its default unless the table chose otherwise.

    ValueError names the first house rule whose value is out of bounds or of another type.
    """

    mode: Mode = Mode.SINGLE
    deck: Deck = Deck.SUPER_116
    hand_size: int = _between(8, 3, 10)
    voluntary_draw: bool = False
    opening_card: OpeningCard = OpeningCard.COLORED
    last_card: LastCard = LastCard.PENALTY
    last_card_penalty: int = _between(4, 1, 8)
    open_taki: bool = True
    taki_all: bool = False
    change_color_in_run: bool = True
    king_on_plus_three: bool = True
    plus_three_on_stack: bool = False
    breaker_stops_win: bool = False
    king_lead: KingLead = KingLead.ANY
    super_taki_color: SuperTakiColor = SuperTakiColor.LEAD
    two_player_direction: TwoPlayerDirection = TwoPlayerDirection.PASS
    max_turns: int = _between(10000, 1, 100000)
    last_card_grace_seconds: int = _between(2, 0, 10)
    plus_finishes: bool = False
    plus_may_draw: bool = False

    def __post_init__(self) -> None:
        for rule in fields(self):
            _check(rule.name, getattr(self, rule.name))

    @staticmethod
    def from_mapping(values: Mapping[str, object]) -> Ruleset:
        """House rules from plain values (``{"mode": "ladder", "hand_size": 5}``), absent ones by default.

        ValueError names an unknown house rule or a bad value.
        """
        return Ruleset(**{name: _typed(name, value) for name, value in values.items()})  # type: ignore[arg-type]  # each value is checked by _typed and __post_init__

    def as_mapping(self) -> dict[str, str | int | bool]:
        """Every house rule as a plain value; ``from_mapping`` gives the ruleset back."""
        return {rule.name: _plain(getattr(self, rule.name)) for rule in fields(self)}

    def chosen(self) -> dict[str, str | int | bool]:
        """Only the house rules that differ from the default, as plain values."""
        defaults = DEFAULT_RULES.as_mapping()
        return {name: value for name, value in self.as_mapping().items() if value != defaults[name]}

    @property
    def ladder(self) -> bool:
        return self.mode is Mode.LADDER


def _plain(value: Enum | int | bool) -> str | int | bool:
    return str(value.value) if isinstance(value, Enum) else value


_DEFAULTS: Final = {rule.name: rule.default for rule in fields(Ruleset)}
_BOUNDS: Final = {
    rule.name: (rule.metadata["least"], rule.metadata["most"]) for rule in fields(Ruleset) if rule.metadata
}


def _typed(name: str, value: object) -> Enum | int | bool:
    if name not in _DEFAULTS:
        raise ValueError(f"no such house rule: {name!r}")
    default = _DEFAULTS[name]
    if isinstance(default, Enum) and isinstance(value, str):
        choices = {choice.value: choice for choice in type(default)}
        if value in choices:
            return choices[value]
    elif type(value) is type(default):
        return value
    raise ValueError(f"house rule {name}: {value!r} is not {_allowed(name)}")


def house_rule_from_text(name: str, text: str) -> str | int | bool:
    """The plain value of a house rule written as ``name=text``. ValueError if it is not of the rule's type."""
    if name not in _DEFAULTS:
        raise ValueError(f"no such house rule: {name!r}")
    default = _DEFAULTS[name]
    if isinstance(default, bool) and text in ("true", "false"):
        return text == "true"
    if isinstance(default, Enum):
        return text
    if not isinstance(default, bool) and text.isascii() and text.isdigit() and len(text) <= len("100000"):
        return int(text)
    raise ValueError(f"house rule {name}: {text!r} is not {_allowed(name)}")


def _check(name: str, value: object) -> None:
    if type(value) is not type(_DEFAULTS[name]):
        raise ValueError(f"house rule {name}: {value!r} is not {_allowed(name)}")
    if name in _BOUNDS:
        least, most = _BOUNDS[name]
        if not least <= value <= most:
            raise ValueError(f"house rule {name}: {value!r} is not {_allowed(name)}")


def _allowed(name: str) -> str:
    default = _DEFAULTS[name]
    if isinstance(default, Enum):
        return "one of " + ", ".join(str(choice.value) for choice in type(default))
    if name in _BOUNDS:
        least, most = _BOUNDS[name]
        return f"a whole number from {least} to {most}"
    return "true or false"


def house_rules_schema() -> dict[str, object]:
    """The house rules as a JSON Schema object: per name its type, choices or bounds, and default."""
    properties: dict[str, object] = {}
    for name, default in _DEFAULTS.items():
        if isinstance(default, Enum):
            kind: dict[str, object] = {"type": "string", "enum": [choice.value for choice in type(default)]}
        elif name in _BOUNDS:
            kind = {"type": "integer", "minimum": _BOUNDS[name][0], "maximum": _BOUNDS[name][1]}
        else:
            kind = {"type": "boolean"}
        properties[name] = {**kind, "default": _plain(default)}
    return {"type": "object", "additionalProperties": False, "properties": properties}


DEFAULT_RULES: Final = Ruleset()

_LEFT_OUT: Final = {
    Deck.SUPER_116: frozenset[Face](),
    Deck.KING_112: frozenset({Face.PLUS_THREE, Face.BREAKER}),
    Deck.CLASSIC_108: frozenset(COLORLESS) - {Face.CHANGE_COLOR},
}


@cache
def deck_cards(deck: Deck) -> tuple[Card, ...]:
    """All cards of the deck in canonical order (D1–D5), 116, 112 or 108 of them."""
    return tuple(card for card in CARDS if card.face not in _LEFT_OUT[deck] for _ in range(copies(card)))
