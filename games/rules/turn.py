"""Whose turn comes next (T6), and when too many turns end the game (Z3, Z6)."""

from __future__ import annotations

from games.rules.cards import Seat
from games.rules.draft import Draft
from games.rules.events import EndReason, TurnIdled, TurnPassed
from games.rules.state import COUNTERCLOCKWISE, Direction, next_seat, seats_in


def pass_turn(draft: Draft, *, owe: int = 0) -> None:
    """The turn of the seat on turn is over; the next seat faces a stack of ``owe`` cards (T6)."""
    state = draft.state
    _pass_to(draft, next_seat(state, state.turn, state.direction), state.direction, owe)


def skip_next(draft: Draft) -> None:
    """The turn passes over the next seat, once (A1, Z6)."""
    state = draft.state
    skipped = next_seat(state, state.turn, state.direction)
    _pass_to(draft, next_seat(state, skipped, state.direction), state.direction, 0)


def reverse(draft: Draft) -> None:
    """The direction turns, then the turn passes (A4)."""
    state = draft.state
    direction = Direction(state.direction * COUNTERCLOCKWISE)
    _pass_to(draft, next_seat(state, state.turn, direction), direction, 0)


def _pass_to(draft: Draft, seat: Seat, direction: Direction, owe: int) -> None:
    draft.tell(TurnPassed(seat, direction, owe))
    end_at_max_turns(draft)


def end_at_max_turns(draft: Draft) -> None:
    """Z6."""
    if draft.state.turns >= draft.state.rules.max_turns:
        draft.end_game(None, EndReason.MAX_TURNS)


def pass_idle_turn(draft: Draft) -> None:
    """A turn in which no card moved is over: the game ends after two full rounds of them (Z3)."""
    draft.tell(TurnIdled(draft.state.idle + 1))
    if draft.state.idle >= 2 * seats_in(draft.state):
        draft.end_game(None, EndReason.STALLED)
    else:
        pass_turn(draft)
