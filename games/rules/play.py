"""Laying a card on one's own turn (T7)."""

from __future__ import annotations

from typing import Final

from games.rules.allowed import color_of, play_refusal
from games.rules.cards import (
    BREAKER,
    KING,
    LEAD_OF_CARD,
    PLUS_THREE,
    SUPER_TAKI,
    Card,
    Color,
    Face,
    Lead,
    Seat,
)
from games.rules.commands import Play
from games.rules.draft import Draft
from games.rules.effects import carry_out
from games.rules.events import DrawReason
from games.rules.last_card import call_last_cards, note_last_card
from games.rules.laying import at_last_stage, lay, win_or_clear_stage
from games.rules.piles import draw_cards
from games.rules.state import State, is_dry
from games.rules.taki_run import end_run_open, touch_taki
from games.rules.turn import pass_turn
from games.rules.window import lead_after_king

BREAKER_COST: Final = 3
"""How many cards a Breaker on one's own turn costs (B2)."""


def play_on_turn(draft: Draft, seat: Seat, play: Play) -> None:
    """T7, in its order. Raises Refused before anything is told."""
    refused = play_refusal(draft.state, seat, play)
    if refused:
        raise refused
    call_last_cards(draft)
    _lay_on_turn(draft, seat, play)
    if draft.state.hands[seat]:
        _act(draft, play.card)
    elif play.card.face is Face.PLUS and _plus_cannot_win(draft, seat):
        _draw_for_plus(draft, seat)
    elif play.card is PLUS_THREE and _may_be_broken(draft, seat):
        carry_out(draft, play.card)
    else:
        win_or_clear_stage(draft, seat)
        if not draft.state.over:
            _act(draft, play.card)


def _lay_on_turn(draft: Draft, seat: Seat, play: Play) -> None:
    """The card, the lead, an open TAKI, a Breaker's cost, the word that is due: all that precedes win and effect."""
    color = color_of(draft.state, play)
    lay(draft, seat, play.card, play.color, _lead_after(draft.state, play.card, color))
    touch_taki(draft, seat, play.card, color)
    paid = draw_cards(draft, seat, BREAKER_COST, DrawReason.BREAKER) if play.card is BREAKER else 0
    if not paid:
        note_last_card(draft, seat)


def _lead_after(state: State, card: Card, color: Color | None) -> Lead:
    """+3 and Breaker are transparent (B1, B2); a Super TAKI's face is TAKI (U2)."""
    if card in LEAD_OF_CARD:
        return LEAD_OF_CARD[card]
    if card is SUPER_TAKI:
        return Lead.of(color, Face.TAKI)
    if card is KING:
        return lead_after_king(state)
    return state.lead if card is PLUS_THREE or card is BREAKER else Lead.of(color)


def _act(draft: Draft, card: Card) -> None:
    """Within a run cards do nothing (U3)."""
    if draft.state.run is None:
        carry_out(draft, card)


def _plus_cannot_win(draft: Draft, seat: Seat) -> bool:
    """P3, unless there is nothing to draw."""
    return not draft.state.rules.plus_finishes and at_last_stage(draft, seat) and not is_dry(draft.state)


def _draw_for_plus(draft: Draft, seat: Seat) -> None:
    """P3: one card, and the turn is over; in a run the TAKI stays open (U11)."""
    draw_cards(draft, seat, 1, DrawReason.PLUS, locks=True)
    if draft.state.run is not None:
        draft.plus_ended_run = True
        end_run_open(draft)
    pass_turn(draft)


def _may_be_broken(draft: Draft, seat: Seat) -> bool:
    """W7, house rule breaker_stops_win: the window opens although the hand is empty; not with both piles dry."""
    return draft.state.rules.breaker_stops_win and at_last_stage(draft, seat) and not is_dry(draft.state)
