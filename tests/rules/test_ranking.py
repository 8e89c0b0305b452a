"""Ranking (E2, G5): the winner, then by stage and fewest cards, and last who left."""

import pytest

from games.rules import Ruleset, Seat, State, advance, parse_command, ranking
from games.rules.events import GameEnded

LADDER = Ruleset.from_mapping({"mode": "ladder"})


def ranks(state: State) -> list[tuple[int, int]]:
    """Rank and seat, as listed."""
    return [(placing.rank, placing.seat) for placing in ranking(state)]


def played(line: str, *commands: str, rules: Ruleset | None = None) -> State:
    """The position after these commands, each written as in a case: ``0: play R5``."""
    state = State.parse(line, rules or Ruleset())
    for command in commands:
        who, _, text = command.partition(": ")
        state = advance(state, None if who == "*" else Seat(int(who)), parse_command(text)).state
    return state


def test_e2_the_winner_comes_first_then_the_fewest_cards() -> None:
    """Seat 2 wins; the others stand by their hands, not by their seats."""
    state = played("hands=R1,R3,R4/G1,G3/R5/B1 pile=R9 turn=2", "2: play R5")
    assert ranks(state) == [(1, 2), (2, 3), (3, 1), (4, 0)]


def test_e2_equals_share_a_rank_and_the_next_rank_counts_them() -> None:
    """One, two, two, four."""
    state = played("hands=G1,G3/R5/B1,B3/Y1,Y3,Y4 pile=R9 turn=1", "1: play R5")
    assert ranks(state) == [(1, 1), (2, 0), (2, 2), (4, 3)]


def test_e2_who_left_comes_last_and_the_first_to_leave_is_the_very_last() -> None:
    """However few cards they had: a hand that was given back counts for nothing."""
    state = played("hands=G1,G3/R5,R6/B1/Y1,Y3,Y4 pile=R9", "2: leave", "3: leave", "1: leave")
    assert state.winner == 0
    assert ranks(state) == [(1, 0), (2, 1), (3, 3), (4, 2)]


def test_e2_without_a_winner_the_fewest_cards_come_first_and_may_share_it() -> None:
    """A game that is stopped is ranked as it stands."""
    state = played("hands=G1,G3/R5,R6/B1,B3,B4 pile=R9", "*: stop")
    assert ranks(state) == [(1, 0), (1, 1), (3, 2)]


def test_e2_the_winner_is_first_alone_even_beside_an_empty_hand() -> None:
    """A winning +3's King laid by the next seat empties its hand too; it is second."""
    rules = Ruleset.from_mapping({"breaker_stops_win": True})
    state = played("hands=+3/K/B3,B4 pile=R5", "0: play +3", "1: play K", rules=rules)
    assert ranks(state) == [(1, 0), (2, 1), (3, 2)]


def test_g5_the_lower_stage_comes_before_the_smaller_hand() -> None:
    """Stage first, then cards; equals in both share a rank."""
    state = played("hands=R1/G1,G3,G4/B1/Y1,Y3/R3 pile=R9 stages=1/2/3/2/3", "0: play R1", rules=LADDER)
    assert ranks(state) == [(1, 0), (2, 3), (3, 1), (4, 2), (4, 4)]


def test_g5_the_winner_at_a_high_stage_is_still_first() -> None:
    """When all others left, who remains wins at whatever stage; the leavers' stages do not help them."""
    state = played("hands=R1,R4/G1/B1 pile=R9 stages=8/1/2", "1: leave", "2: leave", rules=LADDER)
    assert ranks(state) == [(1, 0), (2, 2), (3, 1)]
    assert [placing.stage for placing in ranking(state)] == [8, 2, 1]


@pytest.mark.parametrize("commands", [("0: play R1",), ("*: stop",)], ids=["won", "stopped"])
def test_the_ranking_is_told_with_the_end_of_the_game(commands: tuple[str, ...]) -> None:
    """The last event of the rules carries it, so that nobody need work it out."""
    line = "hands=R1/G1,G3/B1,B3 pile=R9"
    who, _, text = commands[0].partition(": ")
    events = advance(State.parse(line), None if who == "*" else Seat(int(who)), parse_command(text)).events
    assert isinstance(events[-1], GameEnded)
    assert events[-1].ranking == ranking(played(line, *commands))
