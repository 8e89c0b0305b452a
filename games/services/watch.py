"""Whether somebody looks at the clocks: a spell of watching is kept in the database, so that a pause is found."""

import time
from typing import Final
from uuid import UUID

from django.db import connection

from games.models import Phase

PAUSE_SECONDS: Final = 5
"""Sweeps that have stopped for longer than this count as the service being down."""
KEEP_SECONDS: Final = 1.0


class Watching:
    """One sweep's sign of life: given when it begins, and again while it is long at work."""

    def __init__(self) -> None:
        self._kept = 0.0

    def keep(self) -> None:
        """Say that the clocks are looked at now, once a second at most. Two sweeps at once keep one spell."""
        if time.monotonic() - self._kept < KEEP_SECONDS:
            return
        self._kept = time.monotonic()
        with connection.cursor() as cursor:
            cursor.execute(_GO_ON, (PAUSE_SECONDS,))
            if not cursor.rowcount:
                cursor.execute(_BEGIN, (PAUSE_SECONDS,))


def games_uncredited(most: int) -> tuple[UUID, ...]:
    """The running games to whose clocks the last pause has not been credited yet."""
    with connection.cursor() as cursor:
        cursor.execute(_UNCREDITED, (Phase.PLAYING, most))
        return tuple(game_id for (game_id,) in cursor)


_GO_ON: Final = """
    UPDATE games_watch SET last_at = greatest(last_at, clock_timestamp())
    WHERE id = (SELECT max(id) FROM games_watch) AND clock_timestamp() - last_at <= make_interval(secs => %s)
"""

# If another sweep has begun the new spell meanwhile, nothing is to be done.
_BEGIN: Final = """
    INSERT INTO games_watch (down_since, began_at, last_at)
    SELECT (SELECT max(last_at) FROM games_watch), clock_timestamp(), clock_timestamp()
    WHERE NOT EXISTS (
        SELECT FROM games_watch WHERE clock_timestamp() - last_at <= make_interval(secs => %s)
    )
    ON CONFLICT DO NOTHING
"""

# Less than half a second is not credited, so such a game would be found again and again.
_UNCREDITED: Final = """
    SELECT game.id FROM games_game game, (SELECT * FROM games_watch ORDER BY id DESC LIMIT 1) spell
    WHERE game.phase = %s AND game.frozen_at IS NULL AND spell.down_since IS NOT NULL
        AND game.clock_from < spell.began_at - interval '0.5 seconds'
    ORDER BY game.deadline LIMIT %s
"""
