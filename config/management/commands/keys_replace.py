"""Another signing key for a system that `./taki up` runs."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.account import SetUpFailed
from config.current import ENV
from config.folder import key_replace


class Command(BaseCommand):
    """Draws the key; the next start signs with it, publishes it, and retires the one before."""

    help = "Draw another signing key into the data folder of `./taki up`. Elsewhere set TAKI_SIGNING_KEY instead."

    def handle(self, *args: Any, **options: Any) -> None:
        """Replace the key. CommandError when there is no data folder to keep it in."""
        try:
            key_replace(ENV.data_dir)
        except SetUpFailed as problem:
            raise CommandError(
                f"{problem} Where secrets come from the environment, set TAKI_SIGNING_KEY to 32 other random bytes "
                "(openssl rand -hex 32) on every machine, and restart."
            ) from None
        self.stdout.write(
            "Another key is in secrets.json. Restart `./taki up`: it then signs with it, and publishes both."
        )
