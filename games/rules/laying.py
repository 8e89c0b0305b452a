"""A card goes from hand to the discard pile, and what an emptied hand means (T7, E1, G2)."""

from __future__ import annotations

from games.rules.cards import Card, Color, Lead, Seat
from games.rules.draft import Draft
from games.rules.events import CardPlayed, DrawReason, EndReason, StageCleared
from games.rules.piles import deal_to_waiting, draw_cards, waiting_seats


def lay(draft: Draft, seat: Seat, card: Card, color: Color | None, lead: Lead) -> None:
    """The card lies on top, and seats that waited for cards get what it freed (G4)."""
    waiting = waiting_seats(draft.state)
    draft.tell(CardPlayed(seat, card, color, lead))
    if waiting:
        deal_to_waiting(draft, waiting)


def at_last_stage(draft: Draft, seat: Seat) -> bool:
    """An emptied hand wins: always in single mode, at stage 1 in ladder mode (E1, G3)."""
    stages = draft.state.stages
    return not stages or stages[seat] == 1


def win_or_clear_stage(draft: Draft, seat: Seat) -> None:
    """The seat has emptied its hand by laying a card."""
    if at_last_stage(draft, seat):
        draft.end_game(seat, EndReason.WON)
        return
    stage = draft.state.stages[seat] - 1
    draft.tell(StageCleared(seat, stage))
    draw_cards(draft, seat, stage, DrawReason.STAGE)
