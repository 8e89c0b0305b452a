"""Drawing on one's own turn (T4, T5, A2, P2, Z2)."""

from __future__ import annotations

from games.rules.allowed import can_play
from games.rules.cards import Seat
from games.rules.draft import Draft
from games.rules.events import CardsDrawn, DrawReason
from games.rules.last_card import call_last_cards
from games.rules.piles import draw_cards
from games.rules.refusals import Refusal, Refused
from games.rules.state import Again, State, first_of_turn, is_dry
from games.rules.turn import pass_idle_turn, pass_turn


def draw_refusal(state: State) -> Refused | None:
    """Why the seat on turn may not draw, no window being open."""
    if state.run is not None:
        return Refused(Refusal.CANNOT_DRAW, "U5")
    if state.again is Again.KING:
        return Refused(Refusal.CANNOT_DRAW, "K2")
    if state.owe or not can_play(state):
        return None
    if is_dry(state):
        return Refused(Refusal.MUST_PLAY, "Z2")
    if state.again is Again.PLUS:
        return None if state.rules.plus_may_draw else Refused(Refusal.MUST_PLAY, "P2")
    return None if state.rules.voluntary_draw else Refused(Refusal.MUST_PLAY, "T5")


def draw(draft: Draft, seat: Seat) -> None:
    """One card, which may be locked (T4), or the whole stack (A2); the turn is over. Its legality was judged before."""
    opening = first_of_turn(draft.state)
    told = len(draft.events)
    call_last_cards(draft)
    if draft.state.owe:
        draw_cards(draft, seat, draft.state.owe, DrawReason.STACK)
    else:
        reason = DrawReason.PLUS if draft.state.again is Again.PLUS else DrawReason.TURN
        draw_cards(draft, seat, 1, reason, locks=True)
    if opening and not _card_moved(draft, told):
        pass_idle_turn(draft)
    else:
        pass_turn(draft)


def _card_moved(draft: Draft, told: int) -> bool:
    """A card was drawn by anyone since the draft had ``told`` events (Z3)."""
    return any(isinstance(event, CardsDrawn) and event.cards for event in draft.events[told:])
