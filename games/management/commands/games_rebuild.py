"""Fold logs anew and write the summaries, or only compare them."""

from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from games.errors import ChainBroken, GameNotFound
from games.models import Game
from games.projections import rebuild


class Command(BaseCommand):
    """`games_rebuild [ID …] [--check]`: one line for each game whose summary differed from its log."""

    help = "Rebuild the summary columns of games from their logs; with --check only compare."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the ids and the flag."""
        parser.add_argument("ids", nargs="*", type=UUID, help="games; all that have a log if none is given")
        parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if anything differs")

    def handle(self, *args: Any, ids: list[UUID], check: bool, **options: Any) -> None:
        """Rebuild or compare each game. CommandError when a log is broken, or with --check when one differs."""
        games = differing = broken = 0
        for game_id in ids or _with_log():
            games += 1
            try:
                columns = rebuild(game_id=game_id, check=check)
            except GameNotFound:
                raise CommandError(f"no such game: {game_id}") from None
            except ChainBroken as error:
                broken += 1
                self.stderr.write(f"{game_id} broken chain at version {error.version}")
                continue
            if columns:
                differing += 1
                self.stdout.write(f"{game_id} {' '.join(columns)}")
        self.stdout.write(f"{games} games, {differing} differed, {broken} broken")
        if broken or (check and differing):
            raise CommandError("the summaries and the logs do not agree" if not broken else "a log is broken")


def _with_log() -> Iterable[UUID]:
    return Game.objects.filter(version__gt=0).order_by("pk").values_list("pk", flat=True).iterator()
