# ruff: noqa: E501  # an event is one line
"""What one command tells, event by event, as docs/events.md says; and what of an event others may know."""

from __future__ import annotations

import json
from typing import Final

import pytest

from games.rules.cards import Card, Lead, Seat
from games.rules.cases import parse_rules
from games.rules.codec import encode
from games.rules.decide import advance
from games.rules.events import (
    CardPlayed,
    CardsDealt,
    CardsDrawn,
    DrawReason,
    Event,
    PileReshuffled,
    SeatLeft,
    WindowAccepted,
    WindowOpened,
)
from games.rules.notation import parse_cards, parse_command, parse_position
from games.rules.state import State
from games.rules.views import redact, view_for

TOLD: Final = (
    (
        "the +3's player leaves, with a stack under it",
        "plus_three_on_stack=true",
        "hands=+3,G1,G3/B1,B3/R3,R4 pile=R+2 owe=2 draw=Y1",
        (
            "0: play +3",
            "0: leave",
        ),
        (
            'SeatLeft {"cards": ["G1", "G3"], "seat": 0, "shuffle": 1}',
            'WindowClosed {"outcome": "cancelled", "seat": 0}',
            'StackCancelled {"owe": 2}',
            'TurnPassed {"direction": 1, "owe": 0, "to": 1}',
        ),
    ),
    (
        "the last one awaited leaves",
        "",
        "hands=G1/B1,B3/R3 pile=+3,R9 lead=R9 plus3=0 answer=2 draw=Y4,Y5,Y6",
        ("2: leave",),
        (
            'SeatLeft {"cards": ["R3"], "seat": 2, "shuffle": 1}',
            'WindowClosed {"outcome": "accepted", "seat": 0}',
            'CardsDrawn {"cards": ["Y4", "Y5", "Y6"], "reason": "plus_three", "seat": 1}',
            'TurnPassed {"direction": 1, "owe": 0, "to": 1}',
        ),
    ),
    (
        "leaving on turn, facing a stack",
        "",
        "hands=G1,G3/B1,B3/R3,R4 pile=R+2 owe=4 draw=Y1",
        ("0: leave",),
        (
            'SeatLeft {"cards": ["G1", "G3"], "seat": 0, "shuffle": 1}',
            'StackCancelled {"owe": 4}',
            'TurnPassed {"direction": 1, "owe": 0, "to": 1}',
        ),
    ),
    (
        "leaving in one's run",
        "",
        "hands=G1,R3/B1,B3/R3,R4 pile=RT,R9 run=R draw=Y1",
        ("0: leave",),
        (
            'SeatLeft {"cards": ["R3", "G1"], "seat": 0, "shuffle": 1}',
            'TakiLeftOpen {"color": "R"}',
            'TurnPassed {"direction": 1, "owe": 0, "to": 1}',
        ),
    ),
    (
        "leaving with an empty hand",
        "mode=ladder",
        "hands=-/B1,B3/R3,R4 pile=R9 draw=- stages=3/8/8 turn=1",
        ("0: leave",),
        ('SeatLeft {"cards": [], "seat": 0, "shuffle": -1}',),
    ),
    (
        "one seat remains",
        "",
        "hands=G1,G3/B1,B3 pile=R9 draw=Y1",
        ("0: leave",),
        (
            'SeatLeft {"cards": ["G1", "G3"], "seat": 0, "shuffle": 1}',
            'GameEnded {"ranking": [{"cards": 2, "rank": 1, "seat": 1, "stage": 0}, {"cards": 0, "rank": 2, "seat": 0, "stage": 0}], "reason": "last_seat", "winner": 1}',
        ),
    ),
    (
        "a window's time is up",
        "",
        "hands=G1/B1,B3 pile=+3,R9 lead=R9 plus3=0 answer=1 draw=Y4,Y5,Y6",
        ("*: timeout",),
        (
            'WindowClosed {"outcome": "timeout", "seat": 0}',
            'CardsDrawn {"cards": ["Y4", "Y5", "Y6"], "reason": "plus_three", "seat": 1}',
            'TurnPassed {"direction": 1, "owe": 0, "to": 1}',
        ),
    ),
    (
        "a Breaker in the window",
        "",
        "hands=G1,G3/X3,B3 pile=+3,R9 lead=R9 plus3=0 answer=1 draw=Y4,Y5,Y6",
        ("1: play X3",),
        (
            'CardPlayed {"card": "X3", "lead": "R9", "seat": 1}',
            'CardsDrawn {"cards": ["Y4", "Y5", "Y6"], "reason": "breaker", "seat": 0}',
            'WindowClosed {"outcome": "breaker", "seat": 0}',
            'LastCardDue {"seat": 1}',
            'TurnPassed {"direction": 1, "owe": 0, "to": 1}',
        ),
    ),
    (
        "the King in the window, on a stack",
        "plus_three_on_stack=true",
        "hands=G1,G3/K,B3,B4 pile=+3,R+2 lead=R+2 owe=2 plus3=0 answer=1 draw=Y4",
        ("1: play K",),
        (
            'WindowClosed {"outcome": "king", "seat": 0}',
            'StackCancelled {"owe": 2}',
            'TurnPassed {"direction": 1, "owe": 0, "to": 1}',
            'CardPlayed {"card": "K", "lead": "any", "seat": 1}',
            'FurtherCard {"again": "king", "seat": 1}',
        ),
    ),
    (
        "a winning +3 that nobody breaks",
        "breaker_stops_win=true",
        "hands=+3/G6,R7 pile=R5 draw=G1,G3,G4",
        (
            "0: play +3",
            "1: accept",
        ),
        (
            'WindowAccepted {"seat": 1}',
            'WindowClosed {"outcome": "accepted", "seat": 0}',
            'GameEnded {"ranking": [{"cards": 0, "rank": 1, "seat": 0, "stage": 0}, {"cards": 2, "rank": 2, "seat": 1, "stage": 0}], "reason": "won", "winner": 0}',
        ),
    ),
    (
        "a winning +3, its window's time up",
        "breaker_stops_win=true",
        "hands=+3/G6,R7 pile=R5 draw=G1,G3,G4",
        (
            "0: play +3",
            "*: timeout",
        ),
        (
            'WindowClosed {"outcome": "timeout", "seat": 0}',
            'GameEnded {"ranking": [{"cards": 0, "rank": 1, "seat": 0, "stage": 0}, {"cards": 2, "rank": 2, "seat": 1, "stage": 0}], "reason": "won", "winner": 0}',
        ),
    ),
    (
        "a King that comes too late",
        "breaker_stops_win=true",
        "hands=+3/K,R7 pile=R5 draw=G1,G3,G4",
        (
            "0: play +3",
            "1: play K",
        ),
        (
            'CardPlayed {"card": "K", "lead": "R5", "seat": 1}',
            'WindowClosed {"outcome": "king", "seat": 0}',
            'GameEnded {"ranking": [{"cards": 0, "rank": 1, "seat": 0, "stage": 0}, {"cards": 1, "rank": 2, "seat": 1, "stage": 0}], "reason": "won", "winner": 0}',
        ),
    ),
    (
        "a stall",
        "",
        "hands=G1/B1 pile=R9 draw=- idle=3",
        ("0: draw",),
        (
            'CardsDrawn {"cards": [], "reason": "turn", "seat": 0}',
            'TurnIdled {"idle": 4}',
            'GameEnded {"ranking": [{"cards": 1, "rank": 1, "seat": 0, "stage": 0}, {"cards": 1, "rank": 1, "seat": 1, "stage": 0}], "reason": "stalled"}',
        ),
    ),
    (
        "two in a row without a card",
        "",
        "hands=G1/B1 pile=R9 draw=- idle=1",
        ("0: draw",),
        (
            'CardsDrawn {"cards": [], "reason": "turn", "seat": 0}',
            'TurnIdled {"idle": 2}',
            'TurnPassed {"direction": 1, "owe": 0, "to": 1}',
        ),
    ),
    (
        "a seat that waited is dealt",
        "mode=ladder",
        "hands=R1,R3/-/B1 pile=R9 draw=- stages=8/7/8",
        ("0: play R1",),
        (
            'CardPlayed {"card": "R1", "lead": "R1", "seat": 0}',
            'PileReshuffled {"order": ["R9"], "shuffle": 1}',
            'CardsDrawn {"cards": ["R9"], "reason": "stage", "seat": 1}',
            'LastCardDue {"seat": 0}',
            'TurnPassed {"direction": 1, "owe": 0, "to": 1}',
        ),
    ),
    (
        "an unsaid last card",
        "",
        "hands=R1,G4/R3,B3,B4 pile=R9 draw=Y1,Y3,Y4,Y5,Y6",
        (
            "0: play R1",
            "1: play R3",
        ),
        (
            'LastCardMissed {"seat": 0}',
            'CardsDrawn {"cards": ["Y1", "Y3", "Y4", "Y5"], "reason": "last_card", "seat": 0}',
            'CardPlayed {"card": "R3", "lead": "R3", "seat": 1}',
            'TurnPassed {"direction": 1, "owe": 0, "to": 0}',
        ),
    ),
    (
        "a Plus that cannot win in a run, and the TAKI closed after it",
        "",
        "hands=RT,R+/G1,G3 pile=R9 draw=Y1,Y3",
        ("0: play RT R+ close",),
        (
            'CardPlayed {"card": "RT", "lead": "RT", "seat": 0}',
            'RunStarted {"color": "R", "seat": 0}',
            'LastCardDue {"seat": 0}',
            'CardPlayed {"card": "R+", "lead": "R+", "seat": 0}',
            'CardsDrawn {"cards": ["Y1"], "reason": "plus", "seat": 0}',
            'TakiLeftOpen {"color": "R"}',
            'TurnPassed {"direction": 1, "owe": 0, "to": 1}',
            "TakiClosed {}",
        ),
    ),
    (
        "the turns are up",
        "max_turns=1",
        "hands=R+2,G3,G4/B1,B3 pile=R9 draw=-",
        ("0: play R+2",),
        (
            'CardPlayed {"card": "R+2", "lead": "R+2", "seat": 0}',
            'TurnPassed {"direction": 1, "owe": 2, "to": 1}',
            'GameEnded {"ranking": [{"cards": 2, "rank": 1, "seat": 0, "stage": 0}, {"cards": 2, "rank": 1, "seat": 1, "stage": 0}], "reason": "max_turns"}',
        ),
    ),
    (
        "the table's time is up",
        "",
        "hands=R1,G3/B1,B3 pile=R9 draw=Y1",
        ("*: stop",),
        (
            'GameEnded {"ranking": [{"cards": 2, "rank": 1, "seat": 0, "stage": 0}, {"cards": 2, "rank": 1, "seat": 1, "stage": 0}], "reason": "stopped"}',
        ),
    ),
    (
        "a drawn Breaker is locked",
        "",
        "hands=G8,B4/Y1,Y3 pile=R9 draw=X3",
        ("0: draw",),
        (
            'CardsDrawn {"cards": ["X3"], "locked": 1, "reason": "turn", "seat": 0}',
            'TurnPassed {"direction": 1, "owe": 0, "to": 1}',
        ),
    ),
    (
        "a reshuffle before a draw",
        "",
        "hands=G8,B4/Y1,Y3 pile=R9,R8 draw=-",
        ("0: draw",),
        (
            'PileReshuffled {"order": ["R8"], "shuffle": 1}',
            'CardsDrawn {"cards": ["R8"], "reason": "turn", "seat": 0}',
            'TurnPassed {"direction": 1, "owe": 0, "to": 1}',
        ),
    ),
)


