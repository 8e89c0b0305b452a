"""Records as files to be checked: replayed to the logs that they tell of, and held against what they claim."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import BinaryIO, Final

from games.audit.record import Record, lines_of, parse_record, require_claims, split_records
from games.audit.verify.checking import Verified
from games.audit.verify.errors import Unreadable
from games.audit.verify.lines import Line
from games.audit.verify.scanning import Ends, ends_of

MOST_BYTES: Final = 64 * 2**20
"""Of a file of records: they are read as a whole, some 30 bytes for each event."""


@dataclass
class RecordLog:
    """One record of a file; ``before``: the lines that precede it."""

    text: str
    before: int

    @cached_property
    def _record(self) -> Record:
        return parse_record(self.text, self.before)

    @cached_property
    def _lines(self) -> list[Line]:
        return list(lines_of(self._record))

    def lines(self) -> Iterator[Line]:
        """The events that its moves lead to. Forged, Unreadable."""
        return iter(self._lines)

    def ends(self) -> Ends:
        """The first two lines and the last. Forged, Unreadable."""
        return ends_of(self._lines)

    def require(self, verified: Verified) -> None:
        """Forged if the moves lead elsewhere than the record says."""
        require_claims(self._record, verified)


def records(file: BinaryIO) -> Iterator[RecordLog]:
    """The records in a file. Unreadable."""
    content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise Unreadable(f"records of more than {MOST_BYTES >> 20} MiB in one file are not read: split it")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable("a record is a text in UTF-8") from None
    for before, part in split_records(text):
        yield RecordLog(part, before)
