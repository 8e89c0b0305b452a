"""The audit log as lines of JSON, for auditors and archives."""

from argparse import ArgumentParser
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand

from games.audit.entries import entries_iter, entry_line
from games.management.commands.games_audit import moment_of
from games.models import AuditKind


class Command(BaseCommand):
    """`audit_log [--since TIME] [--kind KIND] [--game ID]`: one entry a line, oldest first."""

    help = "Write the audit log to standard output, one JSON object a line."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the filters."""
        parser.add_argument("--since", type=moment_of, help="only entries from this date or time on")
        parser.add_argument("--kind", choices=AuditKind.values, help="only of this kind")
        parser.add_argument("--game", type=UUID, help="only of this game")

    def handle(self, *args: Any, since: datetime | None, kind: str | None, game: UUID | None, **options: Any) -> None:
        """Write the lines."""
        for entry in entries_iter(since=since, kind=kind, game_id=game):
            self.stdout.write(entry_line(entry))
