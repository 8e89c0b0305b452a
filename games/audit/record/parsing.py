"""A record read from its text. Every error says the line and what is wrong with it."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from games.audit.record.faults import Where
from games.audit.record.game import Group, Part, Record, Told
from games.audit.record.tags import Tag, note_tag, read_tags
from games.audit.verify.asked import acting_seat
from games.audit.verify.errors import shown
from games.rules.cards import Seat
from games.rules.commands import LEAVE
from games.rules.events import ClockCredited, GameAborted, SeatAway, SeatReturned, TurnMissed
from games.rules.notation import parse_command, parse_count

FIRST_TAG: Final = "[Taki "
_LINE: Final = re.compile(r"(?:(\d{1,9})\. )?(.+?) ?\{(\d{1,6}):([0-5]\d):([0-5]\d)\.(\d{3})\}", re.ASCII)
_LABEL: Final = re.compile(r"(?:(\d|bot \d|clock|server|staff): )?(.+)", re.ASCII)


def split_records(text: str) -> Iterator[tuple[int, str]]:
    """The records that stand in a text one after the other, each with the number of lines before it."""
    lines = text.splitlines(keepends=True)
    begins = [number for number, line in enumerate(lines) if line.startswith(FIRST_TAG)]
    begins[:1] = [0]
    for begin, end in zip(begins, [*begins[1:], len(lines)], strict=True):
        yield begin, "".join(lines[begin:end])


def parse_record(text: str, before: int = 0) -> Record:
    """The record of this text; ``before``: lines that precede it, for messages. RecordError."""
    tags: dict[str, list[Tag]] = {}
    groups: list[Group] = []
    for number, line in enumerate(text.splitlines(), start=before + 1):
        plain = line.strip()
        if not plain or plain.startswith(";"):
            continue
        with Where(number):
            if plain.startswith("["):
                note_tag(tags, plain, number, moves=bool(groups))
            else:
                groups.append(_group(plain))
    with Where(before + 1):
        return Record(read_tags(tags), tuple(groups))


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
