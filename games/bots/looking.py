"""From a seat's view to worlds: what is known is copied, what is hidden is dealt from the cards not seen."""

from __future__ import annotations

from typing import Final

from games.bots.copies import CARD_OF, FIRST_BIT, ONE, bits_of, deck_bits, mask, number_of_color, number_of_lead
from games.bots.world import (
    ACCEPT,
    AGAIN_KING,
    AGAIN_PLUS,
    BIT,
    CLOSE,
    DRAW,
    END,
    NOBODY,
    NONE,
    Terms,
    World,
    color_named,
    named,
)
from games.rules import commands
from games.rules.cards import Color, Seat
from games.rules.commands import Command, Play
from games.rules.ruleset import KingLead, Ruleset, SuperTakiColor, TwoPlayerDirection
from games.rules.state import Again, State, seats_in
from games.rules.views import View

_AGAIN: Final = {None: NONE, Again.PLUS: AGAIN_PLUS, Again.KING: AGAIN_KING}
_ACTS: Final[dict[Command, int]] = {
    commands.DRAW: DRAW,
    commands.CLOSE: CLOSE,
    commands.END: END,
    commands.ACCEPT: ACCEPT,
}
_COMMANDS: Final = {act: command for command, act in _ACTS.items()}
_COLORS: Final = tuple(Color)


def terms_of(rules: Ruleset) -> Terms:
    """The house rules as a world plays them."""
    terms = Terms()
    terms.ladder = rules.ladder
    terms.plus_finishes = rules.plus_finishes
    terms.open_taki = rules.open_taki
    terms.direction_skips = rules.two_player_direction is TwoPlayerDirection.SKIP
    terms.king_under = rules.king_lead is KingLead.UNDER
    terms.choose_super = rules.super_taki_color is SuperTakiColor.CHOOSE
    terms.breaker_stops_win = rules.breaker_stops_win
    terms.king_answers = rules.king_on_plus_three
    terms.taki_all = rules.taki_all
    terms.change_color_in_run = rules.change_color_in_run
    terms.on_stack = rules.plus_three_on_stack
    terms.voluntary_draw = rules.voluntary_draw
    return terms


def world_of(view: View) -> World:
    """What the view shows, as a world whose hidden hands are still empty and whose pool holds all unseen cards."""
    state, seat = view.state, seat_of(view)
    world = World(terms_of(state.rules), state.seats)
    world.pool, own, world.pile = _apart(state, seat)
    world.hands[seat] = mask(own)
    world.lead = number_of_lead(state.lead)
    world.duel = seats_in(state) == 2
    world.turn, world.direction, world.owe = state.turn, state.direction, state.owe
    world.taki, world.run = number_of_color(state.taki), number_of_color(state.run)
    world.again = _AGAIN[state.again]
    world.stages = [0 if place in state.left else stage for place, stage in enumerate(state.stages)]
    world.plus3 = NOBODY if state.plus3 is None else state.plus3
    return world


def seat_of(view: View) -> Seat:
    """Whose view it is. ValueError for a spectator, who does not play."""
    if view.viewer is None:
        raise ValueError("a spectator does not play")
    return view.viewer


def _apart(state: State, seat: Seat) -> tuple[list[int], list[int], list[int]]:
    """Distinct copies: of the cards nobody has shown, of the own hand, and of the discard pile, its top last."""
    hand = state.hands[seat]
    seen = bits_of((*hand, *state.pile))
    taken = mask(seen)
    unseen = [bit for bit in deck_bits(state.rules.deck) if not ONE[bit] & taken]
    return unseen, seen[: len(hand)], seen[len(hand) :][::-1]


def deal(world: World, view: View) -> None:
    """Give every hidden hand cards of the pool, as many as it holds, by the world's chance."""
    for seat, hand in enumerate(view.state.hands):
        if seat != view.viewer and hand:
            world.take(seat, len(hand))


def act_of(command: Command) -> int:
    """The command as a world knows it."""
    if not isinstance(command, Play):
        return _ACTS[command]
    return FIRST_BIT[command.card] + (named(number_of_color(command.color)) if command.color else 0)


def command_of(act: int) -> Command:
    """The act as the engine knows it."""
    if DRAW <= act <= BIT:
        return _COMMANDS[act]
    color = color_named(act)
    return Play(CARD_OF[act & BIT], _COLORS[color] if color >= 0 else None)
