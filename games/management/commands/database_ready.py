"""Migrate, grant, register the signing key: what a deployment runs, as the owner, before its processes start."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connection

from games.audit.keys import present_signer
from games.services.keys import key_register

# Two deployments at once wait for each other; the number is only this program's own.
_LOCK = 7_241_009


class Command(BaseCommand):
    """Harmless to repeat, also at the same time."""

    help = "Run migrate and database_grants, register the signing key. Run as the owner."

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate and grant under one advisory lock, which ends with the connection."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [_LOCK])
        try:
            call_command("migrate", interactive=False, verbosity=options["verbosity"])
            call_command("database_grants", verbosity=options["verbosity"])
            # Published before the first process signs with it.
            key_register(signer=present_signer())
        finally:
            connection.close()
