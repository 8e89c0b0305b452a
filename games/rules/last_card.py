"""Saying "last card" (section 8)."""

from __future__ import annotations

from games.rules.cards import Seat
from games.rules.draft import Draft
from games.rules.events import DrawReason, LastCardDeclared, LastCardDue, LastCardMissed
from games.rules.piles import draw_cards
from games.rules.refusals import Refusal, Refused
from games.rules.ruleset import LastCard
from games.rules.state import State, first_of_turn, turn_order


def last_card_refusal(state: State, seat: Seat) -> Refused | None:
    """L2: it may be said only while it is due."""
    return None if seat in state.last else Refused(Refusal.NOT_LAST_CARD, "L2")


def declare_last_card(draft: Draft, seat: Seat) -> None:
    draft.tell(LastCardDeclared(seat))


def note_last_card(draft: Draft, seat: Seat) -> None:
    """L1: the seat has just laid a card and owes the word if one is left."""
    if len(draft.state.hands[seat]) == 1 and draft.state.rules.last_card is LastCard.PENALTY:
        draft.tell(LastCardDue(seat))


def call_last_cards(draft: Draft) -> None:
    """L3: the first command of a turn makes every seat with an unsaid last card draw, but for the grace."""
    state = draft.state
    if not state.last or draft.within_grace or not first_of_turn(state):
        return
    for seat in turn_order(state, state.turn):
        if seat in state.last:
            draft.tell(LastCardMissed(seat))
            draw_cards(draft, seat, state.rules.last_card_penalty, DrawReason.LAST_CARD)
