"""The window in which a +3 may be answered (section 7)."""

from __future__ import annotations

from typing import Final

from games.rules.allowed import breaker_locked, color_refusal
from games.rules.cards import ANY_LEAD, BREAKER, KING, Lead, Seat
from games.rules.commands import Accept, Command, Play
from games.rules.draft import Draft
from games.rules.events import (
    DrawReason,
    EndReason,
    FurtherCard,
    StackCancelled,
    TakiClosed,
    TurnPassed,
    WindowAccepted,
    WindowClosed,
    WindowOpened,
    WindowOutcome,
)
from games.rules.last_card import call_last_cards, note_last_card
from games.rules.laying import lay, win_or_clear_stage
from games.rules.piles import draw_cards, winning_plus_three_open
from games.rules.refusals import Refusal, Refused
from games.rules.ruleset import KingLead
from games.rules.state import Again, State, next_seat, turn_order
from games.rules.turn import end_at_max_turns, pass_turn

PLUS_THREE_CARDS: Final = 3
"""How many cards a +3 makes the others draw, or its player when it is broken (B1, W3)."""


def lead_after_king(state: State) -> Lead:
    """K3, house rule king_lead."""
    return state.lead if state.rules.king_lead is KingLead.UNDER else ANY_LEAD


def open_window(draft: Draft) -> None:
    """W1: every other seat still in the game is asked, whatever it holds."""
    owner = draft.state.turn
    asked = tuple(sorted(seat for seat in turn_order(draft.state, owner) if seat != owner))
    draft.tell(WindowOpened(owner, asked))


def answer_refusal(state: State, seat: Seat, command: Command) -> Refused | None:
    """Why this command is no answer of this seat while the window is open (section 14)."""
    if not _is_answer(state, seat, command):
        return Refused(Refusal.WINDOW_OPEN, "W1")
    if seat not in state.answer:
        return Refused(Refusal.NOT_ASKED, "W2")
    return _answer_card_refusal(state, seat, command) if isinstance(command, Play) else None


def _is_answer(state: State, seat: Seat, command: Command) -> bool:
    match command:
        case Accept():
            return True
        case Play(card=card):
            return card is BREAKER or (card is KING and king_may_answer(state, seat))
        case _:
            return False


def king_may_answer(state: State, seat: Seat) -> bool:
    """W4: only the next seat's, and only if the table plays so."""
    owner = state.plus3
    return owner is not None and state.rules.king_on_plus_three and seat == next_seat(state, owner, state.direction)


def _answer_card_refusal(state: State, seat: Seat, play: Play) -> Refused | None:
    hand = state.hands[seat]
    if play.card not in hand:
        return Refused(Refusal.NOT_IN_HAND, "W3" if play.card is BREAKER else "W4")
    if play.card is BREAKER and breaker_locked(state, seat, hand):
        return Refused(Refusal.BREAKER_LOCKED, "T4")
    return color_refusal(state, play)


def answer(draft: Draft, seat: Seat, command: Command) -> None:
    """Carry out an answer. Raises Refused before anything is told."""
    refused = answer_refusal(draft.state, seat, command)
    if refused:
        raise refused
    if not isinstance(command, Play):
        draft.tell(WindowAccepted(seat))
        settle_if_all_heard(draft)
    elif command.card is BREAKER:
        _break(draft, seat)
    elif winning_plus_three_open(draft.state):
        _lay_vain_king(draft, seat)
    else:
        _answer_with_king(draft, seat)


def settle_if_all_heard(draft: Draft) -> None:
    if not draft.state.answer:
        settle(draft, WindowOutcome.ACCEPTED)


def settle(draft: Draft, outcome: WindowOutcome) -> None:
    """W5: nobody broke it. A winning +3 wins (W7); else the others draw, and the turn passes."""
    owner = draft.state.turn
    if winning_plus_three_open(draft.state):
        _win(draft, outcome)
        return
    draft.tell(WindowClosed(owner, outcome))
    for seat in turn_order(draft.state, owner)[1:]:
        draw_cards(draft, seat, PLUS_THREE_CARDS, DrawReason.PLUS_THREE)
    pass_turn(draft, owe=draft.state.owe)


def _win(draft: Draft, outcome: WindowOutcome) -> None:
    owner = draft.state.turn
    draft.tell(WindowClosed(owner, outcome))
    draft.end_game(owner, EndReason.WON)


def _break(draft: Draft, seat: Seat) -> None:
    """W3: the +3's player draws; W6: then the Breaker may win or clear a stage."""
    owner = draft.state.turn
    lay(draft, seat, BREAKER, None, draft.state.lead)
    draw_cards(draft, owner, PLUS_THREE_CARDS, DrawReason.BREAKER)
    draft.tell(WindowClosed(owner, WindowOutcome.BREAKER))
    note_last_card(draft, seat)
    if not draft.state.hands[seat]:
        win_or_clear_stage(draft, seat)
    if not draft.state.over:
        pass_turn(draft, owe=draft.state.owe)


def _lay_vain_king(draft: Draft, seat: Seat) -> None:
    """W7: a King does not stop a +3 that wins; it is laid, and does nothing."""
    lay(draft, seat, KING, None, draft.state.lead)
    _win(draft, WindowOutcome.KING)


def _answer_with_king(draft: Draft, seat: Seat) -> None:
    """W4: the +3 is cancelled, with a stack under it, and the seat's turn begins with the King (K1, K2, Z6)."""
    state = draft.state
    draft.tell(WindowClosed(state.turn, WindowOutcome.KING))
    if state.owe:
        draft.tell(StackCancelled(state.owe))
    draft.tell(TurnPassed(seat, state.direction, 0))
    call_last_cards(draft)
    lay(draft, seat, KING, None, lead_after_king(state))
    if state.taki is not None:
        draft.tell(TakiClosed())
    note_last_card(draft, seat)
    if not draft.state.hands[seat]:
        win_or_clear_stage(draft, seat)
    if not draft.state.over:
        end_at_max_turns(draft)
    if not draft.state.over:
        draft.tell(FurtherCard(seat, Again.KING))
