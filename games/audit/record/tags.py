"""The tags of a record, read from its text."""

import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Final, NamedTuple, TypeVar

from games.audit.record.faults import Where
from games.audit.record.game import Sitting, Tags
from games.audit.record.printing import NOTATION
from games.audit.verify.errors import shown
from games.audit.verify.lines import Seal, read_hash, read_id, read_time
from games.clock import Limits
from games.rules.cards import Seat
from games.rules.notation import parse_count, split_words
from games.rules.ruleset import Ruleset, house_rule_from_text

T = TypeVar("T")
MOST_SEATS: Final = 10
_TAG: Final = re.compile(r"\[(\w+)((?: \w+)*) \"((?:[^\"\\]|\\.)*)\"\]", re.ASCII)
_ESCAPE: Final = re.compile(r"\\(u[0-9a-f]{4}|U00[01][0-9a-f]{5}|.)")


class Tag(NamedTuple):
    """One tag of a text: the words between its name and its value, and its line."""

    words: tuple[str, ...]
    value: str
    line: int


def note_tag(tags: dict[str, list[Tag]], line: str, number: int, *, moves: bool) -> None:
    """Add the tag of a line; ``moves``: there were moves before it. ValueError."""
    found = _TAG.fullmatch(line)
    if found is None:
        raise ValueError('not a tag: [Name "value"]')
    name, words, value = found.groups()
    if name not in _KNOWN:
        raise ValueError(f"no such tag: {shown(name, 40)}")
    if moves:
        raise ValueError("a tag after the moves")
    if name in tags and name not in _SEVERAL:
        raise ValueError(f"the tag {name} is given twice")
    if words and name not in _SEVERAL:
        raise ValueError(f"the tag {name} has one value")
    tags.setdefault(name, []).append(Tag(tuple(words.split()), _unquoted(value), number))


def _unquoted(text: str) -> str:
    return _ESCAPE.sub(lambda found: chr(int(found[1][1:], 16)) if len(found[1]) > 1 else found[1], text)


_SEVERAL: Final = frozenset({"Seat", "Entropy"})
_NEEDED: Final = (
    "Taki",
    "Game",
    "Date",
    "Time",
    "Rules",
    "Clock",
    "Seats",
    "Starter",
    "First",
    "Commitment",
    "Entropy",
    "Seed",
    "Result",
    "Ranking",
    "Events",
    "Head",
)
_SIGNED: Final = ("Signature", "Key", "PublicKey")
_KNOWN: Final = frozenset({*_NEEDED, *_SIGNED, "Name", "HouseRules", "Seat"})


def read_tags(tags: Mapping[str, list[Tag]]) -> Tags:
    """All tags of a record. ValueError, RecordError."""
    return _Reading(tags).tags()


class _Reading:
    """The tags of one record, read one by one."""

    def __init__(self, tags: Mapping[str, list[Tag]]) -> None:
        self._tags = tags
        missing = [name for name in _NEEDED if name not in tags]
        if missing:
            raise ValueError(f"the tag {missing[0]} is missing")

    def tags(self) -> Tags:
        """All of them."""
        self._read("Taki", self._notation)
        seats = self._read("Seats", _between(2, MOST_SEATS))
        return Tags(
            game=self._read("Game", read_id),
            name=self._text("Name"),
            began=self._began(),
            rules_version=self._text("Rules"),
            rules=self._read("HouseRules", _house_rules) if "HouseRules" in self._tags else Ruleset(),
            clock=self._read("Clock", _clock),
            seats=seats,
            sittings=tuple(self._sitting(tag, seats) for tag in self._tags.get("Seat", ())),
            starter=self._read("Starter", _starter),
            first=Seat(self._read("First", _between(0, seats - 1))),
            commitment=self._read("Commitment", _hash),
            entropy=self._entropy(seats),
            seed=self._read("Seed", _hash),
            result=self._text("Result"),
            ranking=self._text("Ranking"),
            events=self._read("Events", parse_count),
            head=self._read("Head", _hash),
            seal=self._seal(),
        )

    def _read(self, name: str, read: Callable[[str], T]) -> T:
        tag = self._tags[name][0]
        with Where(tag.line):
            return read(tag.value)
        raise AssertionError  # the block returns or raises

    def _text(self, name: str) -> str:
        return self._tags[name][0].value if name in self._tags else ""

    def _notation(self, value: str) -> None:
        if value != NOTATION:
            raise ValueError(f"notation {shown(value, 20)} is not known here, only {NOTATION}")

    def _began(self) -> int:
        def read(time: str) -> int:
            day = date.fromisoformat(self._text("Date")).isoformat()
            return read_time(f"{day}T{time}")

        return self._read("Time", read)

    def _sitting(self, tag: Tag, seats: int) -> Sitting:
        with Where(tag.line):
            words = list(tag.words)
            bot = words[-1:] == ["bot"]
            words = words[:-1] if bot else words
            since = parse_count(words[2]) if words[1:2] == ["from"] and len(words) == 3 else 0
            if len(words) not in (1, 3) or (len(words) == 3) != bool(since):
                raise ValueError('a seat is told as [Seat 0 "name"], [Seat 0 bot "level"] or [Seat 0 from 12 "name"]')
            return Sitting(Seat(_between(0, seats - 1)(words[0])), tag.value, bot, since)
        raise AssertionError  # the block returns or raises

    def _entropy(self, seats: int) -> tuple[bytes, ...]:
        digests: list[bytes] = []
        for seat, tag in enumerate(self._tags["Entropy"]):
            with Where(tag.line):
                if tag.words != (str(seat),):
                    raise ValueError(f"the entropy of seat {seat} is expected here")
                digests.append(_hash(tag.value))
        if len(digests) != seats:
            raise ValueError(f"there are {len(digests)} entropies for {seats} seats")
        return tuple(digests)

    def _seal(self) -> Seal | None:
        given = [name for name in _SIGNED if name in self._tags]
        if not given:
            return None
        if len(given) < len(_SIGNED):
            raise ValueError("Signature, Key and PublicKey go together")
        return Seal(*map(self._text, _SIGNED))


def _between(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        number = parse_count(text)
        if not least <= number <= most:
            raise ValueError(f"from {least} to {most}, not {number}")
        return number

    return read


def _hash(text: str) -> bytes:
    found = read_hash(text)
    if found is None:
        raise ValueError("64 lower-case hexadecimal digits are expected")
    return found


def _starter(text: str) -> str:
    if text not in ("host", "server"):
        raise ValueError("a game is started by the host or the server")
    return text


def _house_rules(text: str) -> Ruleset:
    words = [word.partition("=") for word in text.split()]
    names = [name for name, _, _ in words]
    if len(set(names)) < len(names):
        raise ValueError("a house rule is given twice")
    return Ruleset.from_mapping({name: house_rule_from_text(name, value) for name, _, value in words})


def _clock(text: str) -> Limits:
    words = split_words(text, ("turn", "bank", "increment", "window"))
    if len(words) < 4:
        raise ValueError("a clock is told as turn=60 bank=0 increment=0 window=8")
    turn = None if words["turn"] == "-" else parse_count(words["turn"])
    return Limits(turn, parse_count(words["window"]), None, parse_count(words["bank"]), parse_count(words["increment"]))
