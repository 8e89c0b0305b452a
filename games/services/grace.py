"""A command of several parts and the grace for an unsaid last card (L3)."""

from collections.abc import Iterator, Sequence

from games.rules.cards import Seat
from games.rules.commands import CloseTaki, Command, EndTurn
from games.rules.decide import Advance, advance
from games.rules.events import Event, LastCardDue
from games.rules.state import State


def advance_with_grace(state: State, seat: Seat | None, commands: Sequence[Command], *, within_grace: bool) -> Advance:
    """`advance`, at a table that grants a grace: what falls due within the command is within it, too.

    So a seat that comes down to one card and begins its own next turn in one command (two seats, a Stop) is not
    called for it: no time has passed. ``within_grace``: the command comes within an earlier card's grace.
    """
    if within_grace or len(commands) == 1 or not state.rules.last_card_grace_seconds:
        return advance(state, seat, commands, within_grace=within_grace)
    events: list[Event] = []
    for part in _parts(commands):
        if events and state.over:
            break
        told, state = advance(state, seat, part, within_grace=within_grace)
        events.extend(told)
        within_grace = within_grace or any(isinstance(event, LastCardDue) for event in told)
    return Advance(tuple(events), state)


def _parts(commands: Sequence[Command]) -> Iterator[Sequence[Command]]:
    """Each command with the closes and ends that follow it, which may belong to it (U11)."""
    first = 0
    for place in range(1, len(commands) + 1):
        if place == len(commands) or not isinstance(commands[place], CloseTaki | EndTurn):
            yield commands[first:place]
            first = place
