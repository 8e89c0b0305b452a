"""Event ⇄ JSON data, under type names and schema numbers of their own.

Values are lists, objects, whole numbers and texts only, as in a game's log: an absent key means none or false, a flag
that is set is 1. A type whose data changes gets the next schema number and an upcaster; stored events are never
rewritten.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, Final, NamedTuple, NewType, Union, get_args, get_origin, get_type_hints

from tournaments.rules import events as e

Data = dict[str, Any]
"""JSON data of one event."""


class Encoded(NamedTuple):
    """An event as it is stored: its own type name, schema number and data."""

    type: str
    schema: int
    data: Data


EVENT_TYPES: Final[Mapping[str, type[e.Event]]] = {kind.__name__: kind for kind in get_args(e.Event)}
"""Every type name ever stored. If a class is ever renamed, its old name must stay here."""
SCHEMA: Final[Mapping[str, int]] = dict.fromkeys(EVENT_TYPES, 1)
"""The schema number that each type is written with today."""
UPCASTERS: Final[Mapping[tuple[str, int], Callable[[Data], Data]]] = {}
"""(type, schema) → the data of the next schema. ``decode`` goes up step by step."""

_NAMES: Final = {kind: name for name, kind in EVENT_TYPES.items()}
_ABSENT: Final = (None, False)


def encode(event: e.Event) -> Encoded:
    """The event as data; ``decode`` gives the same event back."""
    name = _NAMES[type(event)]
    return Encoded(name, SCHEMA[name], _write_fields(event))


def decode(stored: Encoded) -> e.Event:
    """The event of stored data, of whatever schema it was written with; ValueError if it is none."""
    kind: Any = EVENT_TYPES.get(stored.type)
    if kind is None:
        raise ValueError(f"unknown type of event: {stored.type!r}")
    data, schema = stored.data, stored.schema
    while schema < SCHEMA[stored.type]:
        data, schema = UPCASTERS[stored.type, schema](data), schema + 1
    if schema != SCHEMA[stored.type]:
        raise ValueError(f"{stored.type} of schema {schema} is not known yet")
    event: e.Event = _reader(kind)(data)
    return event


def _write_fields(value: Any) -> Data:
    written = {field.name: _write(getattr(value, field.name)) for field in fields(value)}
    return {name: item for name, item in written.items() if item is not None}


def _write(value: Any) -> Any:
    if value is None or value is False:
        return None
    if value is True:
        return 1
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [_write(item) for item in value]
    return _write_fields(value) if is_dataclass(value) else value


@cache
def _reader(kind: Any) -> Callable[[Any], Any]:
    """What reads a value of this Python type; ValueError from it if the data do not fit."""
    if isinstance(kind, NewType):
        return _reader(kind.__supertype__)
    if get_origin(kind) in (Union, UnionType):
        (only,) = (part for part in get_args(kind) if part is not type(None))
        return _reader(only)
    if get_origin(kind) is tuple:
        item = _reader(get_args(kind)[0])
        return lambda value: tuple(map(item, _of(list, value)))
    if kind in (int, str):
        return lambda value: _of(kind, value)
    if kind is bool:
        return lambda value: _of(int, value) == 1
    return kind if issubclass(kind, Enum) else _object_reader(kind)


def _object_reader(kind: Any) -> Callable[[Any], Any]:
    hints = get_type_hints(kind)
    readers = {field.name: _reader(hints[field.name]) for field in fields(kind)}
    empty = {name: _when_absent(hint) for name, hint in hints.items()}

    def read(value: Any) -> Any:
        data = _of(dict, value)
        if not data.keys() <= readers.keys():
            raise ValueError(f"{kind.__name__} has no {min(data.keys() - readers.keys())!r}")
        lacking = [name for name in readers if name not in data and empty[name] not in _ABSENT]
        if lacking:
            raise ValueError(f"{kind.__name__} lacks {lacking[0]!r}")
        return kind(**{name: reader(data[name]) if name in data else empty[name] for name, reader in readers.items()})

    return read


def _when_absent(hint: Any) -> Any:
    """What an absent key means: false, none, or (an Ellipsis here) that something is missing."""
    if hint is bool:
        return False
    return None if type(None) in get_args(hint) else ...


def _of(kind: type, value: Any) -> Any:
    if type(value) is not kind:
        raise ValueError(f"expected {kind.__name__}, got {type(value).__name__}")
    return value
