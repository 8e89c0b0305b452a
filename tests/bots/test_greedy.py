"""What the greedy bot does in the positions that it was made for."""

import pytest

from games.bots import greedy
from games.bots.policy import pick
from games.bots.registry import LEVELS
from games.bots.turn import turn_commands
from games.rules.cards import Seat
from games.rules.legal import legal_commands
from games.rules.notation import format_command
from games.rules.ruleset import DEFAULT_RULES, Ruleset, SuperTakiColor
from games.rules.state import State
from games.rules.views import view_for
from tests.bots.strength import Match, play

SEED = bytes(32)


def seed_of(part: int) -> bytes:
    return bytes([part]) * 32


def choice(position: str, seat: int = 0, rules: Ruleset = DEFAULT_RULES, seed: bytes = SEED) -> str:
    """The one command that it chooses there."""
    state = State.parse(position, rules)
    return format_command((greedy.choose(view_for(state, Seat(seat)), legal_commands(state, Seat(seat)), seed),))


def turn(position: str, seat: int = 0, level: str = "greedy") -> str:
    """Its whole turn."""
    state = State.parse(position)
    return format_command(turn_commands(LEVELS[level], state, Seat(seat), seed_of, within_grace=False))


def test_it_plays_rather_than_draws() -> None:
    """Also where drawing is allowed."""
    voluntary = Ruleset(voluntary_draw=True)
    assert choice("hands=R4,G9/B1,B3,B4 pile=R5", rules=voluntary) == "play R4"
    assert choice("hands=G4,G9/B1,B3,B4 pile=R5", rules=voluntary) == "draw"


@pytest.mark.parametrize("kept", ["C", "ST", "K", "+3", "X3"])
def test_it_keeps_its_colourless_cards_while_it_can_play_another(kept: str) -> None:
    """The one that fits is laid."""
    assert choice(f"hands=R4,G9,Y9,{kept}/B1,B3,B4,B5 pile=R5") == "play R4"


def test_it_lays_a_colourless_card_when_nothing_else_fits_and_it_must() -> None:
    """A Breaker, which can never be laid last, goes when it must draw anyway."""
    assert choice("hands=G4,G9,Y1,C/B1,B3,B4 pile=R5") == "play C=G"
    assert choice("hands=G4,G9,Y1,K/B1,B3,B4 pile=R5") == "play K"
    assert choice("hands=G4,G9,Y1,X3/B1,B3,B4 pile=R5") == "play X3"
    assert choice("hands=G4,G9,Y1,X3/B1,B3,B4 pile=R5 locked=0") == "draw"


def test_it_names_the_colour_that_it_holds_most_of() -> None:
    """For Change Color, and for a Super TAKI that chooses."""
    assert choice("hands=G4,Y8,Y9,B1,C/B1,B3,B4 pile=R5") == "play C=Y"
    assert choice("hands=B4,B8,G1,C/R1,R3,R4 pile=R5") == "play C=B"
    assert (
        choice("hands=B4,B8,G1,ST/R1,R3,R4 pile=R5", rules=Ruleset(super_taki_color=SuperTakiColor.CHOOSE))
        == "play ST=B"
    )


def test_it_lays_a_run_with_its_most_useful_action_last_and_closes_it() -> None:
    """As many cards as there are, in one command."""
    first, *numbers, last, close = turn("hands=R1,R3,R9,R+2,RT,G9,Y4,B1/B1,B3,B4 pile=R5").split()[1:]
    assert (first, sorted(numbers), last, close) == ("RT", ["R1", "R3", "R9"], "R+2", "close")
    assert turn("hands=R3,RS,R+,RT,G9,Y4/B1,B3,B4/B5,B6,B7 pile=R5").endswith("RS close")


def test_it_leaves_a_taki_open_only_if_it_cannot_be_closed() -> None:
    """A TAKI laid by itself cannot (U6); a second TAKI is not laid on top of what could be closed."""
    assert turn("hands=RT,G9,Y9/B1,B3,B4 pile=RT") == "play RT end"
    assert turn("hands=R3,RT,RT,G9,Y9/B1,B3,B4 pile=R5") == "play RT RT R3 close"
    assert choice("hands=RT,G9,Y9/B1,B3,B4 pile=R3,RT lead=R3 run=R") == "close"


