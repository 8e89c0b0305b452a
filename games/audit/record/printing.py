"""A record as text. There is one text for a record."""

from collections.abc import Iterator
from typing import Final

from games.audit.record.game import Group, Part, Record, Sitting, Tags, Told
from games.clock import Limits, moment, timestamp
from games.rules.commands import Leave
from games.rules.events import ClockCredited, GameAborted, SeatAway, SeatReturned, TurnMissed
from games.rules.notation import format_command

NOTATION: Final = "1"
_INDENT: Final = " " * 6


def print_record(record: Record) -> str:
    """The record's text: the tags, a blank line, a line for each thing that happened."""
    return "".join(f"{line}\n" for line in (*_tags(record.tags), "", *map(_line, record.groups)))


def quoted(text: str) -> str:
    """A tag's value in quotes: a backslash stands before quotes and backslashes, and what cannot be seen is spelt
    ``\\uXXXX`` or ``\\UXXXXXXXX``.
    """
    return '"' + "".join(map(_spelt, text)) + '"'


def _spelt(letter: str) -> str:
    if letter in '"\\':
        return f"\\{letter}"
    if letter.isprintable():
        return letter
    return f"\\u{ord(letter):04x}" if ord(letter) < 2**16 else f"\\U{ord(letter):08x}"


def _tags(tags: Tags) -> Iterator[str]:
    day, _, time = timestamp(moment(tags.began)).partition("T")
    yield f"[Taki {quoted(NOTATION)}]"
    yield f"[Game {quoted(str(tags.game))}]"
    if tags.name:
        yield f"[Name {quoted(tags.name)}]"
    yield f"[Date {quoted(day)}]"
    yield f"[Time {quoted(time)}]"
    yield f"[Rules {quoted(tags.rules_version)}]"
    if chosen := tags.rules.chosen():
        yield f"[HouseRules {quoted(' '.join(f'{name}={_plain(value)}' for name, value in chosen.items()))}]"
    yield f"[Clock {quoted(_clock(tags.clock))}]"
    yield f"[Seats {quoted(str(tags.seats))}]"
    yield from map(_sitting, tags.sittings)
    yield f"[Starter {quoted(tags.starter)}]"
    yield f"[First {quoted(str(tags.first))}]"
    yield f"[Commitment {quoted(tags.commitment.hex())}]"
    for seat, digest in enumerate(tags.entropy):
        yield f"[Entropy {seat} {quoted(digest.hex())}]"
    yield f"[Seed {quoted(tags.seed.hex())}]"
    yield from _claims(tags)


def _claims(tags: Tags) -> Iterator[str]:
    yield f"[Result {quoted(tags.result)}]"
    yield f"[Ranking {quoted(tags.ranking)}]"
    yield f"[Events {quoted(str(tags.events))}]"
    yield f"[Head {quoted(tags.head.hex())}]"
    if tags.seal is not None:
        yield f"[Signature {quoted(tags.seal.signature)}]"
        yield f"[Key {quoted(tags.seal.key)}]"
        yield f"[PublicKey {quoted(tags.seal.public_key)}]"


def _plain(value: str | int | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _clock(limits: Limits) -> str:
    turn = "-" if limits.turn_seconds is None else limits.turn_seconds
    bank, increment, window = limits.bank_seconds, limits.increment_seconds, limits.reaction_seconds
    return f"turn={turn} bank={bank} increment={increment} window={window}"


def _sitting(sitting: Sitting) -> str:
    since = f" from {sitting.from_version}" if sitting.from_version else ""
    return f"[Seat {sitting.seat}{since}{' bot' if sitting.bot else ''} {quoted(sitting.name)}]"


def _line(group: Group) -> str:
    number = _INDENT if group.turn is None else f"{group.turn:>4}. "
    told: list[str] = []
    actor = None
    for part in group.parts:
        told.append(words_of(part) if part.actor == actor else f"{_label(part.actor)}: {words_of(part)}")
        actor = part.actor
    return f"{number}{' / '.join(told)} {{{_elapsed(group.at)}}}"


def _label(actor: str) -> str:
    return actor.removeprefix("seat:").replace(":", " ")


def words_of(part: Part) -> str:
    """What was done, in the words of section 15 and a few more."""
    if isinstance(part.what, tuple):
        leaver = f" {part.seat}" if isinstance(part.what[0], Leave) and ":" not in part.actor else ""
        return format_command(part.what) + leaver
    return _told(part.what)


def _told(event: Told) -> str:
    match event:
        case ClockCredited(seconds):
            return f"credit {seconds}"
        case SeatReturned(seat):
            return f"back {seat}"
        case TurnMissed(seat, in_a_row):
            return f"missed {seat} {in_a_row}"
        case SeatAway(seat):
            return f"away {seat}"
        case GameAborted():
            return "abort"


def _elapsed(milliseconds: int) -> str:
    """Since the beginning: ``0:01:02.003``."""
    seconds, thousandths = divmod(milliseconds, 1_000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}.{thousandths:03}"
