"""Reading the rulebook, strictly: a missing, empty, unknown or ill-typed entry is an error that names it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Final

from games.rulebook.book import Direction, Example, HouseRule, RefusalText, Rule, Rulebook, Section
from games.rules.cards import CARDS, Card, Color, Face, Seat
from games.rules.refusals import Refusal
from games.rules.ruleset import RULES_VERSION, Ruleset

LANGUAGES: Final = ("en", "he")
"""The languages of the rulebook, the first one for who asks for none of them."""

_FOLDER: Final = Path(__file__).parent
_DIRECTIONS: Final[Mapping[str, Direction]] = {"ltr": "ltr", "rtl": "rtl"}
LABELS: Final = (
    *("choice", "house_rules", "example", "under_rules", "words", "reading", "contents"),
    *("house_rules_title", "house_rules_text", "default", "range", "name", "value", "meaning"),
    *("refusals_title", "refusals_text", "code", "cause", "cure"),
)
"""The words of the pages around the rules."""


class RulebookBroken(ValueError):
    """The sources do not make a whole rulebook: which entry of which file is wrong, and how."""


@cache
def rulebook(language: str) -> Rulebook:
    """The rulebook in one of LANGUAGES. KeyError for another."""
    if language not in LANGUAGES:
        raise KeyError(language)
    return read_rulebook(_read("rules.toml"), _read(f"{language}.toml"))


def read_rulebook(facts: str, words: str) -> Rulebook:
    """The rulebook from the two TOML texts. RulebookBroken names the first entry that is wrong."""
    return _Reader(_Table("rules.toml", _parsed("rules.toml", facts)), _Table("words", _parsed("words", words))).book()


def _read(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _parsed(name: str, text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulebookBroken(f"{name}: {error}") from None


class _Table:
    """A TOML table of which every entry must be read; `where` names it in errors."""

    def __init__(self, where: str, entries: Mapping[str, object]) -> None:
        self.where = where
        self.unread = dict(entries)

    def text(self, key: str) -> str:
        """A text that is not empty, on one line."""
        value = self.unread.pop(key, None)
        if not isinstance(value, str) or not value.strip():
            raise self.broken(key, "no text")
        return " ".join(value.split())

    def text_if(self, key: str) -> str:
        """A text, or the empty one if the entry is absent."""
        return self.text(key) if key in self.unread else ""

    def number(self, key: str) -> int:
        value = self.unread.pop(key, None)
        if type(value) is not int:
            raise self.broken(key, "no whole number")
        return value

    def flag(self, key: str) -> bool:
        value = self.unread.pop(key, False)
        if type(value) is not bool:
            raise self.broken(key, "neither true nor false")
        return value

    def names(self, key: str) -> tuple[str, ...]:
        """A list of texts, empty if absent."""
        value = self.unread.pop(key, [])
        if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
            raise self.broken(key, "no list of names")
        return tuple(value)

    def table(self, key: str) -> _Table:
        value = self.unread.pop(key, None)
        if not isinstance(value, dict):
            raise self.broken(key, "no table")
        return _Table(f"{self.where}: {key}", value)

    def texts(self, key: str, names: Iterable[str]) -> dict[str, str]:
        """A table of texts that has exactly these names, in their order."""
        table = self.table(key)
        texts = {name: table.text(name) for name in names}
        table.done()
        return texts

    def done(self) -> None:
        """Every entry has been read."""
        if self.unread:
            raise self.broken(next(iter(self.unread)), "unknown")

    def broken(self, key: str, how: str) -> RulebookBroken:
        return RulebookBroken(f"{self.where}: {key}: {how}")


class _Reader:
    """One book being read from its facts and its words."""

    def __init__(self, facts: _Table, words: _Table) -> None:
        self.facts = facts
        self.words = words

    def book(self) -> Rulebook:
        """The whole book; nothing may be left over in either source."""
        words, language = self.words, self.words.text("language")
        words.where = f"{language}.toml"
        names = self.facts.names("sections")
        book = Rulebook(
            version=RULES_VERSION,
            language=language,
            direction=self._direction(),
            title=words.text("title"),
            introduction=words.text("introduction"),
            notation=words.text("notation"),
            words=self._words(),
            labels=words.texts("labels", LABELS),
            sections=tuple(Section(name, title) for name, title in words.texts("sections", names).items()),
            rules=self._rules(names),
            house_rules=self._house_rules(),
            refusals=self._refusals(),
            card_names=self._card_names(),
        )
        self.facts.done()
        words.done()
        return book

    def _direction(self) -> Direction:
        direction = _DIRECTIONS.get(self.words.text("direction"))
        if direction is None:
            raise self.words.broken("direction", "neither ltr nor rtl")
        return direction

    def _words(self) -> tuple[str, ...]:
        table = self.words.table("words")
        return tuple(table.text(key) for key in tuple(table.unread))

    def _rules(self, sections: tuple[str, ...]) -> tuple[Rule, ...]:
        table = self.words.table("rules")
        rules = tuple(self._rule(rule_id, table) for rule_id in tuple(self.facts.unread))
        table.done()
        for rule in rules:
            if rule.section not in sections:
                raise self.facts.broken(rule.id, f"no section {rule.section!r}")
        return rules

    def _rule(self, rule_id: str, table: _Table) -> Rule:
        facts, words = self.facts.table(rule_id), table.table(rule_id)
        rule = Rule(
            id=rule_id,
            section=facts.text("section"),
            title=words.text("title"),
            text=words.text("text"),
            choice=words.text("choice") if facts.flag("choice") else None,
            house_rules=facts.names("house_rules"),
            example=_example(facts.table("example"), words.text("example")),
        )
        for name in rule.house_rules:
            if name not in _VALUES:
                raise facts.broken("house_rules", f"no house rule {name!r}")
        facts.done()
        words.done()
        return rule

    def _house_rules(self) -> tuple[HouseRule, ...]:
        table = self.words.table("house_rules")
        house_rules = tuple(self._house_rule(name, table.table(name)) for name in _VALUES)
        table.done()
        return house_rules

    def _house_rule(self, name: str, words: _Table) -> HouseRule:
        values = _VALUES[name]
        house_rule = HouseRule(
            name=name,
            title=words.text("title"),
            text=words.text("text"),
            default=values.default,
            values=tuple(words.texts("values", values.choices).items()) if values.choices else (),
            bounds=values.bounds,
        )
        words.done()
        return house_rule

    def _refusals(self) -> tuple[RefusalText, ...]:
        table, texts = self.words.table("refusals"), []
        for refusal in Refusal:
            words = table.table(refusal.value)
            texts.append(RefusalText(refusal, words.text("cause"), words.text("cure")))
            words.done()
        table.done()
        return tuple(texts)

    def _card_names(self) -> dict[Card, str]:
        colors = self.words.texts("colors", [color.value for color in Color])
        faces = self.words.texts("faces", [face.value for face in Face])
        pattern = self.words.texts("card_names", ["colored"])["colored"]
        return {card: _card_name(card, colors, faces, pattern) for card in CARDS}


def _example(facts: _Table, text: str) -> Example:
    seat = facts.number("seat")
    example = Example(
        house_rules=facts.text_if("rules"),
        position=facts.text("position"),
        seat=None if seat < 0 else Seat(seat),
        command=facts.text("command"),
        expect=facts.text("expect"),
        text=text,
    )
    facts.done()
    return example


def _card_name(card: Card, colors: Mapping[str, str], faces: Mapping[str, str], pattern: str) -> str:
    if card.color is None:
        return faces[card.code]
    return pattern.format(color=colors[card.color.value], face=faces[card.code.removeprefix(card.color.value)])


@dataclass(frozen=True, slots=True)
class _Values:
    """What a house rule may be: its choices, the default first, or the bounds of a number."""

    default: str
    choices: tuple[str, ...]
    bounds: tuple[int, int] | None = None


def _values(default: Enum | bool | int, bounds: Mapping[str, int]) -> _Values:
    if isinstance(default, Enum):
        return _Values(str(default.value), tuple(str(choice.value) for choice in type(default)))
    if isinstance(default, bool):
        first, second = str(default).lower(), str(not default).lower()
        return _Values(first, (first, second))
    return _Values(str(default), (), (bounds["least"], bounds["most"]))


_VALUES: Final = {rule.name: _values(rule.default, rule.metadata) for rule in fields(Ruleset)}
