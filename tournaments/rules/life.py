"""The life of a tournament: an act against a state gives events, or is refused. The way in to every rule.

draft → registration → check-in → running (paused ⇄) → finished | cancelled

``decide`` judges what people and games ask; ``advance`` (module ``advance``) takes the steps that follow by themselves.
Neither reads a clock or draws by chance: the instant and the seed are arguments. Nothing is ever taken back but by a
further event.
"""

from __future__ import annotations

from typing import assert_never

from tournaments.rules import acts as a
from tournaments.rules import desk, registration, tables
from tournaments.rules import events as e
from tournaments.rules.phases import wrong_phase
from tournaments.rules.refusals import Refusal, Refused
from tournaments.rules.state import State, TableStatus
from tournaments.rules.terms import Terms, past_time


def create(terms: Terms, *, commitment: str, by: str, at: int) -> e.Logged:
    """The first line of a tournament's log; ``commitment`` as ``draws.commitment`` gives it.

    Raises Refused(BAD_TERMS or TIME_PAST).
    """
    registration.refuse_bad_terms(terms)
    late = past_time(terms, None, at)
    if late is not None:
        raise Refused(Refusal.TIME_PAST, late)
    return e.Logged(e.TournamentCreated(terms, commitment), at, by)


def decide(state: State, act: a.Act, *, by: str, at: int, why: str = "") -> tuple[e.Logged, ...]:
    """The lines that this act adds to the log.

    ``by``: who asks (an opaque id), ``at``: when (ms since 1970 UTC), ``why``: an opaque reference to the reason.
    Whether ``by`` may ask is for the caller to know. Raises Refused, and then nothing happens.
    """
    wrong = wrong_phase(state, type(act), at)
    if wrong is not None:
        raise Refused(wrong)
    if type(act) in a.NEED_REASON and not why:
        raise Refused(Refusal.NEEDS_REASON)
    _refuse_unknown(state, act)
    return tuple(e.Logged(event, at, by, why) for event in _decide(state, act, at))


def refusal(state: State, act: a.Act, *, at: int, why: str = "") -> Refusal | None:
    """Why ``decide`` would refuse this act, or None."""
    try:
        decide(state, act, by="", at=at, why=why)
    except Refused as refused:
        return refused.refusal
    return None


def _refuse_unknown(state: State, act: a.Act) -> None:
    """Refuse an act about an entry, a table, a round or a game of a table that there is not."""
    match act:
        case (
            a.Promote(entry=entry)
            | a.CheckIn(entry=entry)
            | a.Withdraw(entry=entry)
            | a.Replace(entry=entry)
            | a.NoShow(entry=entry)
            | a.Forfeit(entry=entry)
            | a.Disqualify(entry=entry)
            | a.Reinstate(entry=entry)
        ):
            if not 1 <= entry <= len(state.entries):
                raise Refused(Refusal.NO_SUCH_ENTRY)
        case a.EndTable(table=table) | a.ReplayTable(table=table) | a.CorrectResult(table=table):
            _refuse_unknown_table(state, table)
        case a.OpenTable() | a.FinishTable() | a.AbortTable():
            _refuse_unknown_table(state, act.table)
            if act.attempt != state.table(act.table).attempt:
                raise Refused(Refusal.STALE_ATTEMPT)
        case a.ReopenRound(round=number):
            if not 1 <= number < len(state.rounds):
                raise Refused(Refusal.NO_SUCH_ROUND)
        case _:
            pass


def _refuse_unknown_table(state: State, table: int) -> None:
    if not 1 <= table <= len(state.tables) or state.tables[table - 1].status is TableStatus.VOID:
        raise Refused(Refusal.NO_SUCH_TABLE)


def _decide(state: State, act: a.Act, at: int) -> tuple[e.Event, ...]:  # noqa: C901  # one case an act
    match act:
        case a.ChangeTerms():
            return registration.change_terms(state, act, at)
        case a.ListSeeding():
            return registration.list_seeding(state, act)
        case a.OpenRegistration():
            return registration.open_registration(state, at)
        case a.CloseRegistration():
            return (e.RegistrationClosed(),)
        case a.Register():
            return registration.register(state, act)
        case a.Promote():
            return registration.promote(state, act)
        case a.CheckIn():
            return registration.check_in(state, act)
        case a.Withdraw():
            return desk.withdraw(state, act)
        case a.Start():
            return registration.start(state)
        case a.Replace():
            return desk.replace(state, act)
        case a.NoShow():
            return desk.no_show(state, act)
        case a.Forfeit():
            return desk.forfeit(state, act)
        case a.Disqualify():
            return desk.disqualify(state, act)
        case a.Reinstate():
            return desk.reinstate(state, act)
        case a.OpenTable():
            return tables.open_table(state, act)
        case a.FinishTable():
            return tables.finish_table(state, act)
        case a.AbortTable():
            return tables.abort_table(state, act)
        case a.EndTable():
            return tables.end_table(state, act)
        case a.ReplayTable():
            return tables.replay_table(state, act)
        case a.CorrectResult():
            return tables.correct_result(state, act)
        case a.ReopenRound():
            return tables.reopen_round(state, act)
        case a.Pause():
            return (e.TournamentPaused(),)
        case a.Resume():
            return (e.TournamentResumed(),)
        case a.Cancel():
            return (e.TournamentCancelled(e.CancelCause.ORGANISER),)
        case _:
            assert_never(act)
