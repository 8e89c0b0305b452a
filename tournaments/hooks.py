"""What others do when a tournament has moved: a list they fill in `AppConfig.ready`. No Django signals."""

import logging
from collections.abc import Callable
from uuid import UUID

logger = logging.getLogger(__name__)

after_change: list[Callable[[UUID], None]] = []
"""Called one after the other with the tournament's id, once a change of it is committed."""


def tell(tournament_id: UUID) -> None:
    """Call every hook. What one of them raises is logged: the act is done, and whoever did it must hear so."""
    for hook in tuple(after_change):
        try:
            hook(tournament_id)
        except Exception:
            logger.exception("a hook failed after a change of tournament %s", tournament_id)
