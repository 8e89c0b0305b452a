"""What may be asked of a tournament. An act asks, an event tells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, get_args

from tournaments.rules.state import EntryNo, Result, RoundNo, TableNo
from tournaments.rules.terms import Terms


@dataclass(frozen=True, slots=True)
class ChangeTerms:
    """Organiser: hold it on other terms."""

    terms: Terms


@dataclass(frozen=True, slots=True)
class ListSeeding:
    """Organiser: these entries are seeded in this order, best first; all others after them, as they registered."""

    order: tuple[EntryNo, ...]


@dataclass(frozen=True, slots=True)
class OpenRegistration:
    """Organiser: take entries (again)."""


@dataclass(frozen=True, slots=True)
class CloseRegistration:
    """Organiser: take no more entries."""


@dataclass(frozen=True, slots=True)
class Register:
    """Player or organiser: one more entry. ``bot``: a bot shall play for it."""

    bot: bool = False


@dataclass(frozen=True, slots=True)
class Promote:
    """Organiser: this entry of the waiting list gets a free place, whoever stands before it."""

    entry: EntryNo


@dataclass(frozen=True, slots=True)
class CheckIn:
    """Player or organiser: here."""

    entry: EntryNo


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Player or organiser: the entry does not go on."""

    entry: EntryNo


@dataclass(frozen=True, slots=True)
class Start:
    """Organiser: begin."""


@dataclass(frozen=True, slots=True)
class Replace:
    """Organiser: from now on somebody else plays for the entry."""

    entry: EntryNo


@dataclass(frozen=True, slots=True)
class NoShow:
    """Organiser: nobody came to the table for this entry; a bot plays for it, or it forfeits the table."""

    entry: EntryNo
    bot: bool


@dataclass(frozen=True, slots=True)
class Forfeit:
    """Player or organiser: the entry gives up the table it sits at."""

    entry: EntryNo


@dataclass(frozen=True, slots=True)
class Disqualify:
    """Organiser: the entry is out."""

    entry: EntryNo


@dataclass(frozen=True, slots=True)
class Reinstate:
    """Organiser: the disqualification or withdrawal was a mistake."""

    entry: EntryNo


@dataclass(frozen=True, slots=True)
class OpenTable:
    """System: the table's game has begun."""

    table: TableNo
    attempt: int


@dataclass(frozen=True, slots=True)
class FinishTable:
    """System: the table's game has ended so."""

    table: TableNo
    attempt: int
    result: Result


@dataclass(frozen=True, slots=True)
class AbortTable:
    """System or organiser: the table's game came to nothing."""

    table: TableNo
    attempt: int


@dataclass(frozen=True, slots=True)
class EndTable:
    """Organiser: stop the table's game and take the ranking as it stands; if there is no game, a draw settles it."""

    table: TableNo


@dataclass(frozen=True, slots=True)
class ReplayTable:
    """Organiser: what was played at the table does not count; play it anew."""

    table: TableNo


@dataclass(frozen=True, slots=True)
class CorrectResult:
    """Organiser: this, and not what was noted, is the table's result."""

    table: TableNo
    result: Result


@dataclass(frozen=True, slots=True)
class ReopenRound:
    """Organiser: undo every round after this one."""

    round: RoundNo


@dataclass(frozen=True, slots=True)
class Pause:
    """Organiser: seat no new round for now."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Organiser: go on."""


@dataclass(frozen=True, slots=True)
class Cancel:
    """Organiser: end it here; it does not count."""


Act = (
    ChangeTerms
    | ListSeeding
    | OpenRegistration
    | CloseRegistration
    | Register
    | Promote
    | CheckIn
    | Withdraw
    | Start
    | Replace
    | NoShow
    | Forfeit
    | Disqualify
    | Reinstate
    | OpenTable
    | FinishTable
    | AbortTable
    | EndTable
    | ReplayTable
    | CorrectResult
    | ReopenRound
    | Pause
    | Resume
    | Cancel
)

ACTS: Final[tuple[type[Act], ...]] = get_args(Act)
"""Every kind of act."""

NEED_REASON: Final[frozenset[type[Act]]] = frozenset(
    {
        Promote,
        Replace,
        NoShow,
        Disqualify,
        Reinstate,
        EndTable,
        ReplayTable,
        CorrectResult,
        ReopenRound,
        Pause,
        Cancel,
    }
)
"""Interventions: they are refused without a reason (choice; the others may have one)."""
