"""Games of bots on the engine itself, for the tests and measurements of bots."""

import random
from collections.abc import Iterator, Sequence
from itertools import count

from games.bots.policy import Policy
from games.rules.cards import Seat
from games.rules.commands import LEAVE, Command
from games.rules.decide import advance
from games.rules.evolve import replay
from games.rules.legal import legal_commands
from games.rules.ruleset import DEFAULT_RULES, Ruleset, house_rules_schema
from games.rules.setup import start
from games.rules.state import State
from games.rules.views import view_for

MOST_STEPS = 100_000


def dealt(number: int, seats: int, rules: Ruleset = DEFAULT_RULES) -> State:
    """The deal of this number; the seat that begins changes with it."""
    seed = number.to_bytes(32, "big")
    first = Seat(number % seats)
    return replay(start(rules=rules, seats=seats, first=first, seed=seed), seed=seed)


def awaited(state: State) -> Seat:
    """The seat that acts next; in a window the first that has not answered."""
    return state.answer[0] if state.plus3 is not None else state.turn


def choice_seed(number: int, step: int) -> bytes:
    """The seed of a choice: of the game's number and the step in it."""
    return number.to_bytes(16, "big") + step.to_bytes(16, "big")


def moves(policies: Sequence[Policy], number: int, rules: Ruleset = DEFAULT_RULES) -> Iterator[tuple[State, Command]]:
    """Every position of a game of these policies with what is chosen there, then the end with LEAVE as a filler."""
    state = dealt(number, len(policies), rules)
    for step in count():
        if state.over:
            yield state, LEAVE
            return
        assert step < MOST_STEPS, "the game does not end"
        seat = awaited(state)
        legal = legal_commands(state, seat)
        command = policies[seat](view_for(state, seat), legal, choice_seed(number, step))
        assert command in legal
        yield state, command
        state = advance(state, seat, (command,)).state


def winner(policies: Sequence[Policy], number: int, rules: Ruleset = DEFAULT_RULES) -> Seat | None:
    """Who wins this game."""
    return [state for state, _ in moves(policies, number, rules)][-1].winner


def random_rules(chance: random.Random, **fixed: str | int | bool) -> Ruleset:
    """House rules drawn at random, but for those fixed; at most 2000 turns."""
    drawn: dict[str, str | int | bool] = {}
    properties = house_rules_schema()["properties"]
    assert isinstance(properties, dict)
    for name, kind in properties.items():
        if kind["type"] == "boolean":
            drawn[name] = chance.random() < 0.3
        elif "enum" in kind:
            drawn[name] = chance.choice(kind["enum"])
    return Ruleset.from_mapping({**drawn, "hand_size": chance.randint(3, 8), "max_turns": 2000, **fixed})
