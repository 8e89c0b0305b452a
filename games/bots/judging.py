"""How a game that is not over will end: each seat's chance, judged by its hand, its stage and its place in turn.

The points were fitted to some ten thousand games of the habit against itself, by logistic regression on who won, and
predict it as well as its own games do: docs/bots.md says how, and what they are good for.
"""

from __future__ import annotations

from math import exp
from typing import Final, NamedTuple

from games.bots.copies import COLORLESS, MATCHES, NO_COLOR, OF_COLOR, OF_FACE, STOP
from games.bots.world import NOBODY, NONE, World


class Points(NamedTuple):
    """``cards[n]`` for a hand of n cards, ``faces`` for each card from Stop to Change Color, ``color`` for each colour
    held, ``place`` by how many seats are still before it, ``stuck`` for a hand that fits nothing now, on turn or next,
    ``stage[n]`` for a seat in stage n.
    """

    cards: tuple[float, ...]
    faces: tuple[float, ...]
    color: float
    place: tuple[float, float, float, float]
    stuck: tuple[float, float]
    stage: tuple[float, ...] = (0.0,)


MOST_COUNTED: Final = 15
DUEL: Final = Points(
    (0, 0, -0.33, -0.49, -0.57, -0.58, -0.64, -0.65, -0.69, -0.72, -0.74, -0.84, -0.96, -1.08, -1.29, -1.47),
    (0.08, 0.27, 0, 0.03, 0.11, 0.08, 0.78, 0.20, -0.62, 0.53),
    -0.43,
    (0.06, -0.06, 0, 0),
    (-0.66, -0.39),
)
TABLE: Final = Points(
    (0, 0, -0.56, -0.95, -1.24, -1.43, -1.64, -1.82, -2.0, -2.18, -2.43, -2.57, -2.82, -2.99, -3.08, -3.18),
    (0.12, 0.26, 0.03, 0.16, 0.42, 0.53, 1.11, 0.47, -0.65, 0.65),
    -0.36,
    (0.23, 0.09, -0.13, -0.19),
    (-0.85, -0.44),
)
LADDER_DUEL: Final = Points(
    (0, 0, -0.16, -0.24, -0.24, -0.24, -0.24, -0.25, -0.26, -0.35, -0.60, -0.83, -1.1, -1.27, -1.4, -1.54),
    (0.05, 0.04, 0, 0.06, 0.04, 0.08, 0.19, 0.04, -0.17, 0.17),
    -0.14,
    (0, 0, 0, 0),
    (-0.17, -0.16),
    (0.0, 0.0, -0.88, -1.47, -2.23, -2.74, -3.37, -3.91, -4.45, -5.0, -5.55),
)
LADDER: Final = Points(
    (0, 0, -0.15, -0.26, -0.28, -0.38, -0.46, -0.48, -0.54, -0.60, -0.80, -0.98, -1.18, -1.37, -1.57, -1.73),
    (0.05, 0.08, 0.03, 0.08, 0.08, 0.21, 0.30, 0.26, -0.16, 0.24),
    -0.06,
    (0.05, 0.03, -0.02, -0.06),
    (-0.19, -0.18),
    (0.0, 0.0, -0.87, -1.6, -2.51, -3.23, -3.94, -4.7, -5.36, -6.05, -6.7),
)

_SPECIAL: Final = sum(OF_FACE[STOP:])


def points_for(world: World) -> Points:
    """Which points hold in this game."""
    if world.stages:
        return LADDER_DUEL if world.duel else LADDER
    return DUEL if world.duel else TABLE


def at_rest(world: World) -> bool:
    """Nothing is half done, so that it can be judged."""
    return world.run == NO_COLOR and world.plus3 == NOBODY and world.again == NONE and not world.owe


def chance_to_win(world: World, seat: int, points: Points) -> float:
    """The seat's chance in this game, which is not over."""
    if not world.hands[seat]:  # it has entered a stage and waits for cards (G4), or its winning +3 is open (W7)
        return 0.5
    total = own = 0.0
    for place, other in enumerate(world.in_turn_order(world.turn)):
        weight = exp(_worth(world, other, place, points))
        total += weight
        if other == seat:
            own = weight
    return own / total


def _worth(world: World, seat: int, place: int, points: Points) -> float:
    hand = world.hands[seat]
    held = hand.bit_count()
    worth = points.cards[min(held, MOST_COUNTED)] - 0.2 * max(0, held - MOST_COUNTED) + points.place[min(place, 3)]
    if world.stages:
        worth += points.stage[world.stages[seat]]
    if hand & _SPECIAL:
        for face, each in enumerate(points.faces, start=STOP):
            if hand & OF_FACE[face]:
                worth += each * (hand & OF_FACE[face]).bit_count()
    for color in OF_COLOR:
        if hand & color:
            worth += points.color
    if place < 2 and not hand & MATCHES[world.lead] and (place or not hand & COLORLESS):
        worth += points.stuck[place]
    return worth
