"""A record read from its text. Every error says the line and what is wrong with it."""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from typing import Final, NamedTuple, TypeVar

from games.audit.record.game import Group, Part, Record, Sitting, Tags, Told
from games.audit.record.printing import NOTATION
from games.audit.verify.asked import acting_seat
from games.audit.verify.errors import Unreadable, shown
from games.audit.verify.lines import Seal, read_hash, read_id, read_time
from games.clock import Limits
from games.rules.cards import Seat
from games.rules.commands import LEAVE
from games.rules.events import ClockCredited, GameAborted, SeatAway, SeatReturned, TurnMissed
from games.rules.notation import parse_command, parse_count, split_words
from games.rules.ruleset import Ruleset, house_rule_from_text

T = TypeVar("T")
MOST_SEATS: Final = 10
FIRST_TAG: Final = "[Taki "
_TAG: Final = re.compile(r"\[(\w+)((?: \w+)*) \"((?:[^\"\\]|\\.)*)\"\]", re.ASCII)
_LINE: Final = re.compile(r"(?:(\d{1,9})\. )?(.+?) ?\{(\d{1,6}):([0-5]\d):([0-5]\d)\.(\d{3})\}", re.ASCII)
_LABEL: Final = re.compile(r"(?:(\d|bot \d|clock|server|staff): )?(.+)", re.ASCII)
_ESCAPE: Final = re.compile(r"\\(u[0-9a-f]{4}|U00[01][0-9a-f]{5}|.)")


class RecordError(Unreadable):
    """The text is no record; ``line`` says where."""


class _Tag(NamedTuple):
    words: tuple[str, ...]
    value: str
    line: int


def split_records(text: str) -> Iterator[tuple[int, str]]:
    """The records that stand in a text one after the other, each with the number of lines before it."""
    lines = text.splitlines(keepends=True)
    begins = [number for number, line in enumerate(lines) if line.startswith(FIRST_TAG)]
    begins[:1] = [0]
    for begin, end in zip(begins, [*begins[1:], len(lines)], strict=True):
        yield begin, "".join(lines[begin:end])


def parse_record(text: str, before: int = 0) -> Record:
    """The record of this text; ``before``: lines that precede it, for messages. RecordError."""
    tags: dict[str, list[_Tag]] = {}
    groups: list[Group] = []
    for number, line in enumerate(text.splitlines(), start=before + 1):
        plain = line.strip()
        if not plain or plain.startswith(";"):
            continue
        with _Where(number):
            if plain.startswith("["):
                _note_tag(tags, plain, number, moves=bool(groups))
            else:
                groups.append(_group(plain))
    with _Where(before + 1):
        return Record(_Tags(tags).tags(), tuple(groups))


class _Where:
    """Says the line of what goes wrong within it."""

    def __init__(self, line: int) -> None:
        self.line = line

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, RecordError):
            return
        if isinstance(error, ValueError):
            raise RecordError(shown(str(error)), line=self.line) from None


# ---- moves


def _group(line: str) -> Group:
    found = _LINE.fullmatch(line)
    if found is None:
        raise ValueError('not a move: "12. 0: play R5 {0:01:02.003}"')
    number, body, hours, minutes, seconds, thousandths = found.groups()
    elapsed = ((int(hours) * 60 + int(minutes)) * 60 + int(seconds)) * 1_000 + int(thousandths)
    return Group(elapsed, int(number) if number else None, tuple(_parts(body)))


def _parts(body: str) -> Iterator[Part]:
    actor = ""
    for told in body.split(" / "):
        found = _LABEL.fullmatch(told)
        if found is None:
            raise ValueError("nothing between two strokes")
        label, words = found.groups()
        actor = _actor(label) if label else actor
        if not actor:
            raise ValueError(f"who did this? {shown(told, 40)}")
        yield _part(actor, words)


def _actor(label: str) -> str:
    if label.isdigit():
        return f"seat:{label}"
    return label.replace(" ", ":")


def _part(actor: str, words: str) -> Part:
    first, *rest = words.split() or [""]
    seat = acting_seat(actor)
    if first in _TABLE:
        return Part(actor, seat, _TABLE[first](rest))
    if first == "leave" and seat is None:
        return Part(actor, _one_seat(rest), (LEAVE,))
    return Part(actor, seat, parse_command(words))


def _one_seat(words: list[str]) -> Seat:
    if len(words) != 1:
        raise ValueError("one seat is to be named")
    return Seat(parse_count(words[0]))


def _credit(words: list[str]) -> Told:
    return ClockCredited(int(_one_seat(words)))


def _missed(words: list[str]) -> Told:
    if len(words) != 2:
        raise ValueError("missed needs a seat, and how many turns in a row")
    return TurnMissed(Seat(parse_count(words[0])), parse_count(words[1]))


def _abort(words: list[str]) -> Told:
    if words:
        raise ValueError("nothing may follow abort")
    return GameAborted()


_TABLE: Final[Mapping[str, Callable[[list[str]], Told]]] = {
    "credit": _credit,
    "back": lambda words: SeatReturned(_one_seat(words)),
    "missed": _missed,
    "away": lambda words: SeatAway(_one_seat(words)),
    "abort": _abort,
}


# ---- tags


def _note_tag(tags: dict[str, list[_Tag]], line: str, number: int, *, moves: bool) -> None:
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
    tags.setdefault(name, []).append(_Tag(tuple(words.split()), _unquoted(value), number))


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


class _Tags:
    """The tags of one record, read one by one."""

    def __init__(self, tags: Mapping[str, list[_Tag]]) -> None:
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
        with _Where(tag.line):
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

    def _sitting(self, tag: _Tag, seats: int) -> Sitting:
        with _Where(tag.line):
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
            with _Where(tag.line):
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
