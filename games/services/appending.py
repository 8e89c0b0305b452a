"""The one way events come into a log: append, project, commit, then tell the hooks."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from games import clock, hooks, projections, store
from games.errors import WrongPhase
from games.hooks import Appended
from games.models import Game
from games.rules.cards import Seat
from games.rules.commands import ACCEPT
from games.rules.decide import advance
from games.rules.events import SeedRevealed
from games.rules.state import State
from games.services.keys import head_sign
from games.store import Locked, NewEvent
from games.table import Table, remember


@dataclass(frozen=True, slots=True)
class CommandKey:
    """By what a command is known again: its id, and the digest of who asked for what."""

    command_id: UUID
    digest: bytes


def time_now(locked: Locked) -> int:
    """The time in milliseconds since 1970 UTC; never before the game's last event, however the clock is set."""
    return max(time.time_ns() // 1_000_000, locked.table.folded.clock.last_at)


def commit_events(
    *,
    locked: Locked,
    events: Sequence[NewEvent],
    state: State,
    key: CommandKey,
    now: int,
    seat: Seat | None = None,
    by_clock: bool = False,
) -> Appended:
    """Append the events, and what follows from them: accepts given beforehand, banks and deadline, the revealed seed.

    The game is locked by this transaction; ``state`` is the position after the events; ``now`` is from `time_now`.
    The last version of a game that is over is signed with them. WrongPhase (frozen).
    """
    require_unfrozen(locked.game)
    told = _with_consequences(locked, events, state, now, by_clock=by_clock)
    stored, table = store.append(locked=locked, events=told, command_id=key.command_id, digest=key.digest, now=now)
    projections.project(game=locked.game, table=table)
    if table.folded.state.over:
        head_sign(game=locked.game, folded=table.folded, now=now)
    appended = Appended(table.folded.version, stored, table.folded.state, locked.game, seat, paced=table.paced)
    transaction.on_commit(lambda: _committed(appended, table))
    return appended


def require_unfrozen(game: Game) -> None:
    """WrongPhase when the audit has frozen the game: nothing is added to a log that does not verify."""
    if game.frozen_at is not None:
        raise WrongPhase("frozen", game.phase)


def _committed(appended: Appended, table: Table) -> None:
    remember(appended.game.id, table)
    hooks.tell(appended)


def _with_consequences(
    locked: Locked, events: Sequence[NewEvent], state: State, now: int, *, by_clock: bool
) -> tuple[NewEvent, ...]:
    accepts, state = _accepts_beforehand(locked.table, state)
    told = (*events, *accepts)
    plain = [new.event for new in told]
    folded, limits = locked.table.folded, store.limits_of(locked.game)
    times = clock.clock_events(folded.clock, folded.state, plain, limits, now, by_clock=by_clock)
    told = (*told, *(NewEvent(event, "server") for event in times))
    if state.over:
        told = (*told, NewEvent(SeedRevealed(locked.table.server_seed.hex()), "server"))
    return told


def _accepts_beforehand(table: Table, state: State) -> tuple[list[NewEvent], State]:
    """Seats that accept every window unasked do so as it opens, whatever they hold (W8)."""
    accepts: list[NewEvent] = []
    for seated in table.seating:
        if seated.auto_accept and seated.seat in state.answer:
            events, state = advance(state, seated.seat, (ACCEPT,))
            accepts.extend(NewEvent(event, f"seat:{seated.seat}") for event in events)
    return accepts, state
