"""Where logs come from: a file of exports, one game's lines after the other's, packed or not, or standard input.

A log is gone through twice, as its seed stands in its last line; so what cannot be read again is kept in a temporary
file, never in memory.
"""

import gzip
import tempfile
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO, Final, NamedTuple

from games.audit.verify.checking import Verified
from games.audit.verify.errors import Unreadable, shown
from games.audit.verify.lines import MOST_LINE, Line, read_line, read_object
from games.audit.verify.scanning import Ends

MOST_BYTES: Final = 8 * 2**30
"""So much is unpacked, or read from standard input, at most."""
TRAILER: Final = frozenset({"next", "games"})
"""The keys of the last line of a bulk export, which is no event."""
_FIRST: Final = b'"GameStarted"'
_GZIP: Final = b"\x1f\x8b"
_BOM: Final = b"\xef\xbb\xbf"
_PORTION: Final = 2**20


def rereadable(file: BinaryIO) -> BinaryIO:
    """The file's plain content, in a form that can be gone through again. Unreadable."""
    seekable = file if file.seekable() else _spooled(file)
    packed = seekable.read(2) == _GZIP
    seekable.seek(0)
    if not packed:
        return seekable
    try:
        with gzip.open(seekable) as unpacked:
            return _spooled(unpacked)
    except (OSError, EOFError, zlib.error) as error:
        raise Unreadable(f"it cannot be unpacked: {error}") from None


def _spooled(file: BinaryIO | gzip.GzipFile) -> BinaryIO:
    spool = tempfile.TemporaryFile()  # noqa: SIM115  # it lives as long as it is read
    while portion := file.read(_PORTION):
        spool.write(portion)
        if spool.tell() > MOST_BYTES:
            raise Unreadable(f"there is more than {MOST_BYTES >> 30} GiB of it")
    spool.seek(0)
    return spool


def first_character(file: BinaryIO) -> str:
    """The first character that is no blank, and the next: what kind of file it is. Empty if there is none."""
    file.seek(0)
    begins = file.read(_PORTION).removeprefix(_BOM).lstrip()[:2]
    file.seek(0)
    return begins.decode("latin-1")


class Log(NamedTuple):
    """One game's lines in a file, from one place to another; ``number``: of the line before the first."""

    file: BinaryIO
    begin: int
    end: int
    number: int
    banks: bool

    def lines(self) -> Iterator[Line]:
        """The events from the first on, read anew at each call. Unreadable."""
        self.file.seek(self.begin)
        at, number = self.begin, self.number
        while at < self.end and (raw := _raw_line(self.file, number + 1)):
            at, number = at + len(raw), number + 1
            if text := _text(raw, number):
                yield _read(text, number, whole=raw.endswith(b"\n"))

    def ends(self) -> Ends:
        """The first two lines and the last. Unreadable."""
        lines = self.lines()
        first, second = next(lines, None), next(lines, None)
        if first is None:
            raise Unreadable("there is no event in it")
        return Ends(first, second, self._last() or second or first, self.banks)

    def require(self, verified: Verified) -> None:
        """An export claims nothing beside its events."""

    def _last(self) -> Line | None:
        """Looks at the tail alone; the number of its line is not known there."""
        begin = max(self.begin, self.end - 2 * MOST_LINE)
        self.file.seek(begin)
        tail = [raw for raw in self.file.read(self.end - begin).split(b"\n") if raw.strip()]
        return _read(tail[-1].strip(), 0, whole=True) if tail else None


def _read(text: bytes, number: int, *, whole: bool) -> Line:
    try:
        return read_line(text, number)
    except Unreadable:
        if whole:
            raise
        raise Unreadable("the file breaks off within it", line=number) from None


def _raw_line(file: BinaryIO, number: int) -> bytes:
    raw = file.readline(MOST_LINE + 1)
    if len(raw) > MOST_LINE:
        raise Unreadable(f"it is longer than {MOST_LINE} bytes", line=number)
    return raw


def _text(raw: bytes, number: int) -> bytes:
    return (raw.removeprefix(_BOM) if number == 1 else raw).strip()


def logs(file: BinaryIO) -> Iterator[Log]:
    """The logs in a file of exports, each as soon as its end is found. Unreadable."""
    looking = _Looking(file)
    while (log := looking.next_log()) is not None:
        yield log


class _Looking:
    """Finds where one game's lines end and another's begin, reading as little of a line as it can."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.at = 0
        self.number = 0
        self.found = 0

    def next_log(self) -> Log | None:
        """The next log; None at the end of the file."""
        self.file.seek(self.at)
        begin, before, game, revealed, banks = self.at, self.number, b"", False, False
        while raw := _raw_line(self.file, self.number + 1):
            text = _text(raw, self.number + 1)
            if text and not game:
                game = self._game_of(text)
            elif (game not in text or revealed or _FIRST in text) and text and _begins_another(text, game):
                self.found += 1
                return Log(self.file, begin, self.at, before, banks)
            if game == _NONE:
                game, begin, before = b"", self.at + len(raw), self.number + 1
            revealed = revealed or b'"SeedRevealed"' in text
            banks = banks or b'"BankChanged"' in text
            self.at, self.number = self.at + len(raw), self.number + 1
        return Log(self.file, begin, self.at, before, banks) if game else None

    def _game_of(self, text: bytes) -> bytes:
        """By what the lines of the first line's game are known; `_NONE` for a trailer, any line's for one without.

        Unreadable for a trailer that speaks of more games than came before it, or of fewer.
        """
        try:
            told = read_object(text)
        except Unreadable:
            return b"{"
        if not told.keys() <= TRAILER:
            return _named(told) or b"{"
        found, self.found = self.found, 0
        if told.get("games", found) != found:
            games = shown(repr(told["games"]), 20)
            raise Unreadable(f"the answer held {games} games, and here are {found} of them", line=self.number + 1)
        return _NONE


_NONE: Final = b"\n"


def _begins_another(text: bytes, game: bytes) -> bool:
    """The line is not of this game, or is the first of the same once more."""
    try:
        told = read_object(text)
    except Unreadable:
        return False  # it spoils the log that it stands in
    return told.keys() <= TRAILER or _named(told) != game or told.get("version") == 1


def _named(told: dict[str, Any]) -> bytes:
    game = told.get("game")
    return game.encode("ascii", "replace") if isinstance(game, str) else b""
