"""`taki record`: exports as records, and records as exports; both are verified on the way. Needs Python alone."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import TextIO

from games.audit.record.printing import print_record
from games.audit.record.writing import record_of
from games.audit.verify.checking import verify_lines
from games.audit.verify.errors import Forged, Unreadable
from games.audit.verify.lines import text_of
from games.audit.verify.program import FORGED, UNREADABLE, WHOLE, logs_in, opened
from games.audit.verify.recorded import RecordLog
from games.audit.verify.source import Log, rereadable


def main(arguments: Sequence[str] | None = None, out: TextIO | None = None) -> int:
    """The program. Returns its exit status: 0, 1 when a game is forged, 2 when something cannot be read."""
    parser = argparse.ArgumentParser(prog="taki record", description=__doc__)
    parser.add_argument("file", metavar="FILE", help="an export or a record, of one game or many; - is standard input")
    name = parser.parse_args(arguments).file
    try:
        for text in _others(name):
            (out or sys.stdout).write(text)
    except Forged as problem:
        sys.stderr.write(f"{name}: {problem}\n")
        return UNREADABLE if isinstance(problem, Unreadable) else FORGED
    except OSError as error:
        sys.stderr.write(f"{name}: it cannot be read: {error.strerror or error}\n")
        return UNREADABLE
    return WHOLE


def _others(name: str) -> Iterator[str]:
    with opened(name) as file:
        for log in logs_in(rereadable(file)):
            yield from _as_export(log) if isinstance(log, RecordLog) else _as_record(log)


def _as_record(log: Log) -> Iterator[str]:
    try:
        yield print_record(record_of(log.lines)) + "\n"
    except ValueError as error:
        raise Unreadable(str(error)) from None


def _as_export(log: RecordLog) -> Iterator[str]:
    log.require(verify_lines(log.lines, ends=log.ends()))
    for line in log.lines():
        yield text_of(line) + "\n"
