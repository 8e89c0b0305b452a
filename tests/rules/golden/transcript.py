"""A recorded game as readable text: each command, what happened, what everybody sees and may do.

    rules mode=ladder
    setup seats=3 first=1 seed=…
    1: play R5
    ! CardPlayed {"card":"R5","lead":"R5","seat":1}
        = hands=?x2/?x2/? draw=?x89 pile=R5 turn=2
        0 R7,ST | leave
        1 locked G3 | last, leave

``!`` is an event, ``=`` the spectator's view as a position (``?x4``: four hidden cards), then a line a seat: its view
where it differs from the spectator's (its hand, ``locked``, ``answers``), and its legal commands.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Final

from games.rules.cards import Seat
from games.rules.codec import encode
from games.rules.commands import Command
from games.rules.decide import advance
from games.rules.events import Event
from games.rules.evolve import replay
from games.rules.legal import legal_commands
from games.rules.notation import format_cards, format_command, format_position, parse_command
from games.rules.state import State
from games.rules.views import view_for
from tests.rules.laws.random_games import Table

HIDDEN_CARDS: Final = re.compile(r"\?(,\?)+")
Act = tuple[Seat | None, tuple[Command, ...]]


def transcript(table: Table, acts: Iterable[Act]) -> Iterator[str]:
    """The lines of the game, from its house rules to the last command."""
    words = [f"{name}={str(value).lower()}" for name, value in table.rules.chosen().items()]
    yield " ".join(["rules", *words])
    yield f"setup seats={table.seats} first={table.first} seed={table.seed.hex()}"
    opening = table.opening()
    state = replay(opening, seed=table.seed)
    yield from _outcome(opening, state)
    for seat, commands in acts:
        yield f"{'*' if seat is None else seat}: {format_command(commands)}"
        events, state = advance(state, seat, commands)
        yield from _outcome(events, state)


def _outcome(events: Iterable[Event], state: State) -> Iterator[str]:
    for event in events:
        name, _, data = encode(event)
        yield f"    ! {name} {json.dumps(data, sort_keys=True, separators=(',', ':'))}"
    yield f"    = {HIDDEN_CARDS.sub(_counted, format_position(view_for(state, None).state))}"
    for number in range(state.seats):
        yield f"    {_seat_line(state, Seat(number))}"


def _counted(hidden: re.Match[str]) -> str:
    return f"?x{len(hidden[0].split(','))}"


def _seat_line(state: State, seat: Seat) -> str:
    view = view_for(state, seat).state
    marks = [name for name, seats in (("locked", view.locked), ("answers", view.answer)) if seats]
    legal = ", ".join(format_command((command,)) for command in legal_commands(view, seat))
    return " ".join([str(seat), *marks, format_cards(view.hands[seat]), "|", legal]).rstrip()


def parse_acts(lines: Iterable[str]) -> Iterator[Act]:
    """The commands of a transcript, in order."""
    for line in lines:
        who, colon, text = line.partition(": ")
        if colon and not line.startswith(" "):
            yield (None if who == "*" else Seat(int(who))), parse_command(text)
