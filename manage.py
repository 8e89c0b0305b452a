#!/usr/bin/env python3
"""Django's command line. Commands that change the schema connect as the database's owner."""

import os
import sys

SCHEMA_COMMANDS = {"migrate", "database_grants", "pgtrigger", "flush", "sqlflush"}


def main() -> None:
    """Run one management command with the database role that it needs."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")
    if len(sys.argv) > 1 and sys.argv[1] in SCHEMA_COMMANDS:
        os.environ.setdefault("TAKI_DATABASE_ROLE", "owner")
    from django.core.management import execute_from_command_line  # noqa: PLC0415  (settings come first)

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
