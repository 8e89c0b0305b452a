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


class Seated(NamedTuple):
    """Who sits on a seat now: a player, a built-in bot of a level, or (erased) neither."""

    seat: Seat
    player_id: UUID | None
    bot: str
    auto_accept: bool


@dataclass(frozen=True)
class Table:
    """Everything that a command is decided on: the fold, who sits where, and the server's seed."""

    folded: Folded
    seating: tuple[Seated, ...]
    seating_revision: int
    server_seed: bytes = field(repr=False)

    @cached_property
    def bots(self) -> tuple[Seat, ...]:
        """The seats of built-in bots, ascending."""
        return tuple(seated.seat for seated in self.seating if seated.bot)

    def level_of(self, seat: Seat) -> str:
        """The level of the built-in bot on the seat; empty if it is not a bot's."""
        return next((seated.bot for seated in self.seating if seated.seat == seat), "")

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
