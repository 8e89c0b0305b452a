"""The fast model that searches play in steps as the engine does."""

import random

import pytest

from games.bots.copies import BITS, CARD_OF, bits_of, mask, number_of_color, number_of_lead
from games.bots.looking import act_of, command_of, world_of
from games.bots.world import NOBODY, World
from games.rules.cards import Card
from games.rules.commands import ALL_COMMANDS, LAST, LEAVE, STOP, TIMEOUT, Command
from games.rules.decide import advance
from games.rules.legal import legal_commands
from games.rules.state import State, turn_order
from games.rules.views import View
from tests.bots.tables import awaited, dealt, random_rules


def exact(state: State) -> World:
    """The world that is this position, every card in its place."""
    seat = awaited(state)
    world = world_of(View(seat, state))
    order = [
        *range(seat, state.seats),
        *range(seat),
    ]  # the copies of this seat's hand come first, as its acts name them
    bits = bits_of([*(card for place in order for card in state.hands[place]), *state.pile, *state.draw])
    for place in order:
        held = len(state.hands[place])
        world.hands[place], bits = mask(bits[:held]), bits[held:]
    world.pile, world.pool = bits[: len(state.pile)][::-1], bits[len(state.pile) :]
    if state.plus3 is not None:
        world.asked = [other for other in turn_order(state, state.plus3) if other in state.answer]
    return world


def told(world: World) -> dict[str, object]:
    """What the world says of itself, but for which cards were drawn."""
    return {
        "turn": world.turn,
        "direction": world.direction,
        "owe": world.owe,
        "lead": world.lead,
        "taki": world.taki,
        "run": world.run,
        "again": world.again,
        "plus3": world.plus3,
        "asked": sorted(world.asked) if world.plus3 != NOBODY else [],
        "stages": world.stages,
        "hands": [hand.bit_count() for hand in world.hands],
        "pool": len(world.pool),
        "pile": [CARD_OF[bit] for bit in world.pile],
    }


def copies_of(world: World) -> list[int]:
    """Every copy in the world, as often as it is there."""
    return sorted([*world.pool, *world.pile, *(bit for hand in world.hands for bit in range(BITS) if hand >> bit & 1)])


def step(world: World, seat: int, command: Command) -> None:
    if world.plus3 != NOBODY:
        world.answer(seat, act_of(command))
    else:
        world.step(act_of(command))


@pytest.mark.parametrize("seats", [2, 3, 4, 7, 10])
@pytest.mark.parametrize("mode", ["single", "ladder"])
def test_every_act_has_the_outcome_that_the_engine_gives_it(seats: int, mode: str) -> None:
    """Random games under random house rules, each position compared after each command."""
    chance = random.Random(f"{seats} {mode}")
    compared = 0
    for number in range(12):
        state = dealt(number, seats, random_rules(chance, mode=mode, last_card="off"))
        for _ in range(400):
            seat = awaited(state)
            command = chance.choice([each for each in legal_commands(state, seat) if each != LEAVE])
            world = exact(state)
            before = copies_of(world)
            step(world, seat, command)
            _, after = advance(state, seat, (command,))
            assert copies_of(world) == before
            if after.over:
                assert world.winner == (NOBODY if after.winner is None else after.winner), (str(state), command)
                break
            assert told(world) == told(exact(after)), (str(state), command)
            state, compared = after, compared + 1
    assert compared > 300


def test_a_world_and_the_engine_name_every_command_alike() -> None:
    """There and back."""
    for command in set(ALL_COMMANDS) - {LAST, LEAVE, TIMEOUT, STOP}:
        assert command_of(act_of(command)) == command


def test_leads_and_colours_have_numbers_of_their_own() -> None:
    """What a lead is followed by is what the engine says."""
    from games.bots.copies import MATCHES
    from games.rules.cards import LEADS

    assert number_of_color(None) == -1
    for lead in LEADS:
        cards: set[Card] = {CARD_OF[bit] for bit in range(BITS) if MATCHES[number_of_lead(lead)] >> bit & 1}
        assert cards == lead.matches
