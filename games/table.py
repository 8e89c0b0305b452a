"""A game as this process saw it last. Pure but for the cache, which costs time when it is lost, never correctness."""

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple
from uuid import UUID

from games.fold import Folded
from games.rules.cards import Seat

CACHED_GAMES: Final = 1024
STAND_IN: Final = "greedy"
"""The level of the bot that plays for a seat that is away."""


class Seated(NamedTuple):
    """Who sits on a seat now: a player, a built-in bot of a level, or (erased) neither.

    ``program``: the player is somebody's program (flagged as a bot).
    """

    seat: Seat
    player_id: UUID | None
    bot: str
    auto_accept: bool
    program: bool = False


@dataclass(frozen=True)
class Table:
    """Everything that a command is decided on: the fold, who sits where, and the server's seed."""

    folded: Folded
    seating: tuple[Seated, ...]
    seating_revision: int
    server_seed: bytes = field(repr=False)

    @cached_property
    def bots(self) -> tuple[Seat, ...]:
        """The seats that bots play, ascending: built-in bots, and those who stand in for a seat that is away."""
        own = {seated.seat for seated in self.seating if seated.bot}
        return tuple(sorted(own | {*self.folded.clock.away}))

    @cached_property
    def paced(self) -> bool:
        """A person sits at the table, away or not, so that bots take their time."""
        left = self.folded.state.left
        return any(seated.player_id and not seated.program and seated.seat not in left for seated in self.seating)

    def level_of(self, seat: Seat) -> str:
        """The level of the bot that plays the seat; empty if none does."""
        if seat not in self.bots:
            return ""
        return next((seated.bot for seated in self.seating if seated.seat == seat and seated.bot), STAND_IN)

    def built_in(self, seat: Seat) -> bool:
        """The seat is a built-in bot's own."""
        return any(seated.bot for seated in self.seating if seated.seat == seat)

    def seat_of(self, player_id: UUID) -> Seat | None:
        """The player's seat, None without one."""
        return next((seated.seat for seated in self.seating if seated.player_id == player_id), None)


class _Tables:
    """The tables seen last, by game. Safe among threads; holds only what was read from or written to the log."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._tables: OrderedDict[UUID, Table] = OrderedDict()
        self._guard = threading.Lock()

    def get(self, game_id: UUID) -> Table | None:
        with self._guard:
            table = self._tables.get(game_id)
            if table is not None:
                self._tables.move_to_end(game_id)
            return table

    def put(self, game_id: UUID, table: Table) -> None:
        with self._guard:
            self._tables[game_id] = table
            self._tables.move_to_end(game_id)
            if len(self._tables) > self._most:
                self._tables.popitem(last=False)

    def clear(self) -> None:
        with self._guard:
            self._tables.clear()


_tables = _Tables(CACHED_GAMES)


def recall(game_id: UUID) -> Table | None:
    """The table as this process saw it last, to be checked against the game's row."""
    return _tables.get(game_id)


def remember(game_id: UUID, table: Table) -> None:
    """Keep the table for this process's next command; to be called when it is committed."""
    _tables.put(game_id, table)


def forget_all() -> None:
    """Empty this process's cache; costs time, never correctness."""
    _tables.clear()
