"""A stored event, and what a log folds to: the position, the clock and the summary's facts. Pure."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from games.clock import Clock, milliseconds, tick
from games.rules.cards import Seat
from games.rules.events import Event, GameAborted, GameEnded, GameStarted, Placing
from games.rules.evolve import evolve
from games.rules.state import NOT_STARTED, State


class StoredEvent(NamedTuple):
    """One row of the log: ``event`` is ``data`` decoded, ``hash`` its place in the chain.

    It is what the server knows; only `redact` makes of it what somebody else may be told.
    """

    version: int
    type: str
    schema: int
    data: dict[str, object]
    event: Event
    actor: str
    recorded_at: datetime
    hash: bytes
    command_id: UUID
    ordinal: int


class Folded(NamedTuple):
    """A log folded up to ``version`` with head hash ``hash``. ``first`` is the seat that began."""

    version: int
    hash: bytes
    state: State
    clock: Clock = Clock()
    first: Seat | None = None
    ranking: tuple[Placing, ...] = ()
    aborted: bool = False


def begin(genesis: bytes, seed: bytes) -> Folded:
    """The fold of an empty log: version 0, hash(0), and the game's seed in the state."""
    return Folded(0, genesis, NOT_STARTED._replace(seed=seed))


def fold(folded: Folded, events: Iterable[StoredEvent]) -> Folded:
    """The fold after these further events, which follow on its version."""
    version, head, state, clock, first, ranking, aborted = folded
    for stored in events:
        event, version, head = stored.event, stored.version, stored.hash
        state = evolve(state, event)
        clock = tick(clock, event, version, milliseconds(stored.recorded_at), stored.actor)
        match event:
            case GameStarted():
                first = event.first
            case GameEnded():
                ranking = event.ranking
            case GameAborted():
                aborted = True
            case _:
                pass
    return Folded(version, head, state, clock, first, ranking, aborted)
