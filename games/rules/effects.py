"""What a card does once it lies outside a run, or as the last card of a closed one (section 5, U3)."""

from __future__ import annotations

from games.rules.cards import Card, Face
from games.rules.draft import Draft
from games.rules.events import FurtherCard, StackCancelled
from games.rules.ruleset import TwoPlayerDirection
from games.rules.state import Again, seats_in
from games.rules.turn import pass_turn, reverse, skip_next
from games.rules.window import open_window


def carry_out(draft: Draft, card: Card) -> None:
    """The effect of the card that the seat on turn laid last; unless it says otherwise, the turn passes (T6)."""
    match card.face:
        case Face.STOP:
            skip_next(draft)
        case Face.PLUS_TWO:
            pass_turn(draft, owe=draft.state.owe + 2)
        case Face.CHANGE_DIRECTION:
            _change_direction(draft)
        case Face.PLUS:
            draft.tell(FurtherCard(draft.state.turn, Again.PLUS))
        case Face.KING:
            grant_kings_card(draft)
        case Face.PLUS_THREE:
            open_window(draft)
        case _:
            pass_turn(draft)


def _change_direction(draft: Draft) -> None:
    skips = draft.state.rules.two_player_direction is TwoPlayerDirection.SKIP
    if skips and seats_in(draft.state) == 2:
        skip_next(draft)
    else:
        reverse(draft)


def grant_kings_card(draft: Draft) -> None:
    """K1, K2: the stack is cancelled, and the seat on turn may lay any card."""
    if draft.state.owe:
        draft.tell(StackCancelled(draft.state.owe))
    draft.tell(FurtherCard(draft.state.turn, Again.KING))
