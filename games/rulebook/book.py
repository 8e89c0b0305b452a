"""What a rulebook holds: rules, house rules and refusals in one language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from games.rules.cards import Card, Seat
from games.rules.refusals import Refusal

Direction = Literal["ltr", "rtl"]
"""Which way the language is written."""


@dataclass(frozen=True, slots=True)
class Example:
    """One command at one position, and what comes of it.

    ``house_rules`` are ``name=value`` words, empty for the defaults. ``seat`` is None for a command of the server.
    ``expect`` is words of a position after the command, or ``refused CODE`` (section 16 of the rules).
    """

    house_rules: str
    position: str
    seat: Seat | None
    command: str
    expect: str
    text: str

    def lines(self) -> tuple[str, ...]:
        """The example as the lines of a case file."""
        who = "*" if self.seat is None else str(self.seat)
        rules = (f"rules {self.house_rules}",) if self.house_rules else ()
        outcome = self.expect if self.expect.startswith("refused ") else f"expect {self.expect}"
        return (*rules, f"position {self.position}", f"{who}: {self.command}", outcome)


@dataclass(frozen=True, slots=True)
class Section:
    """A chapter of rules: a name that never changes, and its title."""

    name: str
    title: str


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. ``choice`` is the reason where the printed rules left one to choose, else None."""

    id: str
    section: str
    title: str
    text: str
    choice: str | None
    house_rules: tuple[str, ...]
    example: Example


@dataclass(frozen=True, slots=True)
class HouseRule:
    """One house rule. ``values`` explains each choice, the default first; it is empty for a number with ``bounds``."""

    name: str
    title: str
    text: str
    default: str
    values: tuple[tuple[str, str], ...]
    bounds: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class RefusalText:
    """Why a move is refused, and what to do then."""

    refusal: Refusal
    cause: str
    cure: str


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The whole book in one language; ``version`` is that of the rules. ``labels`` are the words of its pages."""

    version: str
    language: str
    direction: Direction
    title: str
    introduction: str
    notation: str
    words: tuple[str, ...]
    labels: Mapping[str, str]
    sections: tuple[Section, ...]
    rules: tuple[Rule, ...]
    house_rules: tuple[HouseRule, ...]
    refusals: tuple[RefusalText, ...]
    card_names: Mapping[Card, str]

    def rule(self, rule_id: str) -> Rule:
        """The rule with this id. KeyError if there is none."""
        for rule in self.rules:
            if rule.id == rule_id:
                return rule
        raise KeyError(rule_id)

    def rules_of(self, section: Section) -> tuple[Rule, ...]:
        """The rules of one chapter, in order."""
        return tuple(rule for rule in self.rules if rule.section == section.name)
