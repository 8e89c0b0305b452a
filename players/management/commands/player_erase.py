"""Erase a player who asked for it by other ways than the API."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from players.models import Player
from players.names import is_reserved, name_key
from players.services import player_erase


class Command(BaseCommand):
    """`player_erase NAME [--yes]`: everything personal goes, for good; games stay."""

    help = "Erase a player, as DELETE players/me/ does. Without --yes only says who it would be."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the name and the flag."""
        parser.add_argument("name", help="the player's name, in any case")
        parser.add_argument("--yes", action="store_true", help="do it: there is no way back")

    def handle(self, *args: Any, name: str, yes: bool, **options: Any) -> None:
        """Erase, or say who it would be. CommandError when there is no such player."""
        player = Player.objects.filter(key=name_key(name)).first()
        if player is None or is_reserved(player.name):
            raise CommandError(f"no player is called {name!r}")
        kind = "guest" if player.guest else "account"
        if not yes:
            self.stdout.write(
                f"{player.name}: {kind} {player.pk} since {player.created_at:%F}. With --yes it is erased."
            )
            return
        player_erase(player_id=player.pk)
        self.stdout.write(f"erased {player.pk}")
