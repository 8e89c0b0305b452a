"""`taki verify`: check files of logs, offline. It needs the standard library and this checkout, nothing else.

Exit status: 0 everything is whole, 1 something is forged, 2 something could not be read (or was asked for wrongly).
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Final, TextIO
from uuid import UUID

from games.audit.verify.checking import Verified, game_of, verify_lines
from games.audit.verify.errors import Forged, Unreadable, shown
from games.audit.verify.lines import read_hash, read_hex
from games.audit.verify.pins import (
    Keys,
    Pins,
    Receipt,
    Watcher,
    read_keys,
    read_published,
    read_receipts,
    require_pinned,
    require_receipts_signed,
)
from games.audit.verify.recorded import RecordLog, records
from games.audit.verify.report import CHECKS, Outcome, as_json, as_text
from games.audit.verify.source import Log, first_character, logs, rereadable

WHOLE: Final = 0
FORGED: Final = 1
UNREADABLE: Final = 2
MOST_PINNED_BYTES: Final = 16 * 2**20


@dataclass
class Held:
    """What the caller holds against the files."""

    commitment: str = ""
    head: str = ""
    keys: Keys | None = None
    receipts: dict[UUID, list[Receipt]] = field(default_factory=dict)
    entropy: dict[int, bytes] = field(default_factory=dict)
    published: dict[str, Mapping[str, Any]] = field(default_factory=dict)

    def pins_of(self, game_id: UUID) -> Pins:
        """What is held of this game."""
        return Pins(
            self.commitment,
            self.head,
            self.keys,
            tuple(self.receipts.get(game_id, ())),
            self.entropy,
            self.published.get(str(game_id), {}),
        )


@dataclass
class Tally:
    """How many games came out how."""

    whole: int = 0
    forged: int = 0
    unreadable: int = 0
    seen: dict[UUID, str] = field(default_factory=dict)

    def count(self, outcome: Outcome) -> None:
        """One more."""
        setattr(self, outcome.word, getattr(self, outcome.word) + 1)

    def require_one_log(self, verified: Verified) -> None:
        """Forged if the files held another log of the same game, be it signed twice over."""
        head = verified.head_hash.hex()
        before = self.seen[verified.game_id] = self.seen[verified.game_id] or head
        if before != head:
            what = "there is another whole log of this game, and a game has one"
            raise Forged(what, version=verified.version, found=f"the head {head}", expected=f"the head {before}")

    @property
    def status(self) -> int:
        """The exit status."""
        if self.forged:
            return FORGED
        return WHOLE if self.whole and not self.unreadable else UNREADABLE


def main(arguments: Sequence[str] | None = None, out: TextIO | None = None) -> int:
    """The program. Returns its exit status; argparse ends it by itself when it is asked wrongly."""
    asked = _parser().parse_args(arguments)
    to = out or sys.stdout
    try:
        held = _held(asked)
    except Unreadable as unreadable:
        sys.stderr.write(f"taki verify: {unreadable}\n")
        return UNREADABLE
    tally = Tally()
    for outcome in _all_outcomes(asked.files, held, tally):
        tally.count(outcome)
        to.write((json.dumps(as_json(outcome)) if asked.json else as_text(outcome)) + "\n")
    to.write(_total(tally, as_json_line=asked.json) + "\n")
    return tally.status


def _total(tally: Tally, *, as_json_line: bool) -> str:
    if as_json_line:
        return json.dumps({"whole": tally.whole, "forged": tally.forged, "unreadable": tally.unreadable})
    games = f"{tally.whole} whole, {tally.forged} forged, {tally.unreadable} unreadable"
    if tally.status != WHOLE:
        return games
    return "\n".join(
        [games, "checked:", *(f"  - {check}" for check in CHECKS), "what none of this proves: docs/audit.md"]
    )


# ---- the files


def _all_outcomes(names: Sequence[str], held: Held, tally: Tally) -> Iterator[Outcome]:
    for name in names:
        yield from _outcomes(name, held, tally)
    for game in sorted(held.receipts.keys() - tally.seen.keys()):
        yield Outcome(f"game {game}", Pins(), problem=Unreadable("there is a receipt of it, and no log"))
    for told in sorted(held.published.keys() - set(map(str, tally.seen))):
        yield Outcome(f"game {shown(told, 40)}", Pins(), problem=Unreadable("its description is given, and no log"))


def _outcomes(name: str, held: Held, tally: Tally) -> Iterator[Outcome]:
    try:
        with opened(name) as file:
            plain = rereadable(file)
            for log in logs_in(plain):
                yield _judged(name, log, held, tally)
    except Unreadable as unreadable:
        yield Outcome(name, Pins(), problem=unreadable)
    except OSError as error:
        yield Outcome(name, Pins(), problem=Unreadable(f"it cannot be read: {error.strerror or error}"))


@contextmanager
def opened(name: str) -> Iterator[BinaryIO]:
    """The file, or standard input for ``-``. OSError."""
    if name == "-":
        yield sys.stdin.buffer
        return
    with Path(name).open("rb") as file:
        yield file


def logs_in(file: BinaryIO) -> Iterator[Log | RecordLog]:
    """The logs or records in a file that can be read again. Unreadable."""
    begins = first_character(file)
    if not begins:
        raise Unreadable("it is empty")
    if begins[0] == "{":
        yield from logs(file)
    elif begins[0] == ";" or (begins[0] == "[" and begins[1:].isalpha()):
        yield from records(file)
    else:
        raise Unreadable("it is neither an export (one JSON object a line) nor a record (tags in brackets, then moves)")


def _judged(name: str, log: Log | RecordLog, held: Held, tally: Tally) -> Outcome:
    pins = Pins()
    try:
        ends = log.ends()
        game_id = game_of(ends.first)
        name = f"{name}: game {game_id}"
        if (held.commitment or held.head or held.entropy) and tally.seen.keys() - {game_id}:
            raise Unreadable("--commitment, --head and --entropy are of one game, and there are several")
        tally.seen.setdefault(game_id, "")
        pins = held.pins_of(game_id)
        require_receipts_signed(pins, ends.last.seal)
        watcher = Watcher(pins.receipts)
        verified = verify_lines(log.lines, limits=pins.limits, watch=watcher if pins.receipts else None, ends=ends)
        watcher.require_all_seen(verified.version)
        log.require(verified)
        signed = require_pinned(verified, pins)
        tally.require_one_log(verified)
        return Outcome(name, pins, verified, signed)
    except Forged as problem:
        return Outcome(name, pins, problem=problem)


# ---- what was asked


_FILES: Final = "exports (ndjson) or records, also packed (gz); - is standard input"
_ONCE: Final = {
    "--commitment": ("HEX", "the commitment that was published before the start"),
    "--head": ("HEX", "the hash of the last event, as it was told at the end"),
    "--keys": ("FILE", "the answer of GET /api/v1/keys/: the head must be signed by one of them"),
}
_OFTEN: Final = {
    "--entropy": ("SEAT=HEX", "what a seat gave before the start: it must be what the deal hangs on"),
    "--game": ("FILE", "the answer of GET games/{id}/: house rules, seats, clock, who begins"),
    "--receipt": ("FILE", "receipts, or answers of commands/, that the log must hold"),
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="taki verify", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="+", metavar="FILE", help=_FILES)
    parser.add_argument("--json", action="store_true", help="one JSON object a game, and one for all")
    for option, (metavar, said) in _ONCE.items():
        parser.add_argument(option, metavar=metavar, help=said)
    for option, (metavar, said) in _OFTEN.items():
        parser.add_argument(option, metavar=metavar, action="append", default=[], help=said)
    return parser


def _held(asked: argparse.Namespace) -> Held:
    held = Held(_hash(asked.commitment, "--commitment"), _hash(asked.head, "--head"))
    if asked.keys is not None:
        held.keys = read_keys(_whole(asked.keys))
    for name in asked.game:
        published = read_published(_whole(name))
        held.published[str(published["id"])] = published
    held.entropy = dict(map(_entropy, asked.entropy))
    for name in asked.receipt:
        for value in _values(name):
            for receipt in read_receipts(value):
                held.receipts.setdefault(receipt.game, []).append(receipt)
    return held


def _hash(text: str | None, option: str) -> str:
    if text is None:
        return ""
    if read_hash(text.lower()) is None:  # an empty one is a variable that was not set
        raise Unreadable(f"{option} is 64 hexadecimal digits")
    return text.lower()


def _entropy(text: str) -> tuple[int, bytes]:
    seat, told, given = text.partition("=")
    entropy = read_hex(given.lower(), len(given) // 2)
    if not (told and seat.isascii() and seat.isdigit() and len(seat) == 1) or entropy is None:
        raise Unreadable("--entropy is told as SEAT=HEX, as in --entropy 0=00ff")
    return int(seat), entropy


def _whole(name: str) -> object:
    """The one JSON value of a file. Unreadable."""
    values = _values(name)
    if len(values) != 1:
        raise Unreadable(f"{name}: one JSON object is expected")
    return values[0]


def _values(name: str) -> list[object]:
    """The JSON values of a file: one in all, or one a line. Unreadable."""
    content = _content(name)
    try:
        return [json.loads(content)]
    except (ValueError, RecursionError):
        pass
    try:
        return [json.loads(line) for line in content.splitlines() if line.strip()]
    except (ValueError, RecursionError):
        raise Unreadable(f"{name}: not JSON") from None


def _content(name: str) -> str:
    try:
        with opened(name) as file:
            content = file.read(MOST_PINNED_BYTES + 1)
    except OSError as error:
        raise Unreadable(f"{name}: it cannot be read: {error.strerror or error}") from None
    if len(content) > MOST_PINNED_BYTES:
        raise Unreadable(f"{name}: it is too long")
    return content.decode("utf-8-sig", "replace")
