"""Drawing, reshuffling (Z1), and dealing to seats that wait for cards (G4)."""

from __future__ import annotations

from games.rules.cards import BREAKER, Seat
from games.rules.draft import Draft
from games.rules.events import CardsDrawn, DrawReason, PileReshuffled
from games.rules.shuffle import shuffled
from games.rules.state import State, is_dry, turn_order


def draw_cards(draft: Draft, seat: Seat, count: int, reason: DrawReason, *, locks: bool = False) -> int:
    """The seat draws up to ``count`` cards and is told how many there were (Z1).

    ``locks``: a Breaker among them may not be played before that seat's next turn (T4).
    """
    state = draft.state
    if len(state.draw) < count and len(state.pile) > 1:
        _reshuffle(draft)
        state = draft.state
    cards = state.draw[:count]
    draft.tell(CardsDrawn(seat, cards, reason, locked=locks and BREAKER in cards))
    return len(cards)


def _reshuffle(draft: Draft) -> None:
    state = draft.state
    order = shuffled(state.seed, state.shuffles, state.pile[1:])
    draft.tell(PileReshuffled(order, state.shuffles))


def winning_plus_three_open(state: State) -> bool:
    """The window is that of a +3 which wins unless it is broken (W7).

    At stage 1 an empty hand may also be that of a seat which has just entered the stage and waits (G4); then both
    piles are dry, in which case a winning +3 opens no window.
    """
    seat = state.plus3
    if seat is None or state.hands[seat] or not state.rules.breaker_stops_win:
        return False
    return not state.stages or (state.stages[seat] == 1 and not is_dry(state))


def waiting_seats(state: State) -> tuple[Seat, ...]:
    """The seats that emptied their hand and were dealt nothing, for want of cards (G4), in turn order."""
    if not state.stages or () not in state.hands:
        return ()
    winning = state.plus3 if winning_plus_three_open(state) else None
    return tuple(seat for seat in turn_order(state, state.turn) if not state.hands[seat] and seat != winning)


def deal_to_waiting(draft: Draft, waiting: tuple[Seat, ...]) -> None:
    """Cards have come back to the piles: those who wait are dealt first, in turn order (G4)."""
    for seat in waiting:
        if not is_dry(draft.state) and seat not in draft.state.left:
            draw_cards(draft, seat, draft.state.stages[seat], DrawReason.STAGE)
