"""Make the first administrator of a new system."""

import os
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError
from django.db import IntegrityError, connection, transaction

NAME = "admin"
PASSWORD = "TAKI_ADMIN_PASSWORD"  # noqa: S105  (the variable's name)


class Command(BaseCommand):
    """Prints a word when it made one, and nothing when there is an administrator already."""

    help = f"Make the player `{NAME}` a superuser with the password in {PASSWORD}, if there is no superuser yet."

    def handle(self, *args: Any, **options: Any) -> None:
        """Create at most one."""
        password = os.environ.get(PASSWORD, "")
        if len(password) < 12:
            raise CommandError(f"{PASSWORD} must hold a password of at least 12 characters.")
        players = get_user_model()._default_manager
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(7241010)")
            if players.filter(is_superuser=True).exists():
                return
            try:
                players.create_superuser(NAME, password)
            except IntegrityError:
                raise CommandError(
                    f"A player is called {NAME} already: make an administrator with `manage.py createsuperuser`."
                ) from None
        self.stdout.write("made")
