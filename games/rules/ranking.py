"""Who came where (E2, G5)."""

from __future__ import annotations

from games.rules.cards import Seat
from games.rules.events import Placing
from games.rules.state import State


def ranking(state: State) -> tuple[Placing, ...]:
    """The seats from first to last as they stand: the winner, then by stage (ladder) and fewest cards.

    Equals share a rank, and the next rank counts them all (1, 2, 2, 4). Seats that left come last, the last to
    leave first; they never share a rank.
    """
    staying = [Seat(seat) for seat in range(state.seats) if seat not in state.left]
    standing = {seat: (seat != state.winner, _stage(state, seat), len(state.hands[seat])) for seat in staying}
    staying.sort(key=lambda seat: standing[seat])
    placings = [
        _placing(state, 1 + sum(standing[other] < standing[seat] for other in staying), seat) for seat in staying
    ]
    for rank, seat in enumerate(reversed(state.left), start=len(staying) + 1):
        placings.append(_placing(state, rank, seat))
    return tuple(placings)


def _placing(state: State, rank: int, seat: Seat) -> Placing:
    return Placing(rank, seat, len(state.hands[seat]), _stage(state, seat))


def _stage(state: State, seat: Seat) -> int:
    return state.stages[seat] if state.stages else 0
