"""The body of `commands/`, in both its forms, read by hand: a move is the hot path (tests/bench)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from rest_framework.exceptions import ValidationError

from games.rules.cards import CARDS, Color
from games.rules.commands import CLOSE, END, LAST, STOP, TIMEOUT, Command, Play
from games.rules.notation import WORDS, parse_command
from players.api.fields import field_error, invalid

TYPES: Final = ("play", "draw", "close", "end", "last", "accept", "leave")
THEN: Final[dict[str, Command]] = {"close": CLOSE, "end": END}
MOST_CARDS: Final = 116
MOST_TEXT: Final = 600
MOST_VERSION: Final = 2**31 - 1
_CARD: Final = {card.code: card for card in CARDS}
_COLOR: Final = {color.value: color for color in Color}
_TEXT_KEYS: Final = frozenset({"command", "expected_version"})
_WORD_KEYS: Final = frozenset({"type", "expected_version"})
_PLAY_KEYS: Final = frozenset({"type", "cards", "last_card", "then", "expected_version"})
_CARD_KEYS: Final = frozenset({"card", "color"})


@dataclass(frozen=True, slots=True)
class Asked:
    """What a client asks: the parts of its command, and the version that it saw, if it says so."""

    commands: tuple[Command, ...]
    expected_version: int | None


class _Wrong:
    """The wrong fields found so far."""

    def __init__(self) -> None:
        self.errors: dict[str, Any] = {}

    def add(self, path: str, code: str, **values: object) -> None:
        self.errors[path] = field_error(code, **values).detail

    def unknown(self, body: Mapping[str, object], known: frozenset[str], path: str = "") -> None:
        for name in sorted(body.keys() - known):
            self.add(path + name[:64], "unknown")

    def check(self) -> None:
        if self.errors:
            raise ValidationError(self.errors)


def read_command(body: object) -> Asked:
    """The command of a body. ValidationError names every wrong field."""
    if not isinstance(body, dict):
        raise invalid("", "not_an_object")
    wrong = _Wrong()
    version = _version(body, wrong)
    commands = _from_text(body, wrong) if "command" in body else _from_fields(body, wrong)
    wrong.check()
    return Asked(commands, version)


def _version(body: Mapping[str, object], wrong: _Wrong) -> int | None:
    version = body.get("expected_version")
    if version is None:
        return None
    if type(version) is not int:
        wrong.add("expected_version", "not_an_integer")
    elif not 0 <= version <= MOST_VERSION:
        wrong.add("expected_version", "out_of_range", least=0, most=MOST_VERSION)
    else:
        return version
    return None


def _from_text(body: Mapping[str, object], wrong: _Wrong) -> tuple[Command, ...]:
    text = body["command"]
    for name in sorted(body.keys() & (_PLAY_KEYS - _TEXT_KEYS)):
        wrong.add(name, "not_together", other="command")
    wrong.unknown(body, _TEXT_KEYS | _PLAY_KEYS)
    if not isinstance(text, str):
        wrong.add("command", "not_a_string")
        return ()
    if len(text) > MOST_TEXT:
        wrong.add("command", "bad_text", most=MOST_TEXT)
        return ()
    try:
        commands = parse_command(text)
    except ValueError:
        wrong.add("command", "bad_command")
        return ()
    if commands[0] in (TIMEOUT, STOP):
        wrong.add("command", "system_command")
    return commands


def _from_fields(body: Mapping[str, object], wrong: _Wrong) -> tuple[Command, ...]:
    kind = body.get("type")
    if kind == "play":
        wrong.unknown(body, _PLAY_KEYS)
        return _plays(body, wrong) + _after(body, wrong)
    if "type" not in body:
        wrong.add("type", "required")
    elif not isinstance(kind, str):
        wrong.add("type", "not_a_string")
    elif kind not in TYPES:
        wrong.add("type", "not_a_choice", choices=", ".join(TYPES))
    else:
        for name in sorted(body.keys() & (_PLAY_KEYS - _WORD_KEYS)):
            wrong.add(name, "not_together", other=f"type: {kind}")
        wrong.unknown(body, _PLAY_KEYS)
        return (WORDS[kind],)
    wrong.unknown(body, _PLAY_KEYS | _TEXT_KEYS)
    return ()


def _plays(body: Mapping[str, object], wrong: _Wrong) -> tuple[Command, ...]:
    cards = body.get("cards")
    if "cards" not in body:
        wrong.add("cards", "required")
    elif not isinstance(cards, list):
        wrong.add("cards", "not_a_list")
    elif not 1 <= len(cards) <= MOST_CARDS:
        wrong.add("cards", "bad_length", least=1, most=MOST_CARDS)
    else:
        plays = [_play(entry, f"cards.{place}", wrong) for place, entry in enumerate(cards)]
        return tuple(play for play in plays if play is not None)
    return ()


def _play(entry: object, path: str, wrong: _Wrong) -> Play | None:
    if not isinstance(entry, dict):
        wrong.add(path, "not_an_object")
        return None
    wrong.unknown(entry, _CARD_KEYS, f"{path}.")
    code, letter = entry.get("card"), entry.get("color")
    if "card" not in entry:
        wrong.add(f"{path}.card", "required")
    elif not isinstance(code, str):
        wrong.add(f"{path}.card", "not_a_string")
    elif code not in _CARD:
        wrong.add(f"{path}.card", "not_a_card")
    elif letter is None:
        return Play(_CARD[code])
    elif not isinstance(letter, str):
        wrong.add(f"{path}.color", "not_a_string")
    elif letter not in _COLOR:
        wrong.add(f"{path}.color", "not_a_choice", choices=", ".join(_COLOR))
    else:
        return Play(_CARD[code], _COLOR[letter])
    return None


def _after(body: Mapping[str, object], wrong: _Wrong) -> tuple[Command, ...]:
    """What follows the cards: last, then close or end."""
    last_card, then = body.get("last_card", False), body.get("then")
    if not isinstance(last_card, bool):
        wrong.add("last_card", "not_a_boolean")
    if then is not None and not isinstance(then, str):
        wrong.add("then", "not_a_string")
    elif then is not None and then not in THEN:
        wrong.add("then", "not_a_choice", choices=", ".join(THEN))
    said: tuple[Command, ...] = (LAST,) if last_card is True else ()
    return (*said, THEN[then]) if isinstance(then, str) and then in THEN else said
