"""The habit: what a good player does at a glance. The greedy bot plays by it, and a search plays its worlds by it.

It reads the hand on turn, and of the others only how many cards they hold. Its functions are longer than the house's
habit: they are the hot path of every search (tests/bench).
"""

from __future__ import annotations

from typing import Final, NamedTuple

from games.bots.copies import (
    ANY,
    BREAKER,
    CHANGE_COLOR,
    CHANGE_DIRECTION,
    COLOR_OF,
    COLORLESS,
    FACE_OF,
    KING,
    LEAD_COLOR,
    LEAD_OF,
    MATCHES,
    OF_COLOR,
    OF_FACE,
    ONE,
    PLUS,
    PLUS_THREE,
    PLUS_TWO,
    STOP,
    SUPER_TAKI,
    TAKI,
)
from games.bots.world import ACCEPT, AGAIN_KING, CLOSE, DRAW, END, NOBODY, World, named

WINS: Final = 10_000
HARMS: Final = -5_000


class Weights(NamedTuple):
    """What each consideration is worth in points."""

    followers: int = -2
    color: int = -3
    stop_duel: int = 30
    stop_duel_vain: int = -5
    stop: int = 6
    plus_two: int = 14
    direction: int = 11
    plus: int = 25
    plus_vain: int = -25
    attack: int = 40
    run: int = 10
    run_each: int = 12
    taki_alone: int = -25
    change: int = -32
    change_each: int = 2
    super_taki: int = -30
    super_each: int = 12
    super_alone: int = -24
    king: int = -45
    king_small: int = 10
    plus_three: int = -10
    plus_three_attack: int = 60
    king_stack: int = 4
    last_two: int = 40
    last_stop_duel: int = 32
    last_stop: int = 15
    last_direction: int = 5
    last_plus: int = 25
    last_plus_vain: int = -82
    last_taki: int = -60
    last_followers: int = 5
    breaker: int = -100


WEIGHTS: Final = Weights()
FEW: Final = 2
"""From so few cards in the next hand on, an attack is worth more."""

_SUPER: Final = OF_FACE[SUPER_TAKI]
_CHANGE: Final = OF_FACE[CHANGE_COLOR]
_KINGS: Final = OF_FACE[KING]
_BREAKERS: Final = OF_FACE[BREAKER]
_PLUSES: Final = OF_FACE[PLUS]
_TAKIS: Final = OF_FACE[TAKI]
_TWOS: Final = OF_FACE[PLUS_TWO]
_THREES: Final = OF_FACE[PLUS_THREE]
_IN_VAIN: Final = _PLUSES | _BREAKERS
"""Cards that do not win when laid last."""


def first(hand: int) -> int:
    """The lowest copy of a hand that is not empty."""
    return (hand & -hand).bit_length() - 1


def habit(world: World, weights: Weights = WEIGHTS) -> int:
    """The act of the seat on turn, no window being open."""
    hand = world.hands[world.turn]
    if world.owe:
        return _on_stack(world, hand, weights)
    if world.run >= 0:
        return _in_run(world, hand, weights)
    return _on_turn(world, hand, weights)


def answer(world: World, seat: int) -> int:
    """The answer of an asked seat (section 7): a Breaker, the next seat's King, or ACCEPT."""
    hand = world.hands[seat]
    if hand & _BREAKERS:
        return first(hand & _BREAKERS)
    if hand & _KINGS and _king_helps(world, seat):
        return first(hand & _KINGS)
    return ACCEPT


def _king_helps(world: World, seat: int) -> bool:
    """It may be laid (W4), and the +3 does not win anyway (W7)."""
    return world.terms.king_answers and world.hands[world.plus3] != 0 and world.after(world.plus3) == seat


def color_counts(hand: int) -> list[int]:
    """How many cards of each colour the hand holds."""
    red, green, blue, yellow = OF_COLOR
    return [
        (hand & red).bit_count(),
        (hand & green).bit_count(),
        (hand & blue).bit_count(),
        (hand & yellow).bit_count(),
    ]


