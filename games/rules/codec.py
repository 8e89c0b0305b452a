"""Event ⇄ JSON data, under type names and schema numbers of their own (docs/events.md).

The values of the data are lists, objects, whole numbers and ASCII texts only, so that canonical JSON has one form
(an absent key means none, a flag is 1 or absent). A changed schema gets the next number and an upcaster.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from enum import Enum
from types import UnionType
from typing import Any, Final, NamedTuple, Union, get_args, get_origin, get_type_hints

from games.rules import events as e
from games.rules.cards import Card, Color, Lead, Seat
from games.rules.ruleset import Ruleset
from games.rules.state import Again, Direction

Data = dict[str, Any]
"""JSON data of one event; what each type holds is said in docs/events.md."""


class Encoded(NamedTuple):
    """An event as it is stored: its own type name, schema number and data."""

    type: str
    schema: int
    data: Data


EVENT_TYPES: Final[dict[str, type[e.Event]]] = {
    "GameStarted": e.GameStarted,
    "SeedCommitted": e.SeedCommitted,
    "CardsDealt": e.CardsDealt,
    "CardPlayed": e.CardPlayed,
    "CardsDrawn": e.CardsDrawn,
    "PileReshuffled": e.PileReshuffled,
    "StageCleared": e.StageCleared,
    "RunStarted": e.RunStarted,
    "TakiLeftOpen": e.TakiLeftOpen,
    "TakiClosed": e.TakiClosed,
    "StackCancelled": e.StackCancelled,
    "FurtherCard": e.FurtherCard,
    "TurnIdled": e.TurnIdled,
    "TurnPassed": e.TurnPassed,
    "WindowOpened": e.WindowOpened,
    "WindowAccepted": e.WindowAccepted,
    "WindowClosed": e.WindowClosed,
    "LastCardDue": e.LastCardDue,
    "LastCardDeclared": e.LastCardDeclared,
    "LastCardMissed": e.LastCardMissed,
    "SeatLeft": e.SeatLeft,
    "DeadlineSet": e.DeadlineSet,
    "BankChanged": e.BankChanged,
    "ClockCredited": e.ClockCredited,
    "TurnMissed": e.TurnMissed,
    "SeatAway": e.SeatAway,
    "SeatReturned": e.SeatReturned,
    "GameEnded": e.GameEnded,
    "GameAborted": e.GameAborted,
    "SeedRevealed": e.SeedRevealed,
}
"""Every type name ever stored. A name never changes, whatever its class is called."""

SCHEMA: Final[dict[str, int]] = dict.fromkeys(EVENT_TYPES, 1)
"""The schema number that each type is written with today."""

UPCASTERS: Final[dict[tuple[str, int], Callable[[Data], Data]]] = {}
"""(type, schema) → the data of the next schema. ``decode`` goes up step by step."""

_TYPE_NAME: Final = {kind: name for name, kind in EVENT_TYPES.items()}


@dataclass(frozen=True, slots=True)
class _Form:
    """How the values of one Python type are written and read."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"not a text: {value!r}")
    return value


def _number(value: object) -> int:
    if type(value) is not int:
        raise ValueError(f"not a whole number: {value!r}")
    return value


def _list_of(form: _Form) -> _Form:
    return _Form(
        lambda values: [form.write(value) for value in values],
        lambda values: tuple(form.read(value) for value in _list(values)),
    )


def _list(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(f"not a list: {value!r}")
    return value


def _enum(kind: type[Enum]) -> _Form:
    return _Form(lambda member: member.value, lambda value: kind(_text(value)))


def _read_flag(value: object) -> bool:
    if value != 1:
        raise ValueError(f"a flag is 1 or absent, not {value!r}")
    return True


def _write_rules(rules: Ruleset) -> Data:
    return {
        name: str(value).lower() if isinstance(value, bool) else value for name, value in rules.as_mapping().items()
    }


def _read_rules(data: Mapping[str, Any]) -> Ruleset:
    return Ruleset.from_mapping(
        {name: {"true": True, "false": False}.get(value, value) for name, value in data.items()}
    )


_INT: Final = _Form(int, _number)
_CARD: Final = _Form(lambda card: card.code, lambda code: Card.parse(_text(code)))
_FORMS: Final[dict[object, _Form]] = {
    int: _INT,
    Seat: _INT,
    Direction: _INT,
    str: _Form(str, _text),
    bool: _Form(int, _read_flag),
    Card: _CARD,
    Lead: _Form(lambda lead: lead.code, lambda code: Lead.parse(_text(code))),
    Ruleset: _Form(_write_rules, _read_rules),
    **{kind: _enum(kind) for kind in (Color, Again, e.DrawReason, e.WindowOutcome, e.EndReason)},
}


def _form_of(hint: Any) -> _Form:
    if hint in _FORMS:
        return _FORMS[hint]
    if _may_be_none(hint):
        return _form_of(get_args(hint)[0])
    if get_args(hint):
        return _list_of(_form_of(get_args(hint)[0]))
    return _record(hint)


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    key: str
    form: _Form
    default: object


_NO_DEFAULT: Final = object()


def _fields_of(kind: type) -> tuple[_Field, ...]:
    hints = get_type_hints(kind)
    return tuple(
        _Field(
            field.name,
            "house_rules" if hints[field.name] is Ruleset else field.name,
            _form_of(hints[field.name]),
            _absent(hints[field.name]),
        )
        for field in fields(kind)
    )


def _absent(hint: Any) -> object:
    if hint is bool:
        return False
    return None if _may_be_none(hint) else _NO_DEFAULT


def _may_be_none(hint: Any) -> bool:
    """``X | None``: None is an absent key. (Of a NewType it is a typing.Union.)"""
    return isinstance(hint, UnionType) or get_origin(hint) is Union


def _record(kind: type) -> _Form:
    parts = _fields_of(kind)
    return _Form(lambda value: _write(parts, value), lambda data: kind(**_read(parts, data)))


def _write(parts: tuple[_Field, ...], value: object) -> Data:
    data: Data = {}
    for part in parts:
        content = getattr(value, part.name)
        if content is not None and content is not False:
            data[part.key] = part.form.write(content)
    return data


def _read(parts: tuple[_Field, ...], data: object) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise ValueError(f"not an object: {data!r}")
    unknown = data.keys() - {part.key for part in parts}
    if unknown:
        raise ValueError(f"unknown key: {min(unknown)!r}")
    return {part.name: _value(part, data) for part in parts}


def _value(part: _Field, data: Data) -> object:
    if part.key in data:
        return part.form.read(data[part.key])
    if part.default is _NO_DEFAULT:
        raise ValueError(f"missing key: {part.key!r}")
    return part.default


_PARTS: Final = {name: _fields_of(kind) for name, kind in EVENT_TYPES.items()}


def encode(event: e.Event) -> Encoded:
    """The event in today's schema of its type."""
    name = _TYPE_NAME[type(event)]
    return Encoded(name, SCHEMA[name], _write(_PARTS[name], event))


def decode(type_name: str, schema: int, data: Data) -> e.Event:
    """The event that was stored, whatever its schema. ValueError says what is wrong with it."""
    if type_name not in EVENT_TYPES:
        raise ValueError(f"no such event type: {type_name!r}")
    if not 1 <= schema <= SCHEMA[type_name]:
        raise ValueError(f"no such schema of {type_name}: {schema}")
    for step in range(schema, SCHEMA[type_name]):
        data = UPCASTERS[type_name, step](data)
    try:
        return EVENT_TYPES[type_name](**_read(_PARTS[type_name], data))
    except ValueError as error:
        raise ValueError(f"{type_name}: {error}") from None
