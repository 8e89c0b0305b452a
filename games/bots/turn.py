"""A bot's whole turn as one command: choice by choice, each seeing only what the seat sees after the one before."""

from collections.abc import Callable
from typing import Final

from games.bots.policy import Policy
from games.rules.cards import Seat
from games.rules.commands import LAST, Command
from games.rules.decide import advance
from games.rules.events import Event, TurnPassed
from games.rules.legal import legal_commands
from games.rules.state import State
from games.rules.views import view_for

MOST_PARTS: Final = 40
"""A run can be longer in ladder mode; the rest of it is the next command."""


def turn_commands(
    policy: Policy, state: State, seat: Seat, seed_of: Callable[[int], bytes], *, within_grace: bool
) -> tuple[Command, ...]:
    """What the bot does until its turn passes or a window opens, "last card" said with the play.

    The seat has a legal command; ``seed_of(n)`` is the seed of the n-th choice. The policy is shown the seat's
    view only: the state serves to carry out what it has chosen.
    """
    commands: list[Command] = []
    while len(commands) < MOST_PARTS:
        legal = legal_commands(state, seat)
        command = policy(view_for(state, seat), legal, seed_of(len(commands)))
        events, state = advance(state, seat, (command,), within_grace=within_grace)
        commands.append(command)
        if _done(state, seat, events):
            break
    if seat in state.last and not state.over:
        commands.append(LAST)
    return tuple(commands)


def _done(state: State, seat: Seat, events: tuple[Event, ...]) -> bool:
    if state.over or state.plus3 is not None or state.turn != seat:
        return True
    return any(isinstance(event, TurnPassed) for event in events)
