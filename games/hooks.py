"""What others do when a game has moved: a list they fill in `AppConfig.ready`. No Django signals."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from games.fold import StoredEvent
from games.rules.cards import Seat
from games.rules.state import State

if TYPE_CHECKING:
    from games.models import Game
    from players.models import Player

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Appended:
    """The outcome of a command: its events, and the game as it is now.

    ``version`` is the last event's. ``repeated``: the command had been carried out before, and these are the
    events of then. ``state`` and ``game`` are today's; ``seat`` is the caller's, None for the system.
    ``paced``: a person sits at the table, so that bots take their time.
    The state holds every hand: show it through `view_for` only.
    """

    version: int
    events: tuple[StoredEvent, ...]
    state: State
    game: "Game"
    seat: Seat | None = None
    repeated: bool = False
    paced: bool = False


after_append: list[Callable[[Appended], None]] = []
"""Called one after the other once the events are committed; never for a repeated command."""
may_watch: list[Callable[[UUID, "Player"], bool]] = []
"""Whether a player may watch a private game (its id) at which it does not sit; one that says so is enough."""
after_lobby: list[Callable[[UUID, tuple[UUID, ...]], None]] = []
"""Called once a change that is no event is committed: the game's id, and the players whom it concerns."""


def tell(appended: Appended) -> None:
    """Call every hook. What one of them raises is logged: the move is made, and its maker must hear so."""
    for hook in tuple(after_append):
        try:
            hook(appended)
        except Exception:
            logger.exception("a hook failed after game %s version %s", appended.game.id, appended.version)


def tell_lobby(game_id: UUID, players: tuple[UUID, ...]) -> None:
    """Call every hook of a change in the lobby or of who sits where. What one of them raises is logged."""
    for hook in tuple(after_lobby):
        try:
            hook(game_id, players)
        except Exception:
            logger.exception("a hook failed after a change at table %s", game_id)
