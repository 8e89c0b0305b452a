"""Write the logs of games that are over, or their records, to a file or to standard output."""

import gzip
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, cast
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.db.models import QuerySet

from games.audit.bulk import Bulk, over
from games.audit.recording import record_text
from games.audit.verify import Forged
from games.models import Game, Phase
from games.rules.ruleset import Mode
from games.selectors import game_list
from players.models import Player


class Command(BaseCommand):
    """`games_export [ID …] [--phase --mode --player --from --to --limit] [--records] [--out FILE]`."""

    help = (
        "Write the full logs of games that are over, one event a line, or with --records their records. "
        "Without ids: all of them, the newest first. What is written is what `taki verify` reads."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the filters, which are those of `GET games/export/`, and where to write."""
        parser.add_argument("ids", nargs="*", type=UUID, help="games; else those that the filters choose")
        parser.add_argument("--phase", choices=[Phase.FINISHED.value, Phase.ABORTED.value], help="by default both")
        parser.add_argument("--mode", choices=[mode.value for mode in Mode])
        parser.add_argument("--player", help="the name of a player who sits there")
        parser.add_argument("--from", type=_time, dest="since", help="ended then or later (RFC 3339, or a date)")
        parser.add_argument("--to", type=_time, dest="until", help="ended before")
        parser.add_argument("--limit", type=int, help="at most so many games")
        parser.add_argument("--records", action="store_true", help="records instead of logs")
        parser.add_argument("--out", type=Path, help="a file that is not there yet, packed if its name ends in .gz")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write, and say on standard error how many games there were. CommandError when a file is there already."""
        ids = options["ids"] or _chosen(options).values_list("pk", flat=True).iterator(chunk_size=1_000)
        try:
            with _opened(options["out"]) as file:
                games = self._records(file, ids) if options["records"] else _logs(file, ids)
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}") from None
        self.stderr.write(f"{games} games")

    def _records(self, file: BinaryIO, ids: Iterator[UUID] | list[UUID]) -> int:
        games = 0
        for game in map(_game, ids):
            try:
                text = record_text(game=game)
            except Forged as forged:
                self.stderr.write(f"{game.pk}: no record, as its log does not verify: {forged}")
                continue
            file.write(f"{text}\n".encode())
            games += 1
        return games


def _logs(file: BinaryIO, ids: Iterator[UUID] | list[UUID]) -> int:
    bulk = Bulk((_game(game_id).pk for game_id in ids), most_events=None)
    file.writelines(line.encode("ascii") + b"\n" for line in bulk.lines())
    return bulk.games


def _game(game_id: UUID) -> Game:
    game = over(Game.objects.filter(pk=game_id)).first()
    if game is None:
        raise CommandError(f"no game that is over: {game_id}")
    return game


def _chosen(options: dict[str, Any]) -> QuerySet[Game]:
    operator = Player(is_staff=True)  # whoever runs commands sees what staff see
    games = game_list(viewer=operator, phase=options["phase"], mode=options["mode"], player=options["player"])
    games = over(games, since=options["since"], until=options["until"])
    limit = options["limit"]
    return games if limit is None else games[: max(0, limit)]


def _opened(path: Path | None) -> AbstractContextManager[BinaryIO]:
    if path is None:
        return nullcontext(sys.stdout.buffer)
    if path.suffix == ".gz":
        return cast("AbstractContextManager[BinaryIO]", gzip.open(path, "xb"))
    return path.open("xb")


def _time(text: str) -> datetime:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"not a time: {text!r}") from None
    return time.replace(tzinfo=UTC) if time.tzinfo is None else time
