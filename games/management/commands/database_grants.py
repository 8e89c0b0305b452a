"""Give the application's database role what it needs, and keep from it what it must never do to what proves a game."""

from collections.abc import Iterator
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection, transaction
from psycopg import sql

from games.models.auditing import PERSONS

ADDED_ONLY: Final = (
    "games_gameevent",
    "games_gamesecret",
    "games_gamesignature",
    "games_signingkey",
    "tournaments_tournamentevent",
)
"""Rows are added to these, and stay as they are."""
AUDIT_LOG: Final = "games_auditentry"
"""Rows are added, a person is taken out of one that was erased, and one that has expired is removed (by a trigger)."""


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
            for statement in _statements(role, set(connection.introspection.table_names(cursor))):
                cursor.execute(statement)
        if options["verbosity"] > 0:
            self.stdout.write(f"{role} may read and write; it may not change or remove events.")


def _statements(role: str, known: set[str]) -> Iterator[sql.Composed]:
    who = sql.Identifier(role)
    for text in (
        "GRANT USAGE ON SCHEMA public TO {role}",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role}",
        "GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA public TO {role}",
        # Which migrations ran is the owner's to say.
        "REVOKE INSERT, UPDATE, DELETE ON django_migrations FROM {role}",
    ):
        yield sql.SQL(text).format(role=who)
    for table in ADDED_ONLY:
        if table in known:
            kept = sql.SQL("REVOKE UPDATE, DELETE, TRUNCATE ON {table} FROM {role}")
            yield kept.format(role=who, table=sql.Identifier(table))
    if AUDIT_LOG in known:
        log, persons = sql.Identifier(AUDIT_LOG), sql.SQL(", ").join(map(sql.Identifier, PERSONS))
        yield sql.SQL("REVOKE UPDATE, TRUNCATE ON {table} FROM {role}").format(role=who, table=log)
        yield sql.SQL("GRANT UPDATE ({persons}) ON {table} TO {role}").format(role=who, table=log, persons=persons)
