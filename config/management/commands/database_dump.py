"""Write the whole database into one file, while everything runs."""

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.dumps import run, tool


class Command(BaseCommand):
    """`database_dump FILE`: one moment of the database, as `database_restore` and `pg_restore` read it."""

    help = "Dump the database into a new file. It holds the seeds of running games: keep it as secret as a password."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the file."""
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        """Write the whole file or none. CommandError when it is there already or cannot be written."""
        fresh = file.with_name(f"{file.name}.new")
        if file.exists():
            raise CommandError(f"{file} is there already.")
        try:
            os.close(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
        except OSError as error:
            raise CommandError(f"{fresh} cannot be written: {error.strerror}.") from None
        try:
            run(tool("pg_dump"), "--format=custom", "--no-owner", "--no-privileges", f"--file={fresh}")
            fresh.rename(file)
        finally:
            fresh.unlink(missing_ok=True)
        self.stdout.write(f"{file}: {file.stat().st_size} bytes")
