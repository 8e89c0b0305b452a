#!/usr/bin/env python3
"""Django's command line. Commands that change the schema connect as the database's owner."""

import os
import sys

from config.env import BadEnvironment
from config.running import adopt_here

# These need neither a database nor a secret.
OFFLINE_COMMANDS = {"help", "version", "check", "makemigrations", "makemessages", "compilemessages", "spectacular"}
OWNERS_COMMANDS = {
    *("migrate", "database_ready", "database_grants", "database_dump", "database_restore"),
    *("admin_first", "pgtrigger", "flush", "dbshell"),
}


def main() -> None:
    """Run one management command with the role that it needs, on the running system if there is one."""
    command = sys.argv[1] if len(sys.argv) > 1 else "help"
    if "DJANGO_SETTINGS_MODULE" not in os.environ:
        adopt_here()
        alone = command in OFFLINE_COMMANDS and not os.environ.get("SECRET_KEY")
        os.environ["DJANGO_SETTINGS_MODULE"] = f"config.settings.{'test' if alone else 'production'}"
    if command in OWNERS_COMMANDS:
        os.environ["TAKI_DATABASE_ROLE"] = "owner"
    from django.core.management import execute_from_command_line  # noqa: PLC0415  (the environment comes first)

    try:
        execute_from_command_line(sys.argv)
    except BadEnvironment as problem:
        sys.exit(str(problem))


if __name__ == "__main__":
    main()
