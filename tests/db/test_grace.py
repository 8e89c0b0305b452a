"""The grace for an unsaid last card (L3), within one command of several parts."""

import pytest

from games.clock import Clock, within_grace
from games.rules.cards import Seat
from games.rules.commands import Command
from games.rules.decide import advance
from games.rules.events import LastCardMissed
from games.rules.notation import parse_command
from games.rules.refusals import Refused
from games.rules.ruleset import DEFAULT_RULES
from games.rules.state import State
from games.services.grace import advance_with_grace
from tests.builders import QUICK

TWO = "hands=RS,R3,G9/B1,B3 draw=Y1,Y3,Y4,Y5,Y6,Y7 pile=R1"


def missed(state: State, text: str, *, grace: bool = False) -> list[Seat]:
    """Which seats a command of seat 0 calls for their unsaid last card."""
    commands: tuple[Command, ...] = parse_command(text)
    told = advance_with_grace(state, Seat(0), commands, within_grace=grace)
    assert told.events
    return [event.seat for event in told.events if isinstance(event, LastCardMissed)]


@pytest.mark.parametrize(("rules", "called"), [(DEFAULT_RULES, []), (QUICK, [0])])
def test_a_turn_of_ones_own_in_the_same_command_is_within_the_grace(rules: object, called: list[int]) -> None:
    """Two seats, a Stop, one card left and that laid too, all at once: it wins. Without a grace it is called first."""
    state = State.parse("hands=RS,R3/B1,B3 draw=Y1,Y3,Y4,Y5,Y6,Y7 pile=R1", rules)  # type: ignore[arg-type]  # a ruleset
    assert missed(state, "play RS R3") == called


def test_a_card_that_was_due_before_is_called_all_the_same() -> None:
    """The other seat's grace is over: the first part of the command calls it, the own card is within its grace."""
    state = State.parse(TWO.replace("B1,B3", "B1") + " last=1", DEFAULT_RULES)
    assert missed(state, "play RS R3") == [1]
    assert missed(state, "play RS R3", grace=True) == []


def test_a_command_is_decided_as_ever_part_by_part() -> None:
    """Events, state and refusals are those of `advance`, also of a Plus that ends its run and is then closed (U11)."""
    rules = DEFAULT_RULES
    for line, text in (
        (TWO, "play RS R3"),
        ("hands=RT,R3,R+/B1,B3 draw=Y1,Y3,Y4 pile=R1", "play RT R3 R+ close"),
        ("hands=RT,R3,R+/B1,B3 draw=Y1,Y3,Y4 pile=R1", "play RT R3 R+ end"),
        ("hands=RT,R3,RS,G1/B1,B3 draw=Y1,Y3,Y4 pile=R1", "play RT R3 RS last close"),
        ("hands=R3/B1,B3 draw=Y1,Y3,Y4 pile=R1", "play R3 last close"),
    ):
        state, commands = State.parse(line, rules), parse_command(text)
        try:
            expected: object = advance(state, Seat(0), commands)
        except Refused as refused:
            expected = (refused.refusal, refused.rule)
        try:
            told: object = advance_with_grace(state, Seat(0), commands, within_grace=False)
        except Refused as refused:
            told = (refused.refusal, refused.rule)
        assert told == expected, text


def test_the_grace_runs_by_the_servers_clock_and_is_judged_before_the_command() -> None:
    """What fell due earlier than the grace allows is not within it."""
    state = State(rules=DEFAULT_RULES)
    assert within_grace(Clock(due_at=1_000), state, 2_999)
    assert not within_grace(Clock(due_at=1_000), state, 3_000)
