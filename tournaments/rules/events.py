"""What happened in a tournament: every event with its outcome, so that an old log keeps its meaning.

No event names a person: entries are numbers, who holds them is kept elsewhere and can be erased.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tournaments.rules.state import Ending, EntryNo, Leaver, Result, RoundNo, TableNo, Tie
from tournaments.rules.terms import Terms


class CancelCause(Enum):
    """Who ended the tournament before it was over: the organiser, or the clock, since too few were there."""

    ORGANISER = "organiser"
    TOO_FEW = "too_few"


@dataclass(frozen=True, slots=True)
class TournamentCreated:
    """The first event: the terms, and the commitment to the seed (hex)."""

    terms: Terms
    commitment: str


@dataclass(frozen=True, slots=True)
class TermsChanged:
    """From now on these terms hold."""

    terms: Terms


@dataclass(frozen=True, slots=True)
class SeedingListed:
    """The organiser's seeding list, best first."""

    order: tuple[EntryNo, ...]


@dataclass(frozen=True, slots=True)
class RegistrationOpened:
    """Entries are taken."""


@dataclass(frozen=True, slots=True)
class RegistrationClosed:
    """No more entries are taken; check-in begins."""


@dataclass(frozen=True, slots=True)
class EntryRegistered:
    """A new entry, with a place or on the waiting list; ``bot``: a bot plays for it (and is always there)."""

    entry: EntryNo
    waiting: bool
    bot: bool


@dataclass(frozen=True, slots=True)
class EntryPromoted:
    """An entry of the waiting list has got a place."""

    entry: EntryNo


@dataclass(frozen=True, slots=True)
class EntryCheckedIn:
    """Whoever holds the entry is there."""

    entry: EntryNo


@dataclass(frozen=True, slots=True)
class EntryWithdrawn:
    """The entry is out by its own will; ``table``: the unsettled table that it leaves, if it sits at one."""

    entry: EntryNo
    table: TableNo | None


@dataclass(frozen=True, slots=True)
class EntryReplaced:
    """From this event on somebody else, holder number ``holder``, plays for the entry."""

    entry: EntryNo
    holder: int


@dataclass(frozen=True, slots=True)
class BotSeated:
    """From this event on a bot plays for the entry."""

    entry: EntryNo


@dataclass(frozen=True, slots=True)
class EntryForfeited:
    """The entry is out of this table, and comes last there; ``no_show``: it never came."""

    entry: EntryNo
    table: TableNo
    no_show: bool


@dataclass(frozen=True, slots=True)
class EntryDisqualified:
    """The entry is out; ``table``: the unsettled table that it leaves, if it sits at one."""

    entry: EntryNo
    table: TableNo | None


@dataclass(frozen=True, slots=True)
class EntryReinstated:
    """The disqualification or withdrawal is undone. What was played without the entry stays as it is."""

    entry: EntryNo


@dataclass(frozen=True, slots=True)
class TournamentStarted:
    """Who is in (ascending), for whom of them a bot plays as they did not come, and who was left out."""

    entries: tuple[EntryNo, ...]
    bots: tuple[EntryNo, ...]
    absent: tuple[EntryNo, ...]


@dataclass(frozen=True, slots=True)
class EntriesSeeded:
    """The seeding order, best first."""

    order: tuple[EntryNo, ...]


@dataclass(frozen=True, slots=True)
class RoundSeated:
    """The tables of a round, numbered from ``first_table``, each as its seats; ``repeats``: see ``meetings``."""

    round: RoundNo
    first_table: TableNo
    tables: tuple[tuple[EntryNo, ...], ...]
    byes: tuple[EntryNo, ...]
    repeats: int


@dataclass(frozen=True, slots=True)
class TableOpened:
    """The table's game has begun."""

    table: TableNo
    attempt: int


@dataclass(frozen=True, slots=True)
class TableEnding:
    """The table's game is to be stopped and ranked as it stands (Z7)."""

    table: TableNo
    attempt: int


@dataclass(frozen=True, slots=True)
class TableFinished:
    """The table has its result."""

    table: TableNo
    attempt: int
    result: Result
    ending: Ending


@dataclass(frozen=True, slots=True)
class TableAborted:
    """The table's game came to nothing."""

    table: TableNo
    attempt: int


@dataclass(frozen=True, slots=True)
class TableReplayed:
    """The table is to be played anew as this attempt, without those who are ``out`` for good."""

    table: TableNo
    attempt: int
    out: tuple[Leaver, ...]


@dataclass(frozen=True, slots=True)
class ResultCorrected:
    """From now on this result holds, and only those in ``out`` count as having left. The old one stays in the log."""

    table: TableNo
    result: Result
    out: tuple[Leaver, ...]


@dataclass(frozen=True, slots=True)
class RoundFinished:
    """Who goes on (ascending; of the final: the champion), and the draws that settled ties."""

    round: RoundNo
    going_on: tuple[EntryNo, ...]
    ties: tuple[Tie, ...]


@dataclass(frozen=True, slots=True)
class RoundReopened:
    """This round is unfinished again, and so is the ranking; every later round is void. 0: only the ranking."""

    round: RoundNo


@dataclass(frozen=True, slots=True)
class RankingSettled:
    """The final ranking, best first, and those in it who were equal, in the order that the draw gave them."""

    order: tuple[EntryNo, ...]
    ties: tuple[tuple[EntryNo, ...], ...]


@dataclass(frozen=True, slots=True)
class TournamentPaused:
    """No new round is seated and no game begun until it is resumed; games under way may end."""


@dataclass(frozen=True, slots=True)
class TournamentResumed:
    """It goes on."""


@dataclass(frozen=True, slots=True)
class TournamentFinished:
    """It is over. ``champion`` is None if nobody was left."""

    champion: EntryNo | None


@dataclass(frozen=True, slots=True)
class TournamentCancelled:
    """It is over, and does not count."""

    cause: CancelCause


@dataclass(frozen=True, slots=True)
class SeedRevealed:
    """The seed (hex), by which every draw can be checked."""

    seed: str


Event = (
    TournamentCreated
    | TermsChanged
    | SeedingListed
    | RegistrationOpened
    | RegistrationClosed
    | EntryRegistered
    | EntryPromoted
    | EntryCheckedIn
    | EntryWithdrawn
    | EntryReplaced
    | BotSeated
    | EntryForfeited
    | EntryDisqualified
    | EntryReinstated
    | TournamentStarted
    | EntriesSeeded
    | RoundSeated
    | TableOpened
    | TableEnding
    | TableFinished
    | TableAborted
    | TableReplayed
    | ResultCorrected
    | RoundFinished
    | RoundReopened
    | RankingSettled
    | TournamentPaused
    | TournamentResumed
    | TournamentFinished
    | TournamentCancelled
    | SeedRevealed
)

THE_CLOCK = "clock"
"""Who caused what no person asked for."""


@dataclass(frozen=True, slots=True)
class Logged:
    """A line of the log: what, when (ms), who (an opaque id), why (an opaque reference, may be empty).

    The words of a reason are kept elsewhere, as they may name people and must be erasable.
    """

    event: Event
    at: int
    by: str = THE_CLOCK
    why: str = ""
