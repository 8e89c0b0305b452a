"""Whether somebody may look at a game: at a private one, by what the API itself decides, asked again now and then."""

import time
from typing import Final

from games.errors import GameNotFound
from games.models import Game, Visibility
from games.selectors import game_get
from games.streaming.feed import seat_of
from games.streaming.process import StreamProcess
from players.models import Player

LASTS_SECONDS: Final = 5.0


class Looking:
    """One caller's leave to look at one game."""

    __slots__ = ("_process", "_seen", "_until")

    def __init__(self, process: StreamProcess) -> None:
        self._process = process
        self._seen: object = None
        self._until = 0.0

    async def may_know(self, game: Game, player: Player) -> bool:
        """Whether the player may know of the game, of which this is the row with its seating."""
        if game.visibility == Visibility.PUBLIC or player.is_staff or seat_of(game, player.pk) is not None:
            return True
        seen = (game.lobby_revision, game.seating_revision, game.phase)
        if seen != self._seen or time.monotonic() > self._until:
            if not await self._process.by_orm(lambda: _knows(game, player)):
                return False
            self._seen, self._until = seen, time.monotonic() + LASTS_SECONDS
        return True


def _knows(game: Game, player: Player) -> bool:
    try:
        game_get(game_id=game.pk, viewer=player)
    except GameNotFound:
        return False
    return True
