"""How fast a log is verified, printed and read, and how much memory a long game's export takes."""

import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import pytest
from django.db import connection

from games.audit.export import export_lines
from games.audit.record import lines_of, parse_record, print_record, record_of
from games.audit.verify.program import WHOLE, main
from tests.audit.games import Written, long_game, random_game
from tests.audit.stored import stored
from tests.bench.measure import report

pytestmark = pytest.mark.bench
ROOT = Path(__file__).resolve().parents[2]
GAMES = 60
ROUNDS = 3


def rate(work: Callable[[], object], count: int) -> float:
    """Events per second of processor time: the machine may be busy with other things. Median of some rounds."""
    seen = []
    for _ in range(ROUNDS):
        began = time.process_time()
        work()
        seen.append(count / (time.process_time() - began))
    return median(seen)


def written_file(folder: Path, games: list[Written]) -> tuple[str, int]:
    """A file of exports; its path, and how many events it has."""
    texts = [text for written in games for text in written.texts()]
    path = folder / "games.ndjson"
    path.write_text("".join(f"{text}\n" for text in texts), encoding="ascii")
    return str(path), len(texts)


def test_logs_are_verified(tmp_path: Path) -> None:
    """Many games of all kinds, and one of 10,000 events, from their files."""
    figures = {}
    for name, games in (
        ("60 games of all kinds", [random_game(random.Random(number)) for number in range(GAMES)]),
        ("one game of 10,000 events", [long_game()]),
    ):
        path, events = written_file(tmp_path, games)
        with (tmp_path / "said").open("w") as out:
            assert main([path], out) == WHOLE
            figures[name] = rate(lambda path=path, out=out: main([path], out), events)  # type: ignore[misc]
    report("verified events per second of processor time", figures)


def test_records_are_written_and_read() -> None:
    """The long game: from the log to its text, and from the text to the log."""
    written = long_game()
    lines, events = written.lines(), len(written.told)
    text = print_record(record_of(lambda: lines, limits=written.limits))
    figures = {
        "written": rate(lambda: print_record(record_of(lambda: lines, limits=written.limits)), events),
        "read and replayed": rate(lambda: list(lines_of(parse_record(text))), events),
        "bytes for an event": len(text.encode()) / events,
    }
    report("events of a record per second of processor time", figures)


EXPORTING = """
import resource, sys
sys.path.insert(0, {root!r})
import django
django.setup()
from uuid import UUID
from games.audit.export import export_lines
from django.db import connection
connection.settings_dict["NAME"] = {name!r}
list(export_lines(game_id=UUID({short!r})))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
count = sum(1 for line in export_lines(game_id=UUID({long!r})))
print(count, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


@pytest.mark.django_db(transaction=True)
def test_a_long_game_is_exported(tmp_path: Path) -> None:
    """10,000 events out of the database, in a process of its own."""
    game = stored(long_game())
    short = stored(random_game(random.Random(2)))
    began = time.perf_counter()
    lines = list(export_lines(game_id=game.pk))
    seconds = time.perf_counter() - began
    (tmp_path / "long").write_text("".join(f"{line}\n" for line in lines))
    assert main([str(tmp_path / "long")], (tmp_path / "said").open("w")) == WHOLE
    name = connection.settings_dict["NAME"]
    code = EXPORTING.format(root=str(ROOT), name=name, short=str(short.pk), long=str(game.pk))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    count, mebibytes = map(int, done.stdout.split())
    assert count == len(lines)
    report("a game of 10,000 events exported", {"events/s": len(lines) / seconds, "MiB beyond a short one": mebibytes})
