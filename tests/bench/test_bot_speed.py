"""How long the bots take for a move: what the expert's budget was calibrated by."""

from __future__ import annotations

from statistics import mean, quantiles
from time import process_time

import pytest

from games.bots import expert, greedy
from games.bots.habit import play_out
from games.bots.looking import deal, world_of
from games.bots.policy import Policy
from games.rules.cards import Seat
from games.rules.commands import Command
from games.rules.ruleset import Mode, Ruleset
from games.rules.views import View, view_for
from tests.bench.measure import report
from tests.bots.tables import dealt, winner

pytestmark = pytest.mark.bench
PLAYED_OUT = 4_000


class Timed:
    """A policy that notes the processor time of each of its choices, in seconds."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.seconds: list[float] = []

    def __call__(self, view: View, legal: tuple[Command, ...], seed: bytes) -> Command:
        began = process_time()
        command = self.policy(view, legal, seed)
        self.seconds.append(process_time() - began)
        return command


@pytest.mark.parametrize(("seats", "mode"), [(2, Mode.SINGLE), (4, Mode.SINGLE), (10, Mode.SINGLE), (4, Mode.LADDER)])
def test_time_of_a_choice(seats: int, mode: Mode) -> None:
    """Processor time of the choices that were searched, in games against greedy bots."""
    rules = Ruleset(mode=mode, hand_size=8 if mode is Mode.SINGLE else 4)
    searching, habitual = Timed(expert.choose), Timed(greedy.choose)
    for number in range(2):
        winner([searching] + [habitual] * (seats - 1), number, rules)
    searched = [seconds for seconds in searching.seconds if seconds > 0.03]
    parts = quantiles(searched, n=20)
    report(
        f"{seats} seats, {mode.value}",
        {
            "expert, searched choice, mean ms": 1000 * mean(searched),
            "p95 ms": 1000 * parts[-1],
            "choices searched %": 100 * len(searched) / len(searching.seconds),
            "greedy, choice, mean ms": 1000 * mean(habitual.seconds),
        },
    )


def test_games_played_out() -> None:
    """Whole games of the habit in the fast model, from the deal."""
    view = view_for(dealt(1, 2), Seat(0))
    world = world_of(view)
    began, turns = process_time(), 0
    for number in range(PLAYED_OUT):
        game = world.copy()
        game.chance = number * 0x9E3779B97F4A7C15
        deal(game, view)
        play_out(game, 1_000)
        turns += len(game.pile)
    report("fast model", {"whole games of two a second": PLAYED_OUT / (process_time() - began)})
    assert turns > PLAYED_OUT
