"""What a log is told in: its steps, for whoever writes them down."""

from collections.abc import Callable
from typing import NamedTuple

from games.rules.cards import Seat
from games.rules.commands import Command
from games.rules.events import Event


class Step(NamedTuple):
    """One part of a command, or one act of the table, as it was found in a log.

    ``seat``: who acts, or whom the server makes leave. ``turn``: how many turns had passed. ``apart``: whether it was
    recorded apart from the step before: True where clock events stand between, False where some are still owed for
    what came before, None where either may be.
    """

    actor: str
    seat: Seat | None
    what: Command | Event
    at: int
    turn: int
    apart: bool | None


Scribe = Callable[[Step], None]
