"""A refusal names the rule that forbids the command here, which is what a player is told."""

from __future__ import annotations

import pytest

from games.rules.cards import Seat
from games.rules.decide import advance
from games.rules.notation import parse_command, parse_position
from games.rules.refusals import Refused
from games.rules.ruleset import Ruleset

WINDOW = "hands=R1,R3/K,X3,G3/B1,X3 pile=+3,R9 lead=R9 plus3=0 answer=1,2"


@pytest.mark.parametrize(
    ("position", "command", "refused"),
    [
        ("hands=R1/G1 pile=R9 winner=0", "0: draw", "GAME_OVER (E1)"),
        ("hands=R1/x/G1 pile=R9", "1: draw", "SEAT_LEFT (Z4)"),
        (WINDOW, "0: draw", "WINDOW_OPEN (W1)"),
        (WINDOW, "1: play G3", "WINDOW_OPEN (W1)"),
        (WINDOW, "2: play K", "WINDOW_OPEN (W1)"),
        (WINDOW, "0: accept", "NOT_ASKED (W2)"),
        (WINDOW.replace("X3,G3", "G3,G4"), "1: play X3", "NOT_IN_HAND (W3)"),
        (WINDOW.replace("K,", ""), "1: play K", "NOT_IN_HAND (W4)"),
        (WINDOW + " locked=2", "2: play X3", "BREAKER_LOCKED (T4)"),
        (WINDOW, "1: play K=R", "COLOR_NOT_ALLOWED (A5)"),
        ("hands=R1/G1 pile=R9", "0: accept", "NO_WINDOW (W2)"),
        ("hands=R1/R3 pile=R9", "1: play R3", "NOT_YOUR_TURN (T1)"),
        ("hands=R1/G1 pile=R9", "0: play R3", "NOT_IN_HAND (T1)"),
        ("hands=X3,R1/G1 pile=R9 locked=0", "0: play X3", "BREAKER_LOCKED (T4)"),
        ("hands=R1,G3/G1 pile=R+2 owe=2", "0: play R1", "STACK_ACTIVE (A2)"),
        ("hands=+3,G3/G1 pile=R+2 owe=2", "0: play +3", "STACK_ACTIVE (A3)"),
        ("hands=G3,G4/G1 pile=RT run=R", "0: play G3", "NOT_IN_RUN (U4)"),
        ("hands=G3,G4/G1 pile=R9", "0: play G3", "DOES_NOT_MATCH (T2)"),
        ("hands=C,G4/G1 pile=R9", "0: play C", "COLOR_REQUIRED (A5)"),
        ("hands=ST,G4/G1 pile=K lead=any", "0: play ST", "COLOR_REQUIRED (U2)"),
        ("hands=R3,G4/G1 pile=R9", "0: play R3=R", "COLOR_NOT_ALLOWED (A5)"),
        ("hands=ST,G4/G1 pile=R9", "0: play ST=R", "COLOR_NOT_ALLOWED (U2)"),
        ("hands=R3,G4/G1 pile=RT run=R", "0: draw", "CANNOT_DRAW (U5)"),
        ("hands=R3,G4/G1 pile=K lead=any again=king", "0: draw", "CANNOT_DRAW (K2)"),
        ("hands=R3,G4/G1 pile=R9", "0: draw", "MUST_PLAY (T5)"),
        ("hands=R3,G4/G1 pile=R9 draw=-", "0: draw", "MUST_PLAY (Z2)"),
        ("hands=R3,G4/G1 pile=R+ again=plus", "0: draw", "MUST_PLAY (P2)"),
        ("hands=R3,G4/G1 pile=R+ again=plus", "0: end", "MUST_PLAY (P1)"),
        ("hands=R3,G4/G1 pile=R9", "0: close", "NO_RUN (U5)"),
        ("hands=R3,G4/G1 pile=RT taki=R", "0: close", "NO_RUN (U7)"),
        ("hands=R3,G4/G1 pile=R9", "0: end", "NO_RUN (U5)"),
        ("hands=R3,G4/G1 pile=RT run=R", "0: close", "TAKI_ON_TOP (U6)"),
        ("hands=R3,G4/G1 pile=R9", "0: last", "NOT_LAST_CARD (L2)"),
    ],
)
def test_the_rule_that_forbids_it_is_named(position: str, command: str, refused: str) -> None:
    seat, _, text = command.partition(": ")
    with pytest.raises(Refused) as found:
        advance(parse_position(position), Seat(int(seat)), parse_command(text))
    assert str(found.value) == refused


@pytest.mark.parametrize(("command", "refused"), [("close", "MUST_PLAY (U1)"), ("end", "MUST_PLAY (U1)")])
def test_a_run_that_must_be_laid_whole_names_its_rule(command: str, refused: str) -> None:
    state = parse_position("hands=R3,G4/G1 pile=R1,RT run=R", Ruleset.from_mapping({"taki_all": True}))
    with pytest.raises(Refused) as found:
        advance(state, Seat(0), parse_command(command))
    assert str(found.value) == refused
