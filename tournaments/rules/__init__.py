"""The rules of a tournament as a pure library: act → events → state, without framework, clock or chance.

``create`` begins a log, ``decide`` judges an act, ``advance`` takes the steps that follow by themselves, ``evolve`` and
``replay`` fold the log; ``standings`` and the stages say how it stands, ``discrepancies`` whether its draws are honest.

>>> from tournaments.rules import *
>>> seed = bytes(32)
>>> kind = TableKind.SINGLE
>>> terms = Terms(format=Format.KNOCKOUT, table_kind=kind, table_size=4, go_on=2, capacity=8, check_in=False)
>>> log = [create(terms, commitment=commitment(seed), by="organiser-1", at=0)]
>>> for act in (OpenRegistration(), Register(), Register(), Start()):
...     log += decide(replay(log), act, by="organiser-1", at=1)
>>> log += advance(replay(log), now=2, seed=seed)
>>> replay(log).tables[0].seats
(1, 2)
"""

from tournaments.rules.acts import (
    ACTS,
    NEED_REASON,
    AbortTable,
    Act,
    Cancel,
    ChangeTerms,
    CheckIn,
    CloseRegistration,
    CorrectResult,
    Disqualify,
    EndTable,
    FinishTable,
    Forfeit,
    ListSeeding,
    NoShow,
    OpenRegistration,
    OpenTable,
    Pause,
    Promote,
    Register,
    Reinstate,
    ReopenRound,
    Replace,
    ReplayTable,
    Resume,
    Start,
    Withdraw,
)
from tournaments.rules.advance import advance, wakes_at
from tournaments.rules.draws import commitment
from tournaments.rules.events import Event, Logged
from tournaments.rules.evolve import evolve, replay
from tournaments.rules.field import still_in
from tournaments.rules.knockout import outline
from tournaments.rules.legal import WHOLE, legal_kinds, legal_targets
from tournaments.rules.life import create, decide, refusal
from tournaments.rules.refusals import Refusal, Refused
from tournaments.rules.stages import Stage, knockout_stages, ladder_stages
from tournaments.rules.standings import Standing, standings
from tournaments.rules.state import (
    Entry,
    EntryNo,
    EntryStatus,
    Phase,
    Place,
    Result,
    Round,
    RoundNo,
    State,
    Table,
    TableNo,
    TableStatus,
)
from tournaments.rules.terms import Format, NoShows, Seeding, TableKind, Terms
from tournaments.rules.verify import Discrepancy, discrepancies

__all__ = [
    "ACTS",
    "NEED_REASON",
    "WHOLE",
    "AbortTable",
    "Act",
    "Cancel",
    "ChangeTerms",
    "CheckIn",
    "CloseRegistration",
    "CorrectResult",
    "Discrepancy",
    "Disqualify",
    "EndTable",
    "Entry",
    "EntryNo",
    "EntryStatus",
    "Event",
    "FinishTable",
    "Forfeit",
    "Format",
    "ListSeeding",
    "Logged",
    "NoShow",
    "NoShows",
    "OpenRegistration",
    "OpenTable",
    "Pause",
    "Phase",
    "Place",
    "Promote",
    "Refusal",
    "Refused",
    "Register",
    "Reinstate",
    "ReopenRound",
    "Replace",
    "ReplayTable",
    "Result",
    "Resume",
    "Round",
    "RoundNo",
    "Seeding",
    "Stage",
    "Standing",
    "Start",
    "State",
    "Table",
    "TableKind",
    "TableNo",
    "TableStatus",
    "Terms",
    "Withdraw",
    "advance",
    "commitment",
    "create",
    "decide",
    "discrepancies",
    "evolve",
    "knockout_stages",
    "ladder_stages",
    "legal_kinds",
    "legal_targets",
    "outline",
    "refusal",
    "replay",
    "standings",
    "still_in",
    "wakes_at",
]