def test_it_says_last_card_with_the_play() -> None:
    """In the same command, before it closes or without."""
    assert turn("hands=R3,G9/B1,B3,B4 pile=R5") == "play R3 last"
    assert turn("hands=R3,R4,RT,G9/B1,B3,B4 pile=R5") in {"play RT R3 R4 last close", "play RT R4 R3 last close"}
    assert turn("hands=R3,G9/B1,B3,B4 pile=R5", level="random") == "play R3 last"


def test_it_wins_when_it_can() -> None:
    """With whatever card it is, a King too; a Plus it does not spend (P3)."""
    assert choice("hands=R3/B1,B3,B4 pile=R5") == "play R3"
    assert choice("hands=K/B1,B3,B4 pile=R5") == "play K"
    assert choice("hands=+3/B1,B3,B4 pile=R5") == "play +3"


def test_it_answers_a_stack_with_a_plus_two_and_spends_a_king_only_on_a_big_one() -> None:
    """Else it takes the cards."""
    assert choice("hands=B+2,G9,Y9,K/B1,B3,B4 pile=R+2 owe=2") == "play B+2"
    assert choice("hands=B1,B3,G9,Y9,K/B1,B3,B4 pile=R+2 owe=2") == "draw"
    assert choice("hands=B1,B3,G9,Y9,K/B1,B3,B4 pile=R+2,G+2 owe=4") == "play K"


def test_in_a_window_it_breaks_then_cancels_then_accepts() -> None:
    """A Breaker before a King; from a seat that may not play a King, accept."""
    window = "pile=+3,R5 lead=R5 turn=0 plus3=0 answer=1,2"
    assert choice(f"hands=R1,R3/G9,K,X3/B1,B3 {window}", seat=1) == "play X3"
    assert choice(f"hands=R1,R3/G9,K/B1,B3 {window}", seat=1) == "play K"
    assert choice(f"hands=R1,R3/G9,G8/B1,K {window}", seat=2) == "accept"
    assert choice(f"hands=R1,R3/G9,G8/B1,X3 {window} locked=2", seat=2) == "accept"


def test_it_wastes_no_king_on_a_plus_three_that_wins_anyway() -> None:
    """House rule breaker_stops_win: only a Breaker stops it (W7)."""
    rules = Ruleset(breaker_stops_win=True)
    window = "pile=+3,R5 lead=R5 turn=0 plus3=0 answer=1,2"
    assert choice(f"hands=-/G9,K/B1,B3 {window}", seat=1, rules=rules) == "accept"
    assert choice(f"hands=-/G9,X3/B1,B3 {window}", seat=1, rules=rules) == "play X3"


def test_it_attacks_when_somebody_is_about_to_win() -> None:
    """Then a +2 or +3 is worth more than a number."""
    assert choice("hands=R4,R+2,G9,Y9/B1 pile=R5") == "play R+2"
    assert choice("hands=R4,+3,G9,Y9/B1,B3 pile=R5") == "play +3"
    assert choice("hands=R4,+3,G9,Y9/B1,B3,B4,B6 pile=R5") == "play R4"


def test_after_a_king_it_lays_a_further_card() -> None:
    """Any card fits; it declines only what would harm it."""
    assert choice("hands=G9,G8,Y1/B1,B3,B4 pile=K,R5 lead=any again=king").startswith("play ")
    assert choice("hands=G+/B1,B3,B4 pile=K,R5 lead=any again=king") == "end"


def test_its_habit_decides_and_chance_does_not() -> None:
    """Whatever the seed; the random bot's moves differ."""
    position = State.parse("hands=R3,R4,R6,R7,R8,R9/B1,B3,B4 pile=R5")
    view, legal = view_for(position, Seat(0)), legal_commands(position, Seat(0))
    for level, moves in (("greedy", 1), ("random", 6)):
        chosen = {LEVELS[level](view, legal, bytes([number]) * 32) for number in range(60)}
        assert len(chosen) == moves


def test_a_pick_is_about_even() -> None:
    """Each of four options comes up in a thousand seeds between 200 and 300 times."""
    picked = [pick("abcd", number.to_bytes(32, "big")) for number in range(1000)]
    assert all(200 <= picked.count(option) <= 300 for option in "abcd")


@pytest.mark.parametrize(("others", "least"), [(1, 0.5), (3, 0.25)])
def test_greedy_beats_random(others: int, least: float) -> None:
    """It wins more than its share of 240 games: far below one chance in a million if it is as strong as measured."""
    seats = 1 + others
    wins = sum(play(Match("greedy", "random", seats, 0.5), number) for number in range(240))
    assert wins > 240 * least
