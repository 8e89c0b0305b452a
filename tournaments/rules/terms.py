"""What is agreed before a tournament begins. Instants are milliseconds since 1970 UTC: no clock change moves them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import Enum
from typing import Final

LEAST_SEATS: Final = 2
MOST_SEATS: Final = 10
MOST_ENTRIES: Final = 10_000
ABORT_WAIT_MS: Final = 10 * 60 * 1000
"""An aborted table waits so long for the organiser before it is played again by itself (choice)."""
MOST_ATTEMPTS: Final = 3
"""A table that was aborted so often is not played again by itself: it is settled by a draw (choice)."""


class Format(Enum):
    """``ladder``: one table, the box's TAKI tournament. ``knockout``: tables, the best of each go on."""

    LADDER = "ladder"
    KNOCKOUT = "knockout"


class TableKind(Enum):
    """What is played at a table: the ``mode`` of its game."""

    LADDER = "ladder"
    SINGLE = "single"


class Seeding(Enum):
    """How the entries are ordered before they are dealt to tables."""

    RANDOM = "random"
    LIST = "list"


class NoShows(Enum):
    """What becomes at the start of those who have not checked in."""

    LEAVE_OUT = "leave_out"
    BOT = "bot"


class TermsFault(Enum):
    """What is wrong with terms."""

    TABLE_SIZE = "TABLE_SIZE"  # not 2…10
    GO_ON = "GO_ON"  # not 1…table_size−1
    CAPACITY = "CAPACITY"  # not 2…10,000
    LADDER_IS_ONE_TABLE = "LADDER_IS_ONE_TABLE"  # a ladder has table_size = capacity, go_on = 1 and ladder games
    TIMES_IN_ORDER = "TIMES_IN_ORDER"  # opens before closes, closes no later than starts
    START_TIME_MISSING = "START_TIME_MISSING"  # it is to start by the clock, and nobody said when


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The terms. ``table_size`` is N, ``go_on`` is K. An instant of None means: by hand.

    ``starts_at`` is a plan unless ``start_by_clock``; then the tournament starts itself, or is cancelled if too few are
    there. ``check_in``: only those who checked in are there. ``waiting_list``: a full tournament still takes names.
    """

    format: Format
    table_kind: TableKind
    table_size: int
    go_on: int
    capacity: int
    seeding: Seeding = Seeding.RANDOM
    check_in: bool = True
    no_shows: NoShows = NoShows.LEAVE_OUT
    waiting_list: bool = True
    opens_at: int | None = None
    closes_at: int | None = None
    starts_at: int | None = None
    start_by_clock: bool = False

    @property
    def closing(self) -> int | None:
        """When registration closes by the clock: at its instant, else when the tournament starts by the clock."""
        if self.closes_at is not None or not self.start_by_clock:
            return self.closes_at
        return self.starts_at


FIXED_WHEN_OPEN: Final = ("format", "table_kind", "table_size", "go_on", "seeding")
"""What players rely on when they register: it cannot change after the draft (choice)."""

TIMES: Final = ("opens_at", "closes_at", "starts_at")


def terms_fault(terms: Terms) -> TermsFault | None:
    """What is wrong with these terms, whatever the time is; the first that applies."""
    if not LEAST_SEATS <= terms.table_size <= MOST_SEATS:
        return TermsFault.TABLE_SIZE
    if not 1 <= terms.go_on < terms.table_size:
        return TermsFault.GO_ON
    if not LEAST_SEATS <= terms.capacity <= MOST_ENTRIES:
        return TermsFault.CAPACITY
    if terms.format is Format.LADDER and not _is_one_ladder(terms):
        return TermsFault.LADDER_IS_ONE_TABLE
    if not _in_order(terms):
        return TermsFault.TIMES_IN_ORDER
    if terms.start_by_clock and terms.starts_at is None:
        return TermsFault.START_TIME_MISSING
    return None


def past_time(terms: Terms, before: Terms | None, now: int) -> str | None:
    """The first instant that is new in these terms and not in the future; by name, or None."""
    for name in TIMES:
        at: int | None = getattr(terms, name)
        if at is not None and at <= now and (before is None or at != getattr(before, name)):
            return name
    return None


def changed(terms: Terms, before: Terms) -> tuple[str, ...]:
    """The names of the terms that differ."""
    return tuple(f.name for f in fields(Terms) if getattr(terms, f.name) != getattr(before, f.name))


def _is_one_ladder(terms: Terms) -> bool:
    return terms.table_size == terms.capacity and terms.go_on == 1 and terms.table_kind is TableKind.LADDER


def _in_order(terms: Terms) -> bool:
    if terms.opens_at is not None and terms.closes_at is not None and terms.opens_at >= terms.closes_at:
        return False
    last_before_start = terms.closes_at if terms.closes_at is not None else terms.opens_at
    return last_before_start is None or terms.starts_at is None or last_before_start <= terms.starts_at
