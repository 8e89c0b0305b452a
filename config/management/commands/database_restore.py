"""Put the database back from a file of `database_dump`, as a whole or not at all."""

import subprocess
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import IO, Any, Final

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from config.dumps import database_environment, run, tool

_EMPTY: Final = b"DROP SCHEMA public CASCADE;\nCREATE SCHEMA public;\n"


class Command(BaseCommand):
    """`database_restore FILE [--replace]`: then migrates and grants, so that an older dump will do."""

    help = "Restore a dump in one transaction. Run as the owner; with --replace what is in the database is lost."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the file, and the word that is needed where something would be lost."""
        parser.add_argument("file", type=Path)
        parser.add_argument("--replace", action="store_true", help="even if there are games in the database")

    def handle(self, *args: Any, file: Path, replace: bool, **options: Any) -> None:
        """Restore, migrate, grant. CommandError when there is something to lose, or the file is no dump."""
        if not file.is_file():
            raise CommandError(f"{file} is no file.")
        if not replace and (games := _games()):
            raise CommandError(f"There are {games} games in this database; --replace gives them up.")
        connection.close()
        # A file of its own, as the whole script must be there before the first table is dropped.
        with tempfile.TemporaryFile() as script:
            script.write(_EMPTY)
            script.flush()
            _unpack(file, script)
            script.seek(0)
            run(tool("psql"), "--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1", stdin=script)
        call_command("database_ready", verbosity=0)
        self.stdout.write(f"restored: {_games()} games. Now restart the processes and run games_audit.")


def _unpack(file: Path, script: IO[bytes]) -> None:
    """The dump as SQL, written to the script's end. CommandError when it is no dump."""
    command = [tool("pg_restore"), "--no-owner", "--no-privileges", "--file=-", str(file)]
    done = subprocess.run(command, env=database_environment(), stdout=script, stderr=subprocess.PIPE, check=False)
    if done.returncode:
        raise CommandError(f"{file} is no dump: {done.stderr.decode(errors='replace').strip()[-300:]}")


def _games() -> int:
    with connection.cursor() as cursor:
        if "games_game" not in connection.introspection.table_names(cursor):
            return 0
        cursor.execute("SELECT count(*) FROM games_game")
        return int(cursor.fetchone()[0])
