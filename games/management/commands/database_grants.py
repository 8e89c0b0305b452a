"""Give the application's database role what it needs, and keep from it what it must never do to events."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection, transaction
from psycopg import sql

EVENTS = ("games_gameevent", "tournaments_tournamentevent")


class Command(BaseCommand):
    """Harmless to repeat; run it after every migrate, as the tables' owner."""

    help = "Grant the application's role reading and writing, but no change of an event. Run as the owner."

    def handle(self, *args: Any, **options: Any) -> None:
        """Grant and revoke in one transaction; nothing to do when owner and application are one role."""
        role = settings.TAKI_APPLICATION_ROLE
        if not role:
            raise CommandError("DATABASE_URL names no user, so there is no role to grant anything to.")
        if role == settings.DATABASES["default"]["USER"]:
            self.stderr.write(f"Owner and application are both {role}: events are kept by their trigger alone.")
            return
        with transaction.atomic(), connection.cursor() as cursor:
            for statement in _statements(role, _present(cursor)):
                cursor.execute(statement)
        if options["verbosity"] > 0:
            self.stdout.write(f"{role} may read and write; it may not change or remove events.")


def _present(cursor: Any) -> list[str]:
    known = connection.introspection.table_names(cursor)
    return [table for table in EVENTS if table in known]


def _statements(role: str, events: list[str]) -> list[sql.Composed]:
    texts = [
        "GRANT USAGE ON SCHEMA public TO {role}",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role}",
        "GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA public TO {role}",
        # Which migrations ran is the owner's to say.
        "REVOKE INSERT, UPDATE, DELETE ON django_migrations FROM {role}",
    ]
    granted = [sql.SQL(text).format(role=sql.Identifier(role)) for text in texts]
    kept = sql.SQL("REVOKE UPDATE, DELETE, TRUNCATE ON {events} FROM {role}")
    names = [{"role": sql.Identifier(role), "events": sql.Identifier(table)} for table in events]
    return [*granted, *(kept.format(**each) for each in names)]
