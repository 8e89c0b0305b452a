"""Seats whose player is away: how they come to be, and how they come back."""

from uuid import UUID

from django.db import connection, transaction

from games import clock, store
from games.chain import private_uuid
from games.errors import WrongPhase
from games.hooks import Appended
from games.models import Game, Phase, WhenAway
from games.rules.cards import Seat
from games.rules.commands import LEAVE
from games.rules.decide import advance
from games.rules.events import Event, SeatAway, SeatReturned, TurnMissed
from games.rules.state import State
from games.services.actors import PlayerActor, SystemActor, actor_text, request_digest, seat_for
from games.services.appending import CommandKey, commit_events, time_now
from games.services.seating import lock_game, rows
from games.store import Locked, NewEvent
from players.models import Player

MOST_AT_ONCE = 200
SERVER = SystemActor("server")


def missed_turn(locked: Locked, state: State) -> tuple[tuple[Event, ...], State]:
    """What a timeout says of the seat that let it come, and the position after that; ``state`` is the timeout's.

    Nothing after a window's timeout, for a built-in bot (it is never away), or once the game is over.
    """
    folded = locked.table.folded
    seat = folded.state.turn
    if folded.state.plus3 is not None or state.over or locked.table.built_in(seat):
        return (), state
    missed = TurnMissed(seat, clock.missed_in_a_row(folded.clock, seat) + 1)
    if missed.in_a_row < clock.AWAY_AFTER or seat in folded.clock.away:
        return (missed,), state
    away, state = _gone(locked.game, state, seat)
    return (missed, *away), state


def seat_return(*, game_id: UUID, player: Player) -> Game:
    """The player is back and plays for itself again, at once; harmless when it was not away.

    GameNotFound, NotSeated, WrongPhase (not_started, finished).
    """
    with transaction.atomic():
        locked, actor = store.lock(game_id=game_id), PlayerActor(player.pk)
        seat = seat_for(locked.game, locked.table, actor)
        if locked.game.phase != Phase.PLAYING:
            raise WrongPhase("finished" if locked.game.version else "not_started", locked.game.phase)
        if seat is None or seat not in locked.table.folded.clock.away:
            return locked.game
        back = NewEvent(SeatReturned(seat), actor_text(actor, seat))
        return _tell(locked, (back,), locked.table.folded.state, "return").game


def seats_abandoned() -> tuple[tuple[UUID, Seat], ...]:
    """Seats of running games where nobody sits any more (the player was erased) and that nobody plays for yet."""
    with connection.cursor() as cursor:
        cursor.execute(_ABANDONED, (Phase.PLAYING, MOST_AT_ONCE))
        return tuple((game_id, Seat(seat)) for game_id, seat in cursor)


def seat_abandon(*, game_id: UUID, seat: Seat) -> Appended | None:
    """Treat an abandoned seat as away, so that its game goes on, also without a clock; None if it is not abandoned."""
    with transaction.atomic():
        game = lock_game(game_id)
        if game.phase != Phase.PLAYING or not rows(game).filter(seat=seat, player=None, bot="").exists():
            return None
        game.seating_revision += 1  # no process knows yet that the player is gone
        game.save(update_fields=["seating_revision"])
        locked = store.lock(game_id=game_id)
        state = locked.table.folded.state
        if seat in state.left or seat in locked.table.folded.clock.away:
            return None
        events, state = _gone(locked.game, state, seat)
        return _tell(locked, tuple(NewEvent(event, SERVER.name) for event in events), state, "abandon")


def _gone(game: Game, state: State, seat: Seat) -> tuple[tuple[Event, ...], State]:
    if game.when_away != WhenAway.FORFEIT:
        return (SeatAway(seat),), state
    left = advance(state, seat, (LEAVE,))
    return (SeatAway(seat), *left.events), left.state


def _tell(locked: Locked, events: tuple[NewEvent, ...], state: State, what: str) -> Appended:
    purpose = f"{what}/{locked.game.version}"
    key = CommandKey(private_uuid(locked.table.server_seed, purpose), request_digest(SERVER, purpose.encode("ascii")))
    return commit_events(locked=locked, events=events, state=state, key=key, now=time_now(locked))


_ABANDONED = """
    SELECT seat.game_id, seat.seat FROM games_seat seat JOIN games_game game ON game.id = seat.game_id
    WHERE seat.until_version IS NULL AND seat.player_id IS NULL AND seat.bot = '' AND game.phase = %s
        AND game.frozen_at IS NULL
        AND NOT seat.seat = ANY (game.left) AND NOT seat.seat = ANY (game.away)
    ORDER BY seat.game_id LIMIT %s
"""
