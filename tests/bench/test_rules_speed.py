"""How fast the rules are: random full games against RLCard's UNO, and the fold of a long log."""

from __future__ import annotations

import random
from itertools import count

import pytest

from games.rules.cards import Seat
from games.rules.commands import LEAVE
from games.rules.decide import advance
from games.rules.events import Event
from games.rules.evolve import evolve, replay
from games.rules.legal import legal_commands
from games.rules.ruleset import DEFAULT_RULES, Ruleset
from games.rules.state import NOT_STARTED, State
from tests.bench.measure import rates, report
from tests.rules.laws.random_games import Table

SEATS = 4
GAMES = 60

pytestmark = pytest.mark.bench


def random_log(rules: Ruleset, seed: int) -> tuple[list[Event], int]:
    """A whole game of random legal commands: its events, and how many commands it took."""
    chance = random.Random(seed)
    table = Table(rules, SEATS, Seat(0), chance.randbytes(32))
    events = list(table.opening())
    state = replay(events, seed=table.seed)
    for commands in count():
        if state.over:
            return events, commands
        told, state = _random_step(state, chance)
        events += told
    raise AssertionError("count() never ends")


def _random_step(state: State, chance: random.Random) -> tuple[tuple[Event, ...], State]:
    seat = state.turn if state.plus3 is None else state.answer[0]
    legal = legal_commands(state, seat)
    playing = legal[:-1] if legal[-1] is LEAVE else legal
    return advance(state, seat, (playing[int(chance.random() * len(playing))],))


def taki_games() -> int:
    return sum(random_log(DEFAULT_RULES, seed)[1] for seed in range(GAMES))


def uno_games() -> int:
    """The bare Game of RLCard, by random legal play."""
    numpy = pytest.importorskip("numpy", reason="needs the bench extra")
    uno = pytest.importorskip("rlcard.games.uno", reason="needs the bench extra")
    steps = 0
    for seed in range(GAMES):
        chance = random.Random(seed)
        game = uno.Game(num_players=SEATS)
        game.np_random = numpy.random.RandomState(seed)
        game.init_game()
        while not game.is_over():
            game.step(chance.choice(game.get_legal_actions()))
            steps += 1
    return steps


def test_random_games_against_rlcards_uno() -> None:
    """Commands a second, 4 seats, one process; legal commands, decide and evolve included."""
    figures = rates({"taki commands/s": taki_games, "uno steps/s": uno_games})
    report("random games", {**figures, "ratio": figures["taki commands/s"] / figures["uno steps/s"]})


def test_fold_of_a_long_ladder() -> None:
    """Events a second through ``replay``; the first and the last tenth of the log cost the same."""
    log = max((random_log(Ruleset.from_mapping({"mode": "ladder"}), seed)[0] for seed in range(8)), key=len)
    tenth = len(log) // 10
    head, tail = replay(log[:tenth]), replay(log[:-tenth])

    def early() -> int:
        return _fold(head, log[tenth : 2 * tenth])

    def late() -> int:
        return _fold(tail, log[-tenth:])

    figures = rates({"all events/s": lambda: _fold(NOT_STARTED, log), "early events/s": early, "late events/s": late})
    report(
        f"fold of {len(log)} events", {**figures, "late/early": figures["late events/s"] / figures["early events/s"]}
    )


def _fold(state: State, events: list[Event]) -> int:
    for event in events:
        state = evolve(state, event)
    return len(events)
