"""A world that a search plays out: every card known, changed in place, its chance a number of its own.

It is a fast model of the rules (some twelve times as fast as the engine, tests/bench), not an authority: legal
commands and games come from `games.rules` alone, and tests compare the two step by step. Left out, because it
changes no choice worth making: "last card" (bots always say it), locked Breakers, stalls, leaving.
"""

from __future__ import annotations

from typing import Final

from games.bots.copies import (
    ANY,
    BREAKER,
    CHANGE_COLOR,
    CHANGE_DIRECTION,
    COLOR_OF,
    FACE_OF,
    FACES,
    KING,
    LEAD_COLOR,
    LEAD_OF,
    NO_COLOR,
    ONE,
    PLUS,
    PLUS_THREE,
    PLUS_TWO,
    STOP,
    SUPER_TAKI,
    TAKI,
    lead_number,
)

DRAW, CLOSE, END, ACCEPT = range(120, 124)
"""Acts that lay no card. A play is its copy's bit, and a named colour is added to it as ``named(color)``."""
BIT: Final = 127
COLOR_SHIFT: Final = 7

NONE, AGAIN_PLUS, AGAIN_KING = range(3)
NOBODY: Final = -1


def named(color: int) -> int:
    """What to add to a copy's bit when its player names a colour."""
    return (color + 1) << COLOR_SHIFT


def color_named(act: int) -> int:
    """The colour named with a play, NO_COLOR if none is."""
    return (act >> COLOR_SHIFT) - 1


class Terms:
    """The house rules that a world plays by."""

    __slots__ = (
        "breaker_stops_win",
        "change_color_in_run",
        "choose_super",
        "direction_skips",
        "king_answers",
        "king_under",
        "ladder",
        "on_stack",
        "open_taki",
        "plus_finishes",
        "taki_all",
        "voluntary_draw",
    )

    def __init__(self) -> None:
        self.ladder = False
        self.plus_finishes = False
        self.open_taki = True
        self.direction_skips = False
        self.king_under = False
        self.choose_super = False
        self.breaker_stops_win = False
        self.king_answers = True
        self.taki_all = False
        self.change_color_in_run = True
        self.on_stack = False
        self.voluntary_draw = False


