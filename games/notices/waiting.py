"""For whom a slow game waits without their knowing. Only reads.

At most one notice to a player and game is unread: another comes only after the player has moved. Whoever follows the
game on a stream, or moved a moment ago, knows.
"""

from typing import Final, NamedTuple
from uuid import UUID

from django.db import connection

from games import store
from games.errors import GameNotFound
from games.models import Game, Phase
from games.notices.kinds import TURN, WINDOW
from games.rules.cards import Seat
from games.streaming.presence import connected_seats
from games.table import Table

SLOW_SECONDS: Final = 3_600
"""A game is slow when its turns, or the answers to a +3, may take at least so long."""
QUIET_SECONDS: Final = 120
"""Whoever moved, or started the game, so short a time ago is still there."""
MOST_AT_ONCE: Final = 200


class Awaited(NamedTuple):
    """A player for whom a game waits: since which version, and for what."""

    game_id: UUID
    player_id: UUID
    kind: str
    version: int


def players_awaited(*, game_id: UUID | None = None) -> tuple[Awaited, ...]:
    """Those to be told that a slow game waits for them, of one game or of all."""
    with connection.cursor() as cursor:
        cursor.execute(
            _CANDIDATES,
            {
                "phase": Phase.PLAYING,
                "slow": SLOW_SECONDS,
                "quiet": QUIET_SECONDS,
                "kinds": [TURN, WINDOW],
                "game": game_id,
                "most": MOST_AT_ONCE,
            },
        )
        candidates = [(game, Seat(seat), player) for game, seat, player in cursor]
    found = (_awaited(game, seat, player) for game, seat, player in candidates)
    return tuple(awaited for awaited in found if awaited is not None)


def awaited_at(*, game_id: UUID, player_id: UUID) -> Awaited | None:
    """What the game waits for the player for, now; None if it does not, or the player follows it."""
    try:
        table = store.load(game_id=game_id)[1]
    except GameNotFound:
        return None
    seat = table.seat_of(player_id)
    return None if seat is None else _awaited(game_id, seat, player_id)


def _awaited(game_id: UUID, seat: Seat, player_id: UUID) -> Awaited | None:
    game, table = store.load(game_id=game_id)
    if game.phase != Phase.PLAYING or game.frozen_at is not None or table.seat_of(player_id) != seat:
        return None
    kind, version, seconds = _wait(game, table, seat)
    if not version or (seconds is not None and seconds < SLOW_SECONDS):
        return None
    return None if seat in connected_seats(game_id=game_id) else Awaited(game_id, player_id, kind, version)


def _wait(game: Game, table: Table, seat: Seat) -> tuple[str, int, int | None]:
    """What the game waits for the seat for, since which version (0: it does not), and for how many seconds at most."""
    state, clock = table.folded.state, table.folded.clock
    if state.plus3 is not None:
        return WINDOW, clock.window_version if seat in state.answer else 0, game.reaction_seconds
    return TURN, clock.turn_version if seat == state.turn else 0, game.turn_seconds


# A seat's last act is found from the log's end; one that has not acted since it was told has not read it.
_CANDIDATES: Final = """
    SELECT game.id, seat.seat, seat.player_id
    FROM games_game game
    JOIN games_seat seat ON seat.game_id = game.id AND seat.until_version IS NULL
    JOIN players_player player ON player.id = seat.player_id AND player.notify_by_email AND player.is_active
    WHERE game.phase = %(phase)s AND game.frozen_at IS NULL AND (%(game)s::uuid IS NULL OR game.id = %(game)s::uuid)
        AND (game.turn_seconds IS NULL OR greatest(game.turn_seconds, game.reaction_seconds) >= %(slow)s)
        AND (game.turn = seat.seat OR game.reaction_seconds >= %(slow)s)
        AND NOT seat.seat = ANY (game.left)
        AND game.started_at < now() - make_interval(secs => %(quiet)s)
        AND NOT EXISTS (
            SELECT FROM games_gameevent event
            WHERE event.game_id = game.id AND event.actor = 'seat:' || seat.seat
                AND event.version > game.version - 50 AND event.recorded_at >= now() - make_interval(secs => %(quiet)s)
        )
        AND NOT EXISTS (
            SELECT FROM games_gamenotice notice
            WHERE notice.game_id = game.id AND notice.player_id = seat.player_id AND notice.kind = ANY (%(kinds)s)
                AND NOT EXISTS (
                    SELECT FROM games_gameevent event
                    WHERE event.game_id = game.id AND event.version > notice.version
                        AND event.actor = 'seat:' || seat.seat
                )
        )
    ORDER BY game.id LIMIT %(most)s
"""
