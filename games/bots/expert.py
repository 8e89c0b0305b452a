"""The bot that searches: it deals the unseen cards in many ways, and in each tries every act that it may do.

All acts are tried in the same worlds, everybody going on by habit for a while, and the game is then judged; by rounds
the worse half of the acts is dropped. A world's cards are those that the seat has not seen: that is how it counts
cards. The budget is a number of games played on; how long that takes is measured (tests/bench/results.md, Bots) and
never asked.
"""

from __future__ import annotations

import hashlib
from typing import Final

from games.bots.copies import COLORS, NO_COLOR, OF_COLOR
from games.bots.habit import habit, play_out
from games.bots.judging import at_rest, chance_to_win, points_for
from games.bots.looking import act_of, command_of, deal, seat_of, world_of
from games.bots.policy import serious
from games.bots.world import BIT, NOBODY, World, color_named
from games.rules.commands import LAST, Command
from games.rules.views import View

PLAYOUTS: Final = 3_000
"""Games played on for one choice."""
ANSWER_PLAYOUTS: Final = 200
"""So few in a +3 window, and as many for a seat that has no choice: the time of an answer tells nothing (W8)."""
ACTS: Final = 24
"""How far a game is played on before it is judged; and then on until nothing is half done, at most MOST_ACTS."""
MOST_ACTS: Final = 60
SETTLED_RUN: Final = 3
"""With so many cards of the run's colour in hand the next one is laid without a search."""


def choose(view: View, legal: tuple[Command, ...], seed: bytes, *, playouts: int = PLAYOUTS) -> Command:
    """The act that wins most of the games played out; the seed's 32 bytes deal their worlds."""
    options = serious(legal)
    answers = view.state.plus3 is not None and LAST not in options
    if len(options) == 1 and not answers:
        return options[0]
    world = world_of(view)
    commands = {act_of(command): command for command in options}
    if answers:
        return commands[Search(view, world, seed).best(list(commands), min(playouts, ANSWER_PLAYOUTS))]
    if _settled(world, seat_of(view)) and (command := command_of(habit(world))) in options:
        return command
    acts = _worth_trying(tuple(commands), world.hands[seat_of(view)])
    return commands[Search(view, world, seed).best(acts, playouts)]


def _settled(world: World, seat: int) -> bool:
    """Early in a run any card of it is laid: what matters is where it ends."""
    return world.run != NO_COLOR and (world.hands[seat] & OF_COLOR[world.run]).bit_count() >= SETTLED_RUN


def _worth_trying(acts: tuple[int, ...], hand: int) -> list[int]:
    """Colours are named that the hand holds, if it holds any."""
    held = [color for color in range(COLORS) if hand & OF_COLOR[color]] or range(COLORS)
    return [act for act in acts if act <= BIT or color_named(act) in held]


class Search:
    """The worlds of one choice."""

    def __init__(self, view: View, world: World, seed: bytes) -> None:
        self._view = view
        self._world = world
        self._seat = seat_of(view)
        self._points = points_for(world)
        self._chance = int.from_bytes(hashlib.sha256(b"worlds" + seed).digest()[:8], "big")

    def best(self, acts: list[int], playouts: int) -> int:
        """Halve the acts until one is left."""
        rounds = max(1, (len(acts) - 1).bit_length())
        gained = dict.fromkeys(acts, 0.0)
        for _ in range(rounds):
            for _ in range(max(1, playouts // (rounds * len(acts)))):
                world = self._dealt()
                for act in acts:
                    gained[act] += self.gain(world.copy(), act)
            acts = sorted(acts, key=lambda act: -gained[act])[: (len(acts) + 1) // 2]
        return acts[0]

    def _dealt(self) -> World:
        world = self._world.copy()
        self._chance = (self._chance * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        world.chance = self._chance ^ (self._chance >> 29)
        deal(world, self._view)
        if world.plus3 != NOBODY:
            world.asked = [seat for seat in world.in_turn_order(world.plus3) if seat not in (world.plus3, self._seat)]
            world.asked.append(self._seat)  # it may hold nothing, and wait for cards (G4)
        return world

    def gain(self, world: World, act: int) -> float:
        """How good the world is for the seat after its act and a game played out: 1 won, 0 lost."""
        if world.plus3 != NOBODY:
            world.answer(self._seat, act)
        else:
            world.step(act)
        play_out(world, ACTS)
        for _ in range(ACTS, MOST_ACTS):
            if world.winner != NOBODY or at_rest(world):
                break
            play_out(world, 1)
        if world.winner != NOBODY:
            return 1.0 if world.winner == self._seat else 0.0
        return chance_to_win(world, self._seat, self._points)