class World:
    """Mutable. ``hands`` are sums of bits; ``pool`` is the draw pile without an order: a draw takes any of it.

    ``pile`` has its top last. ``taki`` and ``run`` are colours, NO_COLOR for none; ``stages`` is empty in single
    mode; ``plus3`` is the seat whose +3 is open and ``asked`` those who have not answered, in turn order.
    ``winner`` is NOBODY while the game runs, ``duel`` says that two seats are still in.
    """

    __slots__ = (
        "again",
        "asked",
        "chance",
        "direction",
        "duel",
        "hands",
        "lead",
        "owe",
        "pile",
        "plus3",
        "pool",
        "run",
        "seats",
        "stages",
        "taki",
        "terms",
        "turn",
        "winner",
    )

    def __init__(self, terms: Terms, seats: int) -> None:
        self.terms = terms
        self.seats = seats
        self.duel = seats == 2
        self.hands = [0] * seats
        self.pool: list[int] = []
        self.pile: list[int] = []
        self.lead = ANY
        self.turn = 0
        self.direction = 1
        self.owe = 0
        self.taki = NO_COLOR
        self.run = NO_COLOR
        self.again = NONE
        self.stages: list[int] = []
        self.plus3 = NOBODY
        self.asked: list[int] = []
        self.winner = NOBODY
        self.chance = 1

    def copy(self) -> World:
        """A world of its own that goes on from here."""
        other = World.__new__(World)
        other.terms, other.seats, other.duel = self.terms, self.seats, self.duel
        other.hands, other.pool, other.pile = self.hands[:], self.pool[:], self.pile[:]
        other.lead, other.turn, other.direction, other.owe = self.lead, self.turn, self.direction, self.owe
        other.taki, other.run, other.again = self.taki, self.run, self.again
        other.stages, other.plus3, other.asked = self.stages[:], self.plus3, self.asked[:]
        other.winner, other.chance = self.winner, self.chance
        return other

    # ---- piles

    def take(self, seat: int, count: int) -> int:
        """The seat draws up to ``count`` cards (Z1); how many there were."""
        if len(self.pool) < count and len(self.pile) > 1:
            top = self.pile.pop()
            self.pool += self.pile
            self.pile = [top]
        pool, chance, hand = self.pool, self.chance, 0
        left = len(pool)
        count = min(count, left)
        for _ in range(count):
            chance = (chance * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
            place = (chance >> 32) * left >> 32
            left -= 1
            hand |= ONE[pool[place]]
            pool[place] = pool[left]
            pool.pop()
        self.chance = chance
        self.hands[seat] |= hand
        return count

    # ---- turns

    def after(self, seat: int) -> int:
        """Who comes on turn after the seat (T6)."""
        hands, seats, direction = self.hands, self.seats, self.direction
        following = seat
        for _ in range(seats - 1):
            following = (following + direction) % seats
            if hands[following]:
                return following
        return seat

    def pass_turn(self, owe: int = 0) -> None:
        self.turn = self.after(self.turn)
        self.owe = owe
        self.again = NONE

    def _skip(self) -> None:
        self.turn = self.after(self.turn)
        self.pass_turn()

    # ---- what a seat does

    def step(self, action: int) -> None:
        """One act of the seat on turn, no window being open."""
        if action < DRAW or action > BIT:
            self._play(action & BIT, color_named(action))
        elif action == DRAW:
            self.take(self.turn, self.owe or 1)
            self.pass_turn()
        elif action == CLOSE or (self.run >= 0 and not self.terms.open_taki):
            self.run = NO_COLOR
            self._act(FACE_OF[self.pile[-1]])
        else:
            if self.run >= 0:
                self.taki, self.run = self.run, NO_COLOR
            self.pass_turn()

    def _play(self, bit: int, color: int) -> None:
        seat, face = self.turn, FACE_OF[bit]
        self._lay(seat, bit)
        self.again = NONE
        if face < FACES:
            self.lead = LEAD_OF[bit]
            color = COLOR_OF[bit]
            if self.run < 0 and (face == TAKI or self.taki >= 0):
                self._touch(color, color == self.taki or face == TAKI)
        else:
            self._lay_colorless(face, color)
        if self.hands[seat]:
            if self.run < 0:
                self._act(face)
        else:
            self._emptied(seat, face)

    def _lay(self, seat: int, bit: int) -> None:
        self.hands[seat] ^= ONE[bit]
        self.pile.append(bit)
        if self.stages and 0 in self.hands:
            for waiting, hand in enumerate(self.hands):  # G4: the freed cards go to those who wait
                if not hand and waiting not in (seat, self.plus3) and self.stages[waiting]:
                    self.take(waiting, self.stages[waiting])

    def _touch(self, color: int, runs: bool) -> None:
        """A card of this colour outside a run: it starts or continues one, or ends an open TAKI (U7, U8)."""
        self.taki = NO_COLOR
        if runs:
            self.run = color

    def _lay_colorless(self, face: int, color: int) -> None:
        if face == SUPER_TAKI:
            self._lay_super_taki(color)
        elif face == CHANGE_COLOR:
            self.lead = lead_number(color)
            self.run = self.taki = NO_COLOR
        elif face == KING:
            if not self.terms.king_under:
                self.lead = ANY
            self.taki = NO_COLOR
        elif face == BREAKER:
            self.take(self.turn, 3)

    def _lay_super_taki(self, color: int) -> None:
        if color < 0:
            color = self.run if self.run >= 0 else self.taki if self.taki >= 0 else LEAD_COLOR[self.lead]
        self.lead = lead_number(color, TAKI)
        if self.run < 0:
            self._touch(color, runs=True)

    def last_stage(self, seat: int) -> bool:
        """An emptied hand wins."""
        return not self.stages or self.stages[seat] == 1

    def dry(self) -> bool:
        """Nothing can be drawn."""
        return not self.pool and len(self.pile) < 2

    def _emptied(self, seat: int, face: int) -> None:
        if self.last_stage(seat):
            if face == PLUS and not self.terms.plus_finishes and not self.dry():
                self.take(seat, 1)
                if self.run >= 0:
                    self.taki, self.run = (self.run if self.terms.open_taki else NO_COLOR), NO_COLOR
                self.pass_turn()
            elif face == PLUS_THREE and self.terms.breaker_stops_win and not self.dry():
                self._open_window()
            else:
                self.winner = seat
            return
        self.clear_stage(seat)
        if self.run < 0:
            self._act(face)

    def clear_stage(self, seat: int) -> None:
        """G2."""
        self.stages[seat] -= 1
        self.take(seat, self.stages[seat])

    def _act(self, face: int) -> None:
        """The effect of the card laid last (section 5)."""
        if face < STOP or face > PLUS_THREE:
            self.pass_turn()
        elif face == STOP:
            self._skip()
        elif face == PLUS_TWO:
            self.pass_turn(self.owe + 2)
        elif face == CHANGE_DIRECTION:
            self._turn_round()
        elif face == PLUS:
            self.again = AGAIN_PLUS
        elif face == KING:
            self.again, self.owe = AGAIN_KING, 0
        elif face == PLUS_THREE:
            self._open_window()
        else:
            self.pass_turn()

    def _turn_round(self) -> None:
        if self.terms.direction_skips and self.duel:
            self._skip()
        else:
            self.direction = -self.direction
            self.pass_turn()

    # ---- a window

    def _open_window(self) -> None:
        self.plus3 = self.turn
        self.asked = [seat for seat in self.in_turn_order(self.turn) if seat != self.turn]

    def in_turn_order(self, first: int) -> list[int]:
        """The seats that hold cards, from this one on."""
        around = ((first + self.direction * place) % self.seats for place in range(self.seats))
        return [seat for seat in around if self.hands[seat]]

    def answer(self, seat: int, action: int) -> None:
        """An asked seat's answer: ACCEPT, or the copy of a Breaker or King that it lays."""
        if action == ACCEPT:
            self.asked.remove(seat)
            if not self.asked:
                self._settle()
            return
        owner = self.plus3
        won = not self.hands[owner]
        self._lay(seat, action)
        self.plus3 = NOBODY
        if FACE_OF[action] == BREAKER:
            self.take(owner, 3)
            self._win_or_clear(seat)
            self.pass_turn(self.owe)
        elif won:
            self.winner = owner
        else:
            self._cancel(seat)

    def _cancel(self, seat: int) -> None:
        """W4: the next seat's King."""
        self.turn, self.owe = seat, 0
        self._lay_colorless(KING, NO_COLOR)
        self._win_or_clear(seat)
        self.again = AGAIN_KING

    def _win_or_clear(self, seat: int) -> None:
        if not self.hands[seat]:
            if self.last_stage(seat):
                self.winner = seat
            else:
                self.clear_stage(seat)

    def _settle(self) -> None:
        owner, self.plus3 = self.plus3, NOBODY
        if not self.hands[owner]:
            self.winner = owner
            return
        for seat in self.in_turn_order(owner):
            if seat != owner:
                self.take(seat, 3)
        self.pass_turn(self.owe)
