"""Leaving the game (Z4)."""

from __future__ import annotations

from games.rules.cards import Seat
from games.rules.draft import Draft
from games.rules.events import EndReason, SeatLeft, StackCancelled, WindowClosed, WindowOutcome
from games.rules.piles import deal_to_waiting, waiting_seats
from games.rules.shuffle import shuffled
from games.rules.state import seats_in, turn_order
from games.rules.taki_run import end_run_open
from games.rules.turn import pass_turn
from games.rules.window import settle_if_all_heard


def leave(draft: Draft, seat: Seat) -> None:
    """The seat is out; whatever waited for it goes on."""
    waiting = waiting_seats(draft.state)
    _give_cards_back(draft, seat)
    deal_to_waiting(draft, waiting)
    if seats_in(draft.state) == 1:
        draft.end_game(turn_order(draft.state, seat)[0], EndReason.LAST_SEAT)
    elif draft.state.turn == seat:
        _end_turn_without_effect(draft)
    elif draft.state.plus3 is not None:
        settle_if_all_heard(draft)


def _give_cards_back(draft: Draft, seat: Seat) -> None:
    state = draft.state
    hand = state.hands[seat]
    if hand:
        draft.tell(SeatLeft(seat, shuffled(state.seed, state.shuffles, hand), state.shuffles))
    else:
        draft.tell(SeatLeft(seat, (), -1))


def _end_turn_without_effect(draft: Draft) -> None:
    """Its own +3 is cancelled, a stack is gone, a TAKI that it was running stays open."""
    state = draft.state
    if state.plus3 is not None:
        draft.tell(WindowClosed(state.turn, WindowOutcome.CANCELLED))
    if state.owe:
        draft.tell(StackCancelled(state.owe))
    end_run_open(draft)
    pass_turn(draft)