def _on_stack(world: World, hand: int, weights: Weights) -> int:
    twos = hand & _TWOS
    count = hand.bit_count()
    kings = hand & _KINGS
    if kings and count == 2 and not hand & _IN_VAIN:
        return first(kings)
    if world.terms.on_stack and hand & _THREES:
        return first(hand & _THREES)
    if twos:
        if twos & (twos - 1):
            counts = color_counts(hand)
            best, most = first(twos), -1
            while twos:
                bit = first(twos)
                twos &= twos - 1
                if counts[COLOR_OF[bit]] > most:
                    best, most = bit, counts[COLOR_OF[bit]]
            return best
        return first(twos)
    if kings and (world.owe >= weights.king_stack or count <= 3):
        return first(kings)
    return DRAW


def _in_run(world: World, hand: int, weights: Weights) -> int:
    mine = hand & OF_COLOR[world.run]
    rest = hand ^ mine
    changes = rest & _CHANGE
    finishing = not changes or (not changes & (changes - 1) and world.terms.change_color_in_run)
    if finishing and not rest & ~(_SUPER | _CHANGE):
        return _run_out(world, mine, rest)
    open_top = world.terms.open_taki and FACE_OF[world.pile[-1]] in (TAKI, SUPER_TAKI)
    if mine:
        if not mine & (mine - 1):
            face = FACE_OF[first(mine)]
            useless = face == TAKI or (face == PLUS and not rest & COLORLESS)
            if useless and world.terms.open_taki and not (open_top or world.terms.taki_all):
                return CLOSE
            return first(mine)
        last = _best_last(world, mine, rest, weights)
        mine ^= ONE[last]
        takis = mine & (_TAKIS | _PLUSES)
        return first(takis or mine)
    return END if open_top else CLOSE


def _run_out(world: World, mine: int, rest: int) -> int:
    """The whole hand can be laid in the run: the Plus first, Change Color last."""
    if mine:
        pluses = mine & _PLUSES
        if pluses:
            return first(pluses)
        return first(mine)
    supers = rest & _SUPER
    return first(supers) if supers else first(rest) + named(0)


def _best_last(world: World, mine: int, rest: int, weights: Weights) -> int:
    best, most = first(mine), -1_000_000
    duel = world.duel
    left = mine
    while left:
        low = left & -left
        left ^= low
        bit = low.bit_length() - 1
        face = FACE_OF[bit]
        follow = (rest & MATCHES[LEAD_OF[bit]]).bit_count()
        score = weights.last_followers * follow
        if face < STOP:
            pass
        elif face == PLUS_TWO:
            score += weights.last_two
        elif face == STOP:
            score += weights.last_stop_duel if duel else weights.last_stop
        elif face == CHANGE_DIRECTION:
            score += weights.last_direction
        elif face == PLUS:
            score += weights.last_plus if follow or rest & COLORLESS & ~_BREAKERS else weights.last_plus_vain
        else:
            score += weights.last_taki
        if score > most:
            best, most = bit, score
    return best


