"""The bot that plays by habit: it gets rid of cards and of what holds it up, and keeps what lets it finish."""

from typing import Final

from games.bots.habit import answer, habit
from games.bots.looking import command_of, deal, seat_of, world_of
from games.bots.policy import pick, serious
from games.rules.commands import ACCEPT, Command
from games.rules.views import View

_SOME_CHANCE: Final = 1
"""What the hidden hands of its world hold is never read, only how many cards."""


def choose(view: View, legal: tuple[Command, ...], seed: bytes) -> Command:
    """The habitual act. Where the engine does not allow it (a locked Breaker, T4) the seed decides."""
    options = serious(legal)
    if len(options) == 1:
        return options[0]
    world = world_of(view)
    world.chance = _SOME_CHANCE
    deal(world, view)
    act = answer(world, seat_of(view)) if ACCEPT in options else habit(world)
    command = command_of(act)
    return command if command in options else pick(options, seed)
