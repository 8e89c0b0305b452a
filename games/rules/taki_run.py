"""Runs and open TAKIs (section 6)."""

from __future__ import annotations

from games.rules.allowed import must_lay_run
from games.rules.cards import BREAKER, CHANGE_COLOR, PLUS_THREE, Card, Color, Face, Seat
from games.rules.draft import Draft
from games.rules.effects import carry_out
from games.rules.events import RunStarted, TakiClosed, TakiLeftOpen
from games.rules.refusals import Refusal, Refused
from games.rules.state import Again, State, taki_on_top
from games.rules.turn import pass_turn


def touch_taki(draft: Draft, seat: Seat, card: Card, color: Color | None) -> None:
    """What a card just laid on one's turn does to the run or to an open TAKI (U1, U4, U7, U8)."""
    state = draft.state
    if state.run is not None:
        if card is CHANGE_COLOR:
            draft.tell(TakiClosed())
        return
    starts = card.face is Face.TAKI or card.face is Face.SUPER_TAKI
    continues = state.taki is not None and color is state.taki and card is not CHANGE_COLOR
    if state.taki is not None and not continues and card is not PLUS_THREE and card is not BREAKER:
        draft.tell(TakiClosed())
    if color is not None and (starts or continues):
        draft.tell(RunStarted(seat, color))


def end_run_open(draft: Draft) -> None:
    """The run is over without its last card's effect (U9); the TAKI lies open, if the table plays so."""
    run = draft.state.run
    if run is not None:
        draft.tell(TakiLeftOpen(run) if draft.state.rules.open_taki else TakiClosed())


def close_refusal(state: State) -> Refused | None:
    """Why the seat on turn may not close (U5, U6, house rule taki_all)."""
    if state.run is None:
        return Refused(Refusal.NO_RUN, "U7" if state.taki is not None else "U5")
    if must_lay_run(state):
        return Refused(Refusal.MUST_PLAY, "U1")
    if state.rules.open_taki and taki_on_top(state):
        return Refused(Refusal.TAKI_ON_TOP, "U6")
    return None


def end_refusal(state: State) -> Refused | None:
    """Why the seat on turn may not end (U5, K2, P1, house rule taki_all)."""
    if state.run is not None:
        return Refused(Refusal.MUST_PLAY, "U1") if must_lay_run(state) else None
    if state.again is Again.PLUS:
        return Refused(Refusal.MUST_PLAY, "P1")
    return None if state.again is Again.KING else Refused(Refusal.NO_RUN, "U5")


def close(draft: Draft) -> None:
    """ "Closed TAKI": it is over, and the last card acts (U3, U5)."""
    draft.tell(TakiClosed())
    carry_out(draft, draft.state.pile[0])


def end(draft: Draft) -> None:
    """The run stays open (U9), or the King's further card is declined (K2)."""
    if draft.state.run is not None and not draft.state.rules.open_taki:
        close(draft)
        return
    end_run_open(draft)
    pass_turn(draft)
