"""What holds for every built-in bot: it is pure, knows no more than its seat, and always has a legal answer."""

import hashlib
import os
import random
import subprocess
import sys
from functools import partial

import pytest

from games.bots import expert
from games.bots.policy import Policy
from games.bots.registry import LEVELS
from games.rules.commands import LEAVE
from games.rules.legal import legal_commands
from games.rules.notation import format_command
from games.rules.state import State
from games.rules.views import view_for
from tests.bots.tables import awaited, choice_seed, moves, random_rules

QUICK = 20
"""Playouts of an expert in a hurry."""
POLICIES: dict[str, Policy] = {**LEVELS, "expert": partial(expert.choose, playouts=QUICK)}


def permuted(state: State, chance: random.Random) -> State:
    """The position with the cards that the awaited seat cannot see dealt anew."""
    seat = awaited(state)
    hidden = [card for other, hand in enumerate(state.hands) if other != seat for card in hand] + list(state.draw)
    chance.shuffle(hidden)
    hands = []
    for other, hand in enumerate(state.hands):
        taken = len(hand) if other != seat else 0
        hands.append(tuple(sorted(hidden[:taken], key=lambda card: card.index)) if taken else hand)
        hidden = hidden[taken:]
    return state._replace(hands=tuple(hands), draw=tuple(hidden))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seats", [2, 4])
def test_permuting_hidden_cards_never_changes_a_decision(level: str, seats: int) -> None:
    """In every position of some games the same move is made in three other deals of what cannot be seen."""
    chance = random.Random(seats)
    policy, compared = POLICIES[level], 0
    for number in range(3):
        for step, (state, command) in enumerate(moves([policy] * seats, number)):
            if state.over:
                break
            for _ in range(3):
                other = permuted(state, chance)
                seat = awaited(other)
                legal = legal_commands(other, seat)
                assert policy(view_for(other, seat), legal, choice_seed(number, step)) == command
                compared += 1
    assert compared > 100


@pytest.mark.parametrize("level", LEVELS)
def test_every_choice_is_legal_and_never_to_leave(level: str) -> None:
    """Whole games of two to ten seats in both modes, under house rules drawn at random."""
    chance = random.Random(level)
    for number in range(14):
        seats = 2 + number % 9
        rules = random_rules(chance, mode="ladder" if number % 3 == 2 else "single", hand_size=3 + number % 4)
        policy = POLICIES[level] if level != "expert" else partial(expert.choose, playouts=8)
        for state, command in moves([policy] * seats, number, rules):
            assert command != LEAVE or state.over


def told() -> str:
    """A digest of all moves of a game of three experts and of two greedy bots."""
    levels = ([POLICIES["expert"]] * 3, [POLICIES["greedy"]] * 2, [POLICIES["random"]] * 2)
    games = [[format_command((command,)) for _, command in moves(policies, 5)] for policies in levels]
    return hashlib.sha256(repr(games).encode()).hexdigest()


def test_the_same_seed_gives_the_same_moves_in_any_process() -> None:
    """Whatever order sets have there."""
    program = "from tests.bots.test_policies import told; print(told())"
    for hash_seed in ("0", "4711"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        run = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        )
        assert run.stdout.strip() == told()
