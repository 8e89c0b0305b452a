"""Moves: a whole command of a seat or of the clock, judged and written under the game's lock."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from django.db import transaction

from games import clock, store
from games.chain import private_uuid
from games.errors import CommandIdReused, GameNotFound, MoveRefused, StaleVersion, WrongPhase
from games.hooks import Appended
from games.models import Phase
from games.rules.cards import BREAKER, KING, Seat
from games.rules.commands import LAST, LEAVE, STOP, TIMEOUT, Accept, Command, Play, Timeout
from games.rules.decide import Advance
from games.rules.events import ClockCredited, Event, SeatReturned
from games.rules.refusals import Refused
from games.services.absence import missed_turn
from games.services.actors import Actor, PlayerActor, SystemActor, actor_text, request_digest, seat_for
from games.services.appending import CommandKey, commit_events, require_unfrozen, time_now
from games.services.grace import advance_with_grace
from games.store import Locked, NewEvent

CLOCK: Final = SystemActor("clock")


def game_submit(
    *,
    game_id: UUID,
    actor: Actor,
    commands: tuple[Command, ...],
    command_id: UUID,
    digest: bytes,
    expected_version: int | None = None,
) -> Appended:
    """Carry out a whole command, all or nothing; the same id, actor and ``digest`` again gives the same events.

    ``digest``: of the request's body. ``expected_version``: the version that the caller saw; it may be behind for
    an answer to the window that it saw, and for "last card" alone.
    Raises GameNotFound, CommandIdReused, NotSeated, WrongPhase, StaleVersion, MoveRefused; ValueError without
    commands. Whatever it raises, nothing is written.
    """
    if not commands:
        raise ValueError("a command has at least one part")
    key = CommandKey(command_id, request_digest(actor, digest))
    with transaction.atomic():
        locked = store.lock(game_id=game_id, command_id=command_id)
        if locked.told is not None:
            return _repeated(locked, actor, key)
        seat = seat_for(locked.game, locked.table, actor)
        require_playing(locked)
        _require_fresh(locked, seat, commands, expected_version)
        return _carry_out(locked, actor, seat, commands, key)


def game_timeout(*, game_id: UUID, version: int) -> Appended | None:
    """Carry out the timeout that fell due at this version; None if the game is locked, gone on or not yet due.

    A move that gets the lock before this counts, though its deadline has passed; then this decides nothing.
    If time was lost, it is credited instead.
    """
    with transaction.atomic():
        locked = _lock_at(game_id, version)
        if locked is None or not _due(locked.table.folded.clock.deadline, locked):
            return None
        return _credit(locked) or _by_clock(locked, TIMEOUT)


def game_time_up(*, game_id: UUID) -> Appended | None:
    """End a game whose table's time (``game_minutes``) is up, or that nobody has touched for a month without a clock.

    None if it is locked, over or not yet due. If time was lost, it is credited instead.
    """
    with transaction.atomic():
        locked = _lock_at(game_id, None)
        if locked is None:
            return None
        stop_at = clock.stop_time(locked.table.folded.clock, store.limits_of(locked.game))
        return (_credit(locked) or _by_clock(locked, STOP)) if _due(stop_at, locked) else None


def game_credit(*, game_id: UUID) -> Appended | None:
    """Give back to the running clock the time for which nobody looked at it; None if the game is locked or none is."""
    with transaction.atomic():
        locked = _lock_at(game_id, None)
        return None if locked is None else _credit(locked)


def require_playing(locked: Locked) -> None:
    """WrongPhase unless the game is being played (frozen, too)."""
    phase = locked.game.phase
    if phase != Phase.PLAYING:
        raise WrongPhase("finished" if locked.game.version else "not_started", phase)
    require_unfrozen(locked.game)


def _lock_at(game_id: UUID, version: int | None) -> Locked | None:
    try:
        locked = store.lock(game_id=game_id, skip_locked=True)
    except GameNotFound:
        return None
    stale = version is not None and locked.game.version != version
    resting = locked.game.phase != Phase.PLAYING or locked.game.frozen_at is not None
    return None if stale or resting else locked


def _due(at: int | None, locked: Locked) -> bool:
    return at is not None and at <= time_now(locked)


def _credit(locked: Locked) -> Appended | None:
    credited = clock.credit_for(store.lost_ms(locked))
    if credited is None:
        return None
    events = (NewEvent(credited, CLOCK.name),)
    state = locked.table.folded.state
    return commit_events(
        locked=locked, events=events, state=state, key=_clocks_key(locked, "credit"), now=time_now(locked)
    )


def _by_clock(locked: Locked, command: Command) -> Appended:
    return _carry_out(locked, CLOCK, None, (command,), _clocks_key(locked, "clock"))


def _clocks_key(locked: Locked, what: str) -> CommandKey:
    purpose = f"{what}/{locked.game.version}"
    return CommandKey(private_uuid(locked.table.server_seed, purpose), request_digest(CLOCK, purpose.encode("ascii")))


def _carry_out(
    locked: Locked, actor: Actor, seat: Seat | None, commands: Sequence[Command], key: CommandKey
) -> Appended:
    now, by = time_now(locked), actor_text(actor, seat)
    decided = _decided(locked, seat, commands, now)
    before, state = [*_credit_before(locked, now), *_return_before(locked, actor, seat, commands)], decided.state
    events: list[Event] = [*before, *decided.events]
    by_clock = isinstance(commands[0], Timeout)
    if by_clock:
        missed, state = missed_turn(locked, state)
        events.extend(missed)
    told = tuple(NewEvent(event, CLOCK.name if isinstance(event, ClockCredited) else by) for event in events)
    return commit_events(locked=locked, events=told, state=state, key=key, now=now, seat=seat, by_clock=by_clock)


def _decided(locked: Locked, seat: Seat | None, commands: Sequence[Command], now: int) -> Advance:
    folded = locked.table.folded
    within_grace = clock.within_grace(folded.clock, folded.state, now)
    try:
        return advance_with_grace(folded.state, seat, commands, within_grace=within_grace)
    except Refused as refused:
        raise MoveRefused(refused.refusal, refused.rule, folded.version) from refused


def _credit_before(locked: Locked, now: int) -> list[Event]:
    """Lost time is credited before a move that would otherwise pay for it out of its bank."""
    if not clock.overdrawn(locked.table.folded.clock, store.limits_of(locked.game), now):
        return []
    credited = clock.credit_for(store.lost_ms(locked))
    return [] if credited is None else [credited]


def _return_before(locked: Locked, actor: Actor, seat: Seat | None, commands: Sequence[Command]) -> list[Event]:
    """Whoever was away is back with the first command of its own; only who leaves need not come back for it."""
    away = isinstance(actor, PlayerActor) and seat is not None and seat in locked.table.folded.clock.away
    return [SeatReturned(seat)] if away and seat is not None and commands[0] != LEAVE else []


def _repeated(locked: Locked, actor: Actor, key: CommandKey) -> Appended:
    told, table = locked.told, locked.table
    seat = seat_for(locked.game, table, actor)  # a stranger to a private game learns nothing of its commands
    if told is None or told.digest != key.digest:
        raise CommandIdReused
    return Appended(told.events[-1].version, told.events, table.folded.state, locked.game, seat, repeated=True)


def _require_fresh(
    locked: Locked, seat: Seat | None, commands: Sequence[Command], expected_version: int | None
) -> None:
    version = locked.game.version
    if expected_version is None or expected_version == version:
        return
    if not _is_reaction(locked, commands, expected_version):
        raise StaleVersion(version)


def _is_reaction(locked: Locked, commands: Sequence[Command], expected_version: int) -> bool:
    """The command does not hang on its turn: "last card" alone, or an answer to the very window that was seen.

    A Breaker meant for a window that has closed must not become a play of one's own turn.
    """
    if all(command == LAST for command in commands):
        return True
    opened = locked.table.folded.clock.window_version
    if not opened or not opened <= expected_version <= locked.game.version:
        return False
    first = commands[0]
    return isinstance(first, Accept) or (isinstance(first, Play) and first.card in (BREAKER, KING))
