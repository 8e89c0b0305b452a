"""Logs of whole games without a database: the rules' own events, recorded at times of the test's choosing."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

from games.fold import StoredEvent
from games.rules import codec
from games.rules.cards import Seat
from games.rules.commands import LEAVE, Leave, Timeout
from games.rules.decide import advance
from games.rules.events import Event
from games.rules.evolve import replay
from games.rules.legal import legal_commands, may_act
from games.rules.ruleset import DEFAULT_RULES, Ruleset
from games.rules.setup import start

BEGAN = datetime(2026, 5, 1, 18, tzinfo=UTC)
NOBODY = UUID(int=0)


def recorded(groups: Sequence[tuple[str, int, Sequence[Event]]]) -> tuple[StoredEvent, ...]:
    """A log of (actor, milliseconds since the beginning, events of one command)."""
    log: list[StoredEvent] = []
    for actor, ms, events in groups:
        at = BEGAN + timedelta(milliseconds=ms)
        for ordinal, event in enumerate(events):
            log.append(StoredEvent(len(log) + 1, *codec.encode(event), event, actor, at, bytes(32), NOBODY, ordinal))
    return tuple(log)


def random_log(number: int, *, rules: Ruleset = DEFAULT_RULES, seats: int = 4) -> tuple[StoredEvent, ...]:
    """A game of players who choose at random, let their time pass, and sometimes leave; the same for a number."""
    chance = random.Random(number)
    seed = chance.randbytes(32)
    groups: list[tuple[str, int, Sequence[Event]]] = []
    events = start(rules=rules, seats=seats, first=Seat(chance.randrange(seats)), seed=seed)
    groups.append(("server", 0, events))
    state, now = replay(events, seed=seed), 0
    while not state.over:
        now += chance.randrange(1, 5_000)
        able = [seat for seat in map(Seat, range(seats)) if may_act(state, seat)]
        seat = chance.choice(able)
        if chance.random() < 0.03:
            told = advance(state, None, (Timeout(),))
            groups.append(("clock", now, told.events))
        else:
            options = [command for command in legal_commands(state, seat) if not isinstance(command, Leave)]
            command = LEAVE if chance.random() < 0.002 else chance.choice(options)
            told = advance(state, seat, (command,))
            groups.append((f"seat:{seat}", now, told.events))
        state = told.state
    return recorded(groups)
