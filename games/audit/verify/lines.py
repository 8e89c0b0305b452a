"""One line of an export, read strictly: what could be read in two ways is refused."""

import json
import re
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, NamedTuple, NoReturn
from uuid import UUID

from games.audit.verify.errors import Unreadable, shown
from games.clock import milliseconds

MOST_LINE: Final = 64 * 1024
"""Bytes; the longest line of a real export, its deal, has less than 2,000."""
_MOST_VERSION: Final = 2**31


class Seal(NamedTuple):
    """The signature of a game's head, as the last line of its export carries it: all in hex."""

    signature: str
    key: str
    public_key: str


class Line(NamedTuple):
    """One event as it was exported; ``at`` and ``hash`` are texts as yet. ``number`` is the line's in its file."""

    game: str
    version: int
    type: str
    schema: int
    data: dict[str, Any]
    actor: str
    at: str
    hash: str
    seal: Seal | None = None
    number: int = 0


_KINDS: Final = {
    "game": (str, "a text"),
    "version": (int, "a whole number"),
    "type": (str, "a text"),
    "schema": (int, "a whole number"),
    "data": (dict, "an object"),
    "actor": (str, "a text"),
    "at": (str, "a text"),
    "hash": (str, "a text"),
}
_TYPES: Final = tuple(kind for kind, _ in _KINDS.values())


def text_of(line: Line) -> str:
    """The line as it stands in an export."""
    told = {name: getattr(line, name) for name in _KINDS}
    return json.dumps({**told, **line.seal._asdict()} if line.seal else told)


def read_line(text: str | bytes, number: int = 0) -> Line:
    """The line's event. Unreadable says what is wrong with the line."""
    return line_of(read_object(text, number), number)


def read_object(text: str | bytes, number: int = 0) -> dict[str, Any]:
    """The JSON object of a line: ASCII, whole numbers only, no key twice. Unreadable."""
    try:
        value = _JSON.decode(text.decode("ascii") if isinstance(text, bytes) else text)
    except UnicodeDecodeError as error:
        raise Unreadable(f"a byte that is not ASCII, at column {error.start + 1}", line=number) from None
    except RecursionError:
        raise Unreadable("brackets nested too deeply", line=number) from None
    except ValueError as error:
        raise Unreadable(f"not JSON as an export has it: {shown(str(error), 120)}", line=number) from None
    if type(value) is not dict:
        raise Unreadable("not a JSON object", line=number)
    return value


def line_of(value: Mapping[str, Any], number: int = 0) -> Line:
    """The event of a line's object. Unreadable names the key that is missing, unknown or of another type."""
    try:
        line = Line(
            value["game"],
            value["version"],
            value["type"],
            value["schema"],
            value["data"],
            value["actor"],
            value["at"],
            value["hash"],
            None if len(value) == len(_KINDS) else _seal(value, number),
            number,
        )
    except KeyError as error:
        raise Unreadable(f"the key {error} is missing", line=number) from None
    if tuple(map(type, line[: len(_TYPES)])) != _TYPES:
        _refuse_type(value, number)
    if not (0 < line.version < _MOST_VERSION and 0 < line.schema < _MOST_VERSION):
        raise Unreadable("version and schema are whole numbers from 1", line=number)
    return line


def _seal(value: Mapping[str, Any], number: int) -> Seal:
    unknown = value.keys() - _KINDS.keys() - set(Seal._fields)
    if unknown:
        raise Unreadable(f"unknown key {shown(min(unknown))}", line=number)
    seal = Seal(value["signature"], value["key"], value["public_key"])
    if not all(type(part) is str for part in seal):
        raise Unreadable("signature, key and public_key are texts", line=number)
    return seal


def _refuse_type(value: Mapping[str, Any], number: int) -> NoReturn:
    wrong = next(key for key, (kind, _) in _KINDS.items() if type(value[key]) is not kind)
    raise Unreadable(f"{wrong} is not {_KINDS[wrong][1]}", line=number)


@lru_cache(maxsize=256)
def read_time(text: str) -> int:
    """Milliseconds since 1970 UTC of a time as the export spells it: ``2026-05-01T12:00:00.000Z``. ValueError."""
    if not _TIME.fullmatch(text):
        raise ValueError(f"not a time as the log spells it: {shown(text, 40)}")
    return milliseconds(datetime.fromisoformat(text))


@lru_cache(maxsize=16)
def read_id(text: str) -> UUID:
    """The id of a game, in canonical spelling. ValueError."""
    if not _UUID.fullmatch(text):
        raise ValueError(f"not the id of a game: {shown(text, 40)}")
    return UUID(text)


def read_hash(text: object) -> bytes | None:
    """32 bytes as 64 lower-case hexadecimal digits; None if it is anything else."""
    return read_hex(text, 32)


def read_hex(text: object, size: int) -> bytes | None:
    """So many bytes in lower-case hexadecimal; None if it is anything else (`bytes.fromhex` takes spaces)."""
    if type(text) is not str or len(text) != 2 * size or not _HEX.issuperset(text):
        return None
    return bytes.fromhex(text)


_HEX: Final = frozenset("0123456789abcdef")
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)
_UUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a key is given twice")
    return value


def _no_such_number(text: str) -> NoReturn:
    raise ValueError(f"{text[:20]} is no whole number")


_JSON: Final = json.JSONDecoder(object_pairs_hook=_once, parse_float=_no_such_number, parse_constant=_no_such_number)
