"""Games of random legal play, as material for the laws: any seats, either mode, any house rules."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from games.rules.cards import Seat
from games.rules.commands import LEAVE, STOP, TIMEOUT, Command
from games.rules.decide import advance
from games.rules.events import Event
from games.rules.evolve import replay
from games.rules.legal import legal_commands, may_act
from games.rules.ruleset import Ruleset, house_rules_schema
from games.rules.setup import SEATS_LEAST, SEATS_MOST, start
from games.rules.state import State

TIMEOUT_CHANCE = 0.02
LEAVE_CHANCE = 0.002
STOP_CHANCE = 0.0005
GRACE_CHANCE = 0.1
MOST_TURNS = 400
"""Random house rules ask for at most so many turns, so that a game of random play stays short."""


@dataclass(frozen=True)
class Table:
    """How a game begins."""

    rules: Ruleset
    seats: int
    first: Seat
    seed: bytes

    def opening(self) -> tuple[Event, ...]:
        return start(rules=self.rules, seats=self.seats, first=self.first, seed=self.seed)


@dataclass(frozen=True)
class Step:
    """One command of a game, with the state on either side."""

    before: State
    seat: Seat | None
    command: Command
    within_grace: bool
    events: tuple[Event, ...]
    after: State


def random_house_rules(chance: random.Random) -> Ruleset:
    """Every house rule at a random value, about half of them at the default."""
    values: dict[str, object] = {}
    properties = house_rules_schema()["properties"]
    assert isinstance(properties, dict)
    for name, kind in properties.items():
        if chance.random() < 0.5:
            values[name] = _random_value(kind, chance)
    values["max_turns"] = chance.randint(1, MOST_TURNS)
    return Ruleset.from_mapping(values)


def _random_value(kind: dict[str, object], chance: random.Random) -> object:
    match kind:
        case {"enum": list(choices)}:
            return chance.choice(choices)
        case {"minimum": int(least), "maximum": int(most)}:
            return chance.randint(least, most)
        case _:
            return chance.random() < 0.5


def random_table(chance: random.Random) -> Table:
    seats = chance.randint(SEATS_LEAST, SEATS_MOST)
    return Table(random_house_rules(chance), seats, Seat(chance.randrange(seats)), chance.randbytes(32))


def random_play(table: Table, chance: random.Random) -> Iterator[Step]:
    """The steps of a whole game: any seat that may act does something legal; rarely one leaves, or time runs out."""
    state = replay(table.opening(), seed=table.seed)
    while not state.over:
        seat, command = _next_command(state, chance)
        within_grace = chance.random() < GRACE_CHANCE
        events, after = advance(state, seat, (command,), within_grace=within_grace)
        yield Step(state, seat, command, within_grace, events, after)
        state = after


def _next_command(state: State, chance: random.Random) -> tuple[Seat | None, Command]:
    luck = chance.random()
    if luck < STOP_CHANCE:
        return None, STOP
    if luck < TIMEOUT_CHANCE:
        return None, TIMEOUT
    staying = [Seat(seat) for seat in range(state.seats) if seat not in state.left]
    if luck < TIMEOUT_CHANCE + LEAVE_CHANCE:
        return chance.choice(staying), LEAVE
    seat = chance.choice([seat for seat in staying if may_act(state, seat) or seat in state.last])
    return seat, chance.choice([command for command in legal_commands(state, seat) if command is not LEAVE])
