"""What a command comes to while it is being decided."""

from __future__ import annotations

from games.rules.cards import Seat
from games.rules.events import EndReason, Event, GameEnded
from games.rules.evolve import evolve
from games.rules.ranking import ranking
from games.rules.state import State


class Draft:
    """The events told so far, and the state that they lead to. It lives for one ``decide`` only.

    ``within_grace``: the command came within the grace of L3. ``plus_ended_run``: the part just carried out was a
    Plus that could not win and so ended its run (U11).
    """

    __slots__ = ("events", "plus_ended_run", "state", "within_grace")

    def __init__(self, state: State, *, within_grace: bool) -> None:
        self.state = state
        self.events: list[Event] = []
        self.within_grace = within_grace
        self.plus_ended_run = False

    def tell(self, event: Event) -> None:
        self.events.append(event)
        self.state = evolve(self.state, event)

    def end_game(self, winner: Seat | None, reason: EndReason) -> None:
        """E1: the game is over; turn, direction and lead stay as they are."""
        placings = ranking(self.state._replace(winner=winner))
        self.tell(GameEnded(winner, reason, placings))
