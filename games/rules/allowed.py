"""Which cards may be laid, and why not the others (T2, T3, A2, U4, K2)."""

from __future__ import annotations

from typing import Final

from games.rules.cards import (
    BREAKER,
    CARDS,
    CHANGE_COLOR,
    COLORLESS,
    KING,
    LEADS,
    PLUS_THREE,
    SUPER_TAKI,
    Card,
    Color,
    Face,
    Seat,
)
from games.rules.commands import Play
from games.rules.refusals import Refusal, Refused
from games.rules.ruleset import SuperTakiColor
from games.rules.state import Again, Hand, State

_ALL: Final = frozenset(CARDS)
_COLORLESS: Final = frozenset(card for card in CARDS if card.face in COLORLESS)
_ON_STACK: Final = frozenset(card for card in CARDS if card.face is Face.PLUS_TWO or card is KING)
_ON_STACK_WITH_PLUS_THREE: Final = _ON_STACK | {PLUS_THREE}
_ON_LEAD: Final = {lead: lead.matches | _COLORLESS for lead in LEADS}
_IN_RUN: Final = {color: frozenset(card for card in CARDS if card.color is color) | {SUPER_TAKI} for color in Color}
_IN_RUN_WITH_CHANGE: Final = {color: cards | {CHANGE_COLOR} for color, cards in _IN_RUN.items()}


def allowed_on_turn(state: State) -> frozenset[Card]:
    """The kinds that the seat on turn may lay now if it holds them, no window being open."""
    if state.owe:
        return _ON_STACK_WITH_PLUS_THREE if state.rules.plus_three_on_stack else _ON_STACK
    if state.run is not None:
        return (_IN_RUN_WITH_CHANGE if _change_color_in_run(state) else _IN_RUN)[state.run]
    if state.again is Again.KING:
        return _ALL
    return _ON_LEAD[state.lead]


def _change_color_in_run(state: State) -> bool:
    return state.rules.change_color_in_run and not must_lay_run(state)


def must_lay_run(state: State) -> bool:
    """House rule taki_all: the seat in the run still holds a coloured card of its colour, and must lay it."""
    return state.rules.taki_all and any(card.color is state.run for card in state.hands[state.turn])


def can_play(state: State) -> bool:
    """The seat on turn can lay a card; a Breaker never counts (T5, P2, Z2)."""
    allowed = allowed_on_turn(state)
    return any(card in allowed and card is not BREAKER for card in state.hands[state.turn])


def play_refusal(state: State, seat: Seat, play: Play) -> Refused | None:
    """Why the seat on turn may not lay this card, in the order of section 14."""
    card = play.card
    hand = state.hands[seat]
    if card not in hand:
        return Refused(Refusal.NOT_IN_HAND, "T1")
    if card is BREAKER and breaker_locked(state, seat, hand):
        return Refused(Refusal.BREAKER_LOCKED, "T4")
    if card not in allowed_on_turn(state):
        return _not_allowed(state, card)
    return color_refusal(state, play)


def breaker_locked(state: State, seat: Seat, hand: Hand) -> bool:
    """The one Breaker that the seat holds is locked (T4)."""
    return seat in state.locked and hand.count(BREAKER) == 1


def _not_allowed(state: State, card: Card) -> Refused:
    if state.owe:
        return Refused(Refusal.STACK_ACTIVE, "A3" if card is PLUS_THREE else "A2")
    if state.run is not None:
        return Refused(Refusal.NOT_IN_RUN, "U4")
    return Refused(Refusal.DOES_NOT_MATCH, "T2")


def takes_color(state: State, card: Card) -> bool:
    """The card's player must name a colour: Change Color always (A5), Super TAKI in the cases of U2."""
    if card is CHANGE_COLOR:
        return True
    if card is not SUPER_TAKI or state.run is not None:
        return False
    return state.rules.super_taki_color is SuperTakiColor.CHOOSE or _super_taki_color(state) is None


def _super_taki_color(state: State) -> Color | None:
    return state.run or state.taki or state.lead.color


def color_refusal(state: State, play: Play) -> Refused | None:
    rule = "U2" if play.card is SUPER_TAKI else "A5"
    if takes_color(state, play.card):
        return None if play.color else Refused(Refusal.COLOR_REQUIRED, rule)
    return Refused(Refusal.COLOR_NOT_ALLOWED, rule) if play.color else None


def color_of(state: State, play: Play) -> Color | None:
    """The colour that the card brings: its own, the one named, or that of a Super TAKI's run (U2)."""
    if play.card is SUPER_TAKI and play.color is None:
        return _super_taki_color(state)
    return play.card.color or play.color
