"""Fold tournaments' logs anew and write the summaries, or only compare them."""

from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from tournaments.errors import TournamentNotFound
from tournaments.models import Tournament
from tournaments.rebuilding import tournament_rebuild


class Command(BaseCommand):
    """`tournaments_rebuild [ID …] [--check]`: one line for each tournament whose summaries differed from its log."""

    help = "Rebuild the summary columns of tournaments and entries from their logs; with --check only compare."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the ids and the flag."""
        parser.add_argument("ids", nargs="*", type=UUID, help="tournaments; all if none is given")
        parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if anything differs")

    def handle(self, *args: Any, ids: list[UUID], check: bool, **options: Any) -> None:
        """Rebuild or compare each. CommandError for an id that is none, or with --check when one differs."""
        tournaments = differing = 0
        for tournament_id in ids or _all():
            tournaments += 1
            try:
                columns = tournament_rebuild(tournament_id=tournament_id, check=check)
            except TournamentNotFound:
                raise CommandError(f"no such tournament: {tournament_id}") from None
            if columns:
                differing += 1
                self.stdout.write(f"{tournament_id} {' '.join(columns)}")
        self.stdout.write(f"{tournaments} tournaments, {differing} differed")
        if check and differing:
            raise CommandError("the summaries and the logs do not agree")


def _all() -> Iterable[UUID]:
    return Tournament.objects.order_by("pk").values_list("pk", flat=True).iterator()
