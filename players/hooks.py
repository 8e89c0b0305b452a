"""What those above do when a player goes, or asks for its data: lists that they fill in `AppConfig.ready`."""

import logging
from collections.abc import Callable, Iterator, Mapping
from uuid import UUID

from players.models import Player

logger = logging.getLogger(__name__)

Section = Callable[[Player], Iterator[Mapping[str, object]]]

before_erase: list[Callable[[Player], None]] = []
"""Called outside of a transaction, before anything is erased: let the player get up and go, as it could itself.

Each may be called twice, and for a player that is never erased (the process died): what it does must stand by itself.
"""

holds: list[Callable[[Player], bool]] = []
"""Whether the player still sits or stands somewhere that `before_erase` leads away from; asked under its lock."""

erasing: list[Callable[[Player], None]] = []
"""Called in the transaction that erases: take away what names the player and would not go with its row."""

after_erase: list[Callable[[UUID], None]] = []
"""Called once the player is gone, with what was its id."""

plays_now: list[Callable[[Player], bool]] = []
"""Whether the player sits at a running table."""

export_sections: dict[str, Section] = {}
"""Parts of the export of one's data, by name: each gives its entries one by one."""


def tell_erased(player_id: UUID) -> None:
    """Call every `after_erase`. What one of them raises is logged: the player is gone."""
    for hook in tuple(after_erase):
        try:
            hook(player_id)
        except Exception:
            logger.exception("a hook failed after a player was erased")
