"""Hints: that something has changed, never what. They may be lost or doubled; whoever hears one reads the tables.

A channel for each subject: `game:<id>` (the message is the version; `l`: the lobby or who sits where; `p`: who is
connected), `player:<id>`, `tournament:<id>`.
"""

from typing import Final, NamedTuple
from uuid import UUID

from games.hooks import Appended
from games.streaming.valkey import ValkeyAway, say

LOBBY: Final = "l"
PRESENCE: Final = "p"
CHANGED: Final = "c"


class Hint(NamedTuple):
    """A message for those who follow a subject."""

    channel: str
    message: str


def game_channel(game_id: UUID) -> str:
    """Where hints about a game are heard."""
    return f"game:{game_id}"


def player_channel(player_id: UUID) -> str:
    """Where hints are heard about what concerns a player: seats, starts, invitations."""
    return f"player:{player_id}"


def tournament_channel(tournament_id: UUID) -> str:
    """Where hints about a tournament are heard."""
    return f"tournament:{tournament_id}"


def hints_publish(*hints: Hint) -> bool:
    """Send the hints, without waiting; False when Valkey is away. Never raises: the act is already done."""
    try:
        say(*(("PUBLISH", *hint) for hint in hints))
    except ValkeyAway:
        return False
    return True


def publish_appended(appended: Appended) -> None:
    """For `hooks.after_append`."""
    hints_publish(Hint(game_channel(appended.game.pk), str(appended.version)))


def publish_lobby(game_id: UUID, players: tuple[UUID, ...]) -> None:
    """For `hooks.after_lobby`."""
    concerned = (Hint(player_channel(player), CHANGED) for player in players)
    hints_publish(Hint(game_channel(game_id), LOBBY), *concerned)
