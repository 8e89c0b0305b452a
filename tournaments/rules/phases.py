"""In which phases an act belongs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tournaments.rules import acts as a
from tournaments.rules.refusals import Refusal
from tournaments.rules.state import BEFORE_START, IN_PLAY, Phase, State

PHASES: Final[Mapping[type[a.Act], frozenset[Phase]]] = {
    a.ChangeTerms: frozenset({Phase.DRAFT}) | BEFORE_START,
    a.ListSeeding: BEFORE_START,
    a.OpenRegistration: frozenset({Phase.DRAFT, Phase.CHECK_IN}),
    a.CloseRegistration: frozenset({Phase.REGISTRATION}),
    a.Register: frozenset({Phase.REGISTRATION}),
    a.Promote: BEFORE_START,
    a.CheckIn: frozenset({Phase.CHECK_IN}),
    a.Withdraw: BEFORE_START | IN_PLAY,
    a.Start: BEFORE_START,
    a.Replace: BEFORE_START | IN_PLAY,
    a.NoShow: IN_PLAY,
    a.Forfeit: IN_PLAY,
    a.Disqualify: BEFORE_START | IN_PLAY | {Phase.FINISHED},
    a.Reinstate: IN_PLAY | {Phase.FINISHED},
    a.OpenTable: frozenset({Phase.RUNNING}),
    a.FinishTable: IN_PLAY,
    a.AbortTable: IN_PLAY,
    a.EndTable: IN_PLAY,
    a.ReplayTable: IN_PLAY,
    a.CorrectResult: IN_PLAY | {Phase.FINISHED},
    a.ReopenRound: IN_PLAY,
    a.Pause: frozenset({Phase.RUNNING}),
    a.Resume: frozenset({Phase.PAUSED}),
    a.Cancel: frozenset({Phase.DRAFT}) | BEFORE_START | IN_PLAY,
}


def belongs(state: State, kind: type[a.Act], at: int) -> bool:
    """Whether this kind of act belongs to the phase, and to the time, that the tournament is in."""
    return wrong_phase(state, kind, at) is None


def wrong_phase(state: State, kind: type[a.Act], at: int) -> Refusal | None:
    """Why this kind of act does not belong here, or None.

    A start out of registration skips check-in, so it belongs there only if there is none. Registration ends at its
    instant even if the clock comes late.
    """
    if state.phase not in PHASES[kind]:
        if state.over:
            return Refusal.TOURNAMENT_OVER
        if kind is a.Register:
            return Refusal.NOT_OPEN_YET if state.phase is Phase.DRAFT else Refusal.REGISTRATION_CLOSED
        return Refusal.WRONG_PHASE
    if kind is a.Start and state.phase is Phase.REGISTRATION and state.terms.check_in:
        return Refusal.WRONG_PHASE
    closing = state.terms.closing
    if kind is a.Register and closing is not None and at >= closing:
        return Refusal.REGISTRATION_CLOSED
    return None
