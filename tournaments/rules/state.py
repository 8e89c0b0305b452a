"""A tournament as it stands: entries, tables, rounds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, NewType

from tournaments.rules.terms import Format, TableKind, Terms

EntryNo = NewType("EntryNo", int)
"""An entry by its number, from 1 in order of registration. Who plays for it is kept elsewhere."""
TableNo = NewType("TableNo", int)
"""A table by its number, from 1 through the whole tournament; never used again, even if the round is seated anew."""
RoundNo = NewType("RoundNo", int)


class Phase(Enum):
    """Where a tournament is in its life."""

    DRAFT = "draft"
    REGISTRATION = "registration"
    CHECK_IN = "check_in"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    CANCELLED = "cancelled"


class EntryStatus(Enum):
    """What an entry is. Whether one that plays has been eliminated follows from the rounds."""

    WAITING = "waiting"
    ENTERED = "entered"
    PLAYING = "playing"
    ABSENT = "absent"
    WITHDRAWN = "withdrawn"
    DISQUALIFIED = "disqualified"


class TableStatus(Enum):
    """``seated``: awaits its game. ``ending``: its game was told to stop. ``void``: its round was undone."""

    SEATED = "seated"
    PLAYING = "playing"
    ENDING = "ending"
    ABORTED = "aborted"
    FINISHED = "finished"
    VOID = "void"


class Ending(Enum):
    """How a table came to its result: its game's, one seat left, or none at all (then a draw settles it)."""

    PLAYED = "played"
    WALKOVER = "walkover"
    UNPLAYED = "unplayed"


@dataclass(frozen=True, slots=True)
class Entry:
    """One that takes part. ``holder`` counts who plays for it: 1, then 2 after a replacement …

    ``started``: it was in when the tournament began. ``left``: the how-manieth it was to withdraw or be disqualified
    (0 if it did not).
    """

    number: EntryNo
    status: EntryStatus
    checked_in: bool = False
    holder: int = 1
    bot: bool = False
    started: bool = False
    left: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """One entry in a table's result. Equals share a rank, and the next counts them all (1, 2, 2, 4).

    ``stage`` and ``cards`` as the game's ranking has them; None if the table was not played.
    """

    rank: int
    entry: EntryNo
    stage: int | None = None
    cards: int | None = None


Result = tuple[Place, ...]
"""A table's ranking, by rank and then by entry."""


@dataclass(frozen=True, slots=True)
class Leaver:
    """An entry that is out of the table it sat at, and since when (ms)."""

    entry: EntryNo
    at: int


@dataclass(frozen=True, slots=True)
class Table:
    """One table. ``seats``: the entry of each seat of its game. ``out``: who left it, first to leave first.

    ``attempt`` counts its games, ``corrections`` of its result; ``since`` is when it came to its status (ms).
    """

    number: TableNo
    round: RoundNo
    seats: tuple[EntryNo, ...]
    status: TableStatus
    since: int
    attempt: int = 1
    out: tuple[Leaver, ...] = ()
    result: Result = ()
    ending: Ending = Ending.PLAYED
    corrections: int = 0

    @property
    def unsettled(self) -> bool:
        """Whether its result is still to come."""
        return self.status not in (TableStatus.FINISHED, TableStatus.VOID)

    def has_left(self, entry: EntryNo) -> bool:
        """Whether this entry is out of the table."""
        return any(leaver.entry == entry for leaver in self.out)

    @property
    def staying(self) -> tuple[EntryNo, ...]:
        """Who is not out of the table, in order of the seats."""
        if not self.out:
            return self.seats
        gone = {leaver.entry for leaver in self.out}
        return tuple(entry for entry in self.seats if entry not in gone)


@dataclass(frozen=True, slots=True)
class Tie:
    """A draw at a table: ``order`` is how the tied entries came out, of whom the first ``places`` go on."""

    table: TableNo
    places: int
    order: tuple[EntryNo, ...]


@dataclass(frozen=True, slots=True)
class Round:
    """One round: its tables are ``first_table`` … ``first_table + tables − 1``.

    ``going_on`` (ascending) and ``ties`` are known once it is finished; until then ``going_on`` is None.
    """

    number: RoundNo
    first_table: TableNo
    tables: int
    byes: tuple[EntryNo, ...]
    repeats: int
    seated_at: int
    going_on: tuple[EntryNo, ...] | None = None
    ties: tuple[Tie, ...] = ()
    finished_at: int | None = None

    @property
    def final(self) -> bool:
        """Whether everyone who is left sits at its one table."""
        return self.tables == 1 and not self.byes


@dataclass(frozen=True, slots=True)
class State:
    """A tournament folded from its log. ``version`` is the number of events; ``entries[n − 1]`` is entry n.

    ``waiting``: the waiting list, first come first. ``taken``: how many places are taken. ``listed``: the organiser's
    seeding list. ``seeding``: the order of all who started, empty until it is settled. ``leavers``: how many have
    withdrawn or been disqualified so far. ``ranking``: the final one, empty until it is settled; ``ties``: those in it
    whom a draw parted. ``revealed``: the seed is public.
    """

    version: int
    terms: Terms
    commitment: str
    phase: Phase = Phase.DRAFT
    entries: tuple[Entry, ...] = ()
    waiting: tuple[EntryNo, ...] = ()
    taken: int = 0
    listed: tuple[EntryNo, ...] = ()
    seeding: tuple[EntryNo, ...] = ()
    tables: tuple[Table, ...] = ()
    rounds: tuple[Round, ...] = ()
    leavers: int = 0
    ranking: tuple[EntryNo, ...] = ()
    ties: tuple[tuple[EntryNo, ...], ...] = ()
    revealed: bool = False

    def entry(self, number: EntryNo) -> Entry:
        """The entry of this number; IndexError or nonsense if there is none."""
        return self.entries[number - 1]

    def table(self, number: TableNo) -> Table:
        """The table of this number; IndexError or nonsense if there is none."""
        return self.tables[number - 1]

    def tables_of(self, of: Round) -> tuple[Table, ...]:
        """The tables of a round."""
        return self.tables[of.first_table - 1 : of.first_table - 1 + of.tables]

    @property
    def latest(self) -> Round | None:
        """The round that was seated last, if any."""
        return self.rounds[-1] if self.rounds else None

    @property
    def over(self) -> bool:
        """Whether the tournament is finished or cancelled."""
        return self.phase in OVER


OVER: Final = frozenset({Phase.FINISHED, Phase.CANCELLED})
IN_PLAY: Final = frozenset({Phase.RUNNING, Phase.PAUSED})
BEFORE_START: Final = frozenset({Phase.REGISTRATION, Phase.CHECK_IN})
NOT_CREATED: Final = State(
    0,
    Terms(format=Format.LADDER, table_kind=TableKind.LADDER, table_size=10, go_on=1, capacity=10),
    "",
)
"""What the first event, TournamentCreated, is folded onto."""
