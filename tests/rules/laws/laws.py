"""The laws of the engine, each as a check of one step of a game. The number is the law's in docs/architecture.md."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Final

from games.rules.cards import CARDS, Card, Color, Lead, Seat, in_canonical_order
from games.rules.codec import decode, encode
from games.rules.commands import ALL_COMMANDS, COMMAND_ID, Command, Play, Stop, Timeout
from games.rules.decide import advance
from games.rules.events import Event
from games.rules.evolve import evolve
from games.rules.legal import grey_cards, legal_commands, legal_mask, may_act, refusal
from games.rules.notation import format_position, parse_position
from games.rules.refusals import Refused
from games.rules.ruleset import deck_cards
from games.rules.state import State
from games.rules.views import evolve_view, redact, view_for
from tests.rules.laws.random_games import Step

Law = Callable[[Step, random.Random], None]
SEAT_COMMANDS: Final = tuple(command for command in ALL_COMMANDS if not isinstance(command, Timeout | Stop))


def viewers(state: State) -> list[Seat | None]:
    return [None, *(Seat(seat) for seat in range(state.seats))]


def cards_are_conserved(step: Step, chance: random.Random) -> None:
    """Law 1."""
    held = [card for hand in step.after.hands for card in hand]
    assert in_canonical_order([*held, *step.after.draw, *step.after.pile]) == deck_cards(step.after.rules.deck)


def events_lead_to_the_state(step: Step, chance: random.Random) -> None:
    """Law 2, one step of it: what ``advance`` gives as state is the fold of what it gives as events."""
    state = step.before
    for event in step.events:
        state = evolve(state, event)
    assert state == step.after


def accepted_iff_legal(step: Step, chance: random.Random) -> None:
    """Law 3, for every seat and every command that there is; and ids and mask say the same."""
    for seat in range(step.after.seats):
        legal = legal_commands(step.after, Seat(seat))
        assert len(set(legal)) == len(legal)
        for command in SEAT_COMMANDS:
            assert (command in legal) == (refusal(step.after, Seat(seat), command) is None), (seat, command)
        mask = legal_mask(step.after, Seat(seat))
        assert [number for number, allowed in enumerate(mask) if allowed] == sorted(map(COMMAND_ID.__getitem__, legal))


def who_must_act_can(step: Step, chance: random.Random) -> None:
    """Law 4: exactly those whose act is awaited may act; and the turns never exceed their most."""
    state = step.after
    awaited = set() if state.over else {state.turn} if state.plus3 is None else set(state.answer)
    assert {seat for seat in range(state.seats) if may_act(state, Seat(seat))} == awaited
    assert state.over or awaited
    assert state.turns < state.rules.max_turns or state.over


def the_square_commutes(step: Step, chance: random.Random) -> None:
    """Law 6: the view of the next state is the next view of the redacted event."""
    for viewer in viewers(step.before):
        state, view = step.before, view_for(step.before, viewer)
        for event in step.events:
            state = evolve(state, event)
            view = evolve_view(view, redact(event, viewer))
            assert view == view_for(state, viewer), (viewer, event)


def stored_events_come_back(step: Step, chance: random.Random) -> None:
    """Law 7, and that canonical JSON has one form: whole numbers and ASCII texts are the only leaves."""
    for event in step.events:
        name, schema, data = encode(event)
        _only_numbers_and_ascii(data)
        assert decode(name, schema, json.loads(json.dumps(data))) == event


def _only_numbers_and_ascii(data: object) -> None:
    if isinstance(data, dict):
        for key, value in data.items():
            _only_numbers_and_ascii(key)
            _only_numbers_and_ascii(value)
    elif isinstance(data, list):
        for value in data:
            _only_numbers_and_ascii(value)
    else:
        assert type(data) is int or (isinstance(data, str) and data.isascii()), data


def positions_come_back(step: Step, chance: random.Random) -> None:
    """Section 15: parsing, then formatting, gives the line back."""
    line = format_position(step.after)
    again = parse_position(line, step.after.rules)
    assert format_position(again) == line
    assert again == step.after._replace(left=tuple(sorted(step.after.left)))


def nothing_leaks(step: Step, chance: random.Random) -> None:
    """Law 8: other cards in the places that a viewer cannot see change nothing that the viewer is sent."""
    viewer = chance.choice(viewers(step.before))
    other = _other_hidden_cards(step.before, viewer, chance)
    assert view_for(other, viewer) == view_for(step.before, viewer)
    if viewer is not None:
        assert legal_commands(other, viewer) == legal_commands(step.before, viewer)
        assert _reasons(other, viewer) == _reasons(step.before, viewer)
    assert [may_act(other, Seat(seat)) for seat in range(other.seats)] == [
        may_act(step.before, Seat(seat)) for seat in range(other.seats)
    ]
    try:
        events = advance(other, step.seat, (step.command,), within_grace=step.within_grace).events
    except Refused:
        assert step.seat not in (None, viewer)  # whoever acts without the card does so by what only it sees
        return
    assert [redact(event, None) for event in events] == [redact(event, None) for event in step.events]


def _reasons(state: State, seat: Seat) -> list[str]:
    refused = [refusal(state, seat, command) for command in SEAT_COMMANDS]
    return [*map(str, refused), *(f"{card} {reason}" for card, reason in grey_cards(state, seat))]


def _other_hidden_cards(state: State, viewer: Seat | None, chance: random.Random) -> State:
    others = [seat for seat in range(state.seats) if seat != viewer]
    hidden = [card for seat in others for card in state.hands[seat]] + list(state.draw)
    chance.shuffle(hidden)
    hands = list(state.hands)
    for seat in others:
        count = len(hands[seat])
        hands[seat], hidden = in_canonical_order(hidden[:count]), hidden[count:]
    return state._replace(hands=tuple(hands), draw=tuple(hidden))


def colors_are_equal(step: Step, chance: random.Random) -> None:
    """Law 9: relabelling the four colours relabels the legal commands."""
    colors = list(Color)
    chance.shuffle(colors)
    names = dict(zip(Color, colors, strict=True))
    relabelled = _relabel(step.after, names)
    for seat in range(step.after.seats):
        legal = legal_commands(step.after, Seat(seat))
        assert set(legal_commands(relabelled, Seat(seat))) == {_relabel_command(command, names) for command in legal}


def _relabel(state: State, names: dict[Color, Color]) -> State:
    def cards(of: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(_relabel_card(card, names) for card in of)

    return state._replace(
        hands=tuple(in_canonical_order(cards(hand)) for hand in state.hands),
        draw=cards(state.draw),
        pile=cards(state.pile),
        lead=Lead.of(names[state.lead.color], state.lead.face) if state.lead.color else state.lead,
        taki=names[state.taki] if state.taki else None,
        run=names[state.run] if state.run else None,
    )


def _relabel_card(card: Card, names: dict[Color, Color]) -> Card:
    if card.color is None:
        return card
    return next(other for other in CARDS if other.color is names[card.color] and other.face is card.face)


def _relabel_command(command: Command, names: dict[Color, Color]) -> Command:
    if not isinstance(command, Play):
        return command
    return Play(_relabel_card(command.card, names), names[command.color] if command.color else None)


def fingerprint(events: list[Event]) -> str:
    """A log as one text, to compare it between processes (law 10)."""
    return json.dumps([encode(event) for event in events], sort_keys=True)


LAWS: Final[tuple[Law, ...]] = (
    cards_are_conserved,
    events_lead_to_the_state,
    accepted_iff_legal,
    who_must_act_can,
    the_square_commutes,
    stored_events_come_back,
    positions_come_back,
    nothing_leaks,
    colors_are_equal,
)
"""Each is checked of one step. Laws 5 and 10 need more than one: see test_laws."""
COSTLY: Final = frozenset({accepted_iff_legal, nothing_leaks, colors_are_equal, the_square_commutes})
"""Those that try every seat, command or viewer."""