def _on_turn(world: World, hand: int, weights: Weights) -> int:  # noqa: C901  # the hot path (tests/bench)
    lead = ANY if world.again == AGAIN_KING else world.lead
    playable = hand & MATCHES[lead]
    count = hand.bit_count()
    colorless = hand & COLORLESS & ~_BREAKERS
    breakers = hand & _BREAKERS
    if not playable and not colorless:
        if breakers:
            return first(breakers)
        return END if world.again == AGAIN_KING else DRAW
    counts = color_counts(hand)
    duel = world.duel
    opponent = world.hands[world.after(world.turn)].bit_count()
    attack = weights.attack if opponent <= FEW else 0
    best, most = NOBODY, -1_000_000
    # a run may also lay any Super TAKI, and one Change Color last
    extra = (hand & _SUPER).bit_count() + (1 if hand & _CHANGE and world.terms.change_color_in_run else 0)
    previous = NOBODY
    left = playable
    while left:
        low = left & -left
        left ^= low
        bit = low.bit_length() - 1
        if bit >> 1 == previous:
            continue
        previous = bit >> 1
        face, color = FACE_OF[bit], COLOR_OF[bit]
        further = counts[color] - 1
        if face == TAKI or color == world.taki:
            if further + 1 + extra >= count and (count > 1 or face != PLUS):
                return bit
            if further:
                score = weights.run + weights.run_each * further
            else:
                score = weights.taki_alone if face == TAKI else weights.run
        elif count == 1:
            if face != PLUS or world.terms.plus_finishes:
                return bit
            score = HARMS
        else:
            followers = (hand & MATCHES[LEAD_OF[bit]]).bit_count() - 1
            score = weights.followers * followers + weights.color * further
            if face < STOP:
                pass
            elif face == PLUS_TWO:
                score += weights.plus_two + attack
            elif face == STOP:
                if duel:
                    score += weights.stop_duel if followers or colorless else weights.stop_duel_vain
                else:
                    score += weights.stop
                score += attack
            elif face == CHANGE_DIRECTION:
                score += weights.direction
                if attack and not duel:
                    score += attack
            else:
                score += weights.plus if followers or colorless else weights.plus_vain
        if score > most:
            best, most = bit, score
    if colorless:
        action, score = _colorless(world, hand, colorless, count, counts, lead, opponent, weights)
        if score > most:
            best, most = action, score
    if breakers and weights.breaker > most:
        return first(breakers)
    if most <= HARMS and (world.again == AGAIN_KING or world.terms.voluntary_draw):
        return END if world.again == AGAIN_KING else DRAW
    return best


def _colorless(  # noqa: C901  # part of the hot path
    world: World,
    hand: int,
    colorless: int,
    count: int,
    counts: list[int],
    lead: int,
    opponent: int,
    weights: Weights,
) -> tuple[int, int]:
    """The best colourless play and its points."""
    best, most = NOBODY, -1_000_000
    favourite = counts.index(max(counts))
    change = hand & _CHANGE
    finisher = 1 if change and world.terms.change_color_in_run else 0
    supers = hand & _SUPER
    if supers:
        color = world.taki if world.taki >= 0 else LEAD_COLOR[lead]
        name = world.terms.choose_super or color < 0
        if name:
            color = favourite
        further = counts[color]
        action = first(supers) + (named(color) if name else 0)
        if further + supers.bit_count() + finisher >= count:
            return action, WINS
        most = weights.super_taki + weights.super_each * further if further else weights.super_alone
        best = action
    kings = hand & _KINGS
    if kings:
        score = weights.king
        if count == 1 or (count == 2 and not hand & _IN_VAIN):
            return first(kings), WINS
        if world.again != AGAIN_KING:
            for color in range(4):
                held = counts[color]
                if held + finisher + supers.bit_count() + 1 >= count and (supers or hand & _TAKIS & OF_COLOR[color]):
                    return first(kings), WINS
        if count <= 3:
            score += weights.king_small
        if score > most:
            best, most = first(kings), score
    threes = hand & _THREES
    if threes:
        if count == 1:
            return first(threes), WINS
        score = weights.plus_three + (weights.plus_three_attack if opponent <= FEW else 0)
        if score > most:
            best, most = first(threes), score
    if change:
        score = weights.change + weights.change_each * counts[favourite]
        if count == 1:
            score = WINS
        if score > most:
            best, most = first(change) + named(favourite), score
    return best, most


def play_out(world: World, acts: int, weights: Weights = WEIGHTS) -> None:
    """Everybody plays by habit until somebody wins, at most so many acts."""
    for _ in range(acts):
        if world.winner >= 0:
            return
        if world.plus3 >= 0:
            seat = world.asked[0]
            world.answer(seat, answer(world, seat))
        else:
            world.step(habit(world, weights))
