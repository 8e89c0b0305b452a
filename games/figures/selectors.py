"""Reading figures, by filters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from django.db.models import F, QuerySet

from games.figures.counting import Counted
from games.models import GameFigures
from games.rules.ruleset import DEFAULT_RULES, Mode, Ruleset, house_rule_from_text

_COLUMNS: Final = tuple(field.name for field in fields(Counted))
WHO: Final = ("bots", "mixed", "people")
"""Built-in bots only; both at a table; people only (which a program that plays by the API counts as)."""


class FilterWrong(ValueError):
    """A filter that cannot be meant; the text is one sentence."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Which games are summed. ``since`` and ``until`` are days of the end (UTC), both included."""

    mode: str | None = None
    seats: int | None = None
    since: date | None = None
    until: date | None = None
    rule: str | None = None
    value: str | int | bool | None = None
    who: str | None = None


def filter_from(texts: Mapping[str, str]) -> Filter:
    """The filter that texts name: ``mode seats since until rule who``, each optional. FilterWrong."""
    asked = {name: text.strip() for name, text in texts.items() if text and text.strip()}
    mode, who, rule = asked.get("mode"), asked.get("who"), asked.get("rule")
    if mode is not None and mode not in {each.value for each in Mode}:
        raise FilterWrong(f"There is no mode {mode!r}.")
    if who is not None and who not in WHO:
        raise FilterWrong(f"“who” is one of {', '.join(WHO)}, not {who!r}.")
    name, value = _rule(rule) if rule else (None, None)
    return Filter(
        mode, _seats(asked.get("seats")), _day(asked.get("since")), _day(asked.get("until")), name, value, who
    )


def figures_list(chosen: Filter, most: int | None = None) -> list[Counted]:
    """The figures of games that the filter lets through, the newest first, at most so many; of frozen ones, none."""
    games = _filtered(chosen).order_by("-ended_at").values(*_COLUMNS)
    return [Counted(**values) for values in (games if most is None else games[:most]).iterator()]


def _filtered(chosen: Filter) -> QuerySet[GameFigures]:
    games = GameFigures.objects.filter(game__frozen_at=None).order_by()
    if chosen.mode is not None:
        games = games.filter(mode=chosen.mode)
    if chosen.seats is not None:
        games = games.filter(seats=chosen.seats)
    if chosen.since is not None:
        games = games.filter(ended_at__gte=_midnight(chosen.since))
    if chosen.until is not None:
        games = games.filter(ended_at__lt=_midnight(chosen.until) + timedelta(days=1))
    if chosen.rule is not None:
        games = _with_rule(games, chosen.rule, chosen.value)
    match chosen.who:
        case "bots":
            return games.filter(people=0)
        case "people":
            return games.filter(people=F("seats"))
        case "mixed":
            return games.filter(people__gt=0, people__lt=F("seats"))
        case _:
            return games


def _with_rule(games: QuerySet[GameFigures], rule: str, value: object) -> QuerySet[GameFigures]:
    """Only what differs from the default is kept, so the default is its absence."""
    if DEFAULT_RULES.as_mapping()[rule] == value:
        return games.exclude(house_rules__has_key=rule)
    return games.filter(house_rules__contains={rule: value})


def _rule(text: str) -> tuple[str, str | int | bool]:
    name, sign, value = text.partition("=")
    try:
        if not sign or name == "mode":
            raise ValueError("a house rule is written name=value")
        typed = house_rule_from_text(name, value)
        Ruleset.from_mapping({name: typed})
    except ValueError as wrong:
        raise FilterWrong(f"No such house rule: {wrong}.") from None
    return name, typed


def _seats(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 3 and 2 <= int(text) <= 10):
        raise FilterWrong(f"A table has 2 to 10 seats, not {text!r}.")
    return int(text)


def _day(text: str | None) -> date | None:
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise FilterWrong(f"A day is written like 2026-05-01, not {text!r}.") from None


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, tzinfo=UTC)