@pytest.mark.parametrize(
    ("rules", "position", "commands", "told"), [case[1:] for case in TOLD], ids=[case[0] for case in TOLD]
)
def test_the_last_command_tells_just_this(
    rules: str, position: str, commands: tuple[str, ...], told: tuple[str, ...]
) -> None:
    state = parse_position(position, parse_rules(rules))
    events: tuple[Event, ...] = ()
    for command in commands:
        who, _, text = command.partition(": ")
        events, state = advance(state, None if who == "*" else Seat(int(who)), parse_command(text))
    assert tuple(f"{encode(event).type} {json.dumps(encode(event).data, sort_keys=True)}" for event in events) == told


X3, HIDDEN_TWO = parse_cards("X3"), (Card.parse("?"),) * 2
TWO = parse_cards("R1,K")
REDACTED: Final[tuple[tuple[Event, Event, Event], ...]] = (
    (
        CardsDrawn(Seat(1), X3, DrawReason.TURN, locked=True),
        CardsDrawn(Seat(1), X3, DrawReason.TURN, locked=True),
        CardsDrawn(Seat(1), HIDDEN_TWO[:1], DrawReason.TURN),
    ),
    (CardsDrawn(Seat(1), (), DrawReason.TURN),) * 3,
    (
        CardsDealt((TWO, TWO), TWO, Card.parse("R5"), X3),
        CardsDealt((HIDDEN_TWO, TWO), HIDDEN_TWO, Card.parse("R5"), X3),
        CardsDealt((HIDDEN_TWO, HIDDEN_TWO), HIDDEN_TWO, Card.parse("R5"), X3),
    ),
    (PileReshuffled(TWO, 3), PileReshuffled(HIDDEN_TWO, 3), PileReshuffled(HIDDEN_TWO, 3)),
    (SeatLeft(Seat(1), TWO, 3), SeatLeft(Seat(1), HIDDEN_TWO, 3), SeatLeft(Seat(1), HIDDEN_TWO, 3)),
    (
        WindowOpened(Seat(0), (Seat(1), Seat(2))),
        WindowOpened(Seat(0), (Seat(1),)),
        WindowOpened(Seat(0), ()),
    ),
    (WindowAccepted(Seat(1)), WindowAccepted(Seat(1)), WindowAccepted(None)),
    (CardPlayed(Seat(1), X3[0], None, Lead.parse("R5")),) * 3,
)


@pytest.mark.parametrize(("event", "own", "spectators"), REDACTED, ids=lambda event: type(event).__name__)
def test_an_event_as_its_own_seat_and_as_a_spectator_may_know_it(event: Event, own: Event, spectators: Event) -> None:
    """Seat 1 is the one concerned; another seat that is not concerned knows what a spectator knows."""
    assert redact(event, Seat(1)) == own
    assert redact(event, None) == spectators
    if not isinstance(event, WindowOpened | CardsDealt):
        assert redact(event, Seat(0)) == spectators


def test_a_view_names_its_viewer_and_nobody_elses_lock_or_answer() -> None:
    state = State.parse("hands=R1/G1,X3/B1,X3 pile=+3,R9 lead=R9 plus3=0 answer=1,2 locked=1,2")
    view = view_for(state, Seat(1))
    assert (view.viewer, view.state.locked, view.state.answer) == (Seat(1), (Seat(1),), (Seat(1),))
    assert view.state.hands == (HIDDEN_TWO[:1], parse_cards("G1,X3"), HIDDEN_TWO)
    spectators = view_for(state, None)
    assert (spectators.viewer, spectators.state.locked, spectators.state.answer) == (None, (), ())
