"""What the searching bot finds, and that the time of its answers tells nothing."""

from functools import partial
from pathlib import Path

import pytest

from games.bots import expert, greedy, random
from games.bots.policy import Policy
from games.bots.world import World
from games.rules.cards import CARDS, Color, Seat, copies
from games.rules.legal import legal_commands
from games.rules.notation import format_command
from games.rules.ruleset import DEFAULT_RULES, Mode, Ruleset
from games.rules.state import State
from games.rules.views import view_for
from tests.bots.strength import Count, Match, go_on, kept
from tests.bots.tables import winner

SEED = bytes(range(32))
ELSEWHERE = "hands=R1,R3/{hand}/B1,B3 pile=+3,R5 lead=R5 turn=0 plus3=0 answer=1,2"


def choice(position: str, seat: int = 0, rules: Ruleset = DEFAULT_RULES, playouts: int = 800) -> str:
    """What it chooses there."""
    state = State.parse(position, rules)
    view, legal = view_for(state, Seat(seat)), legal_commands(state, Seat(seat))
    return format_command((expert.choose(view, legal, SEED, playouts=playouts),))


def test_it_wins_when_it_can() -> None:
    """By a last card, by a whole hand laid as a run, by a King and any card, by a Stop among two."""
    assert choice("hands=R3/B1,B3,B4 pile=R5") == "play R3"
    assert choice("hands=R3,R8,R9,RT,G5/B1 pile=R5 run=R") in {"play R3", "play R8", "play R9", "play RT"}
    assert choice("hands=R3,R8,R9,RT/B1 pile=R5") == "play RT"
    assert choice("hands=G3,Y8,K/B1 pile=R5 again=king lead=any") != "end"
    assert choice("hands=G3,K/B1 pile=R5") == "play K"
    assert choice("hands=R3,RS,B9/B1,B4 pile=R5") == "play RS"


def test_it_answers_a_stack_with_a_stack() -> None:
    """Rather than take it."""
    assert choice("hands=B+2,G9,Y9,K/B1,B3,B4 pile=R+2 owe=2") == "play B+2"
    assert choice("hands=G9,K/B1,B3 pile=R+2,G+2,B+2 owe=6") == "play K"


def test_it_breaks_a_plus_three() -> None:
    """Three cards for the other instead of for itself."""
    assert choice(ELSEWHERE.format(hand="G9,X3"), seat=1) == "play X3"
    assert choice(ELSEWHERE.format(hand="G9,G4"), seat=1) == "accept"


def test_it_counts_cards() -> None:
    """All other red cards have been seen, so the last card of the other is not red: it names red, though it holds more
    green; the greedy bot names green.
    """
    red = [card.code for card in CARDS if card.color is Color.RED for _ in range(copies(card))]
    red.remove("R9")
    position = f"hands=R9,G4,G5,C/B1 pile=Y3,{','.join(red)}"
    assert choice(position) == "play C=R"
    state = State.parse(position)
    habitual = greedy.choose(view_for(state, Seat(0)), legal_commands(state, Seat(0)), SEED)
    assert format_command((habitual,)) == "play C=G"


def test_a_seat_that_waits_for_cards_accepts() -> None:
    """G4: it has entered a stage, there was nothing to draw, and a +3 asks it all the same."""
    position = "hands=R1,R3/-/B1,B3 draw=- pile=+3 lead=R5 turn=0 plus3=0 answer=1,2 stages=2/1/2"
    assert choice(position, seat=1, rules=Ruleset(mode=Mode.LADDER)) == "accept"


def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """From now on a search plays nothing on, and notes each act that it would have tried here."""
    tried: list[int] = []

    def gain(_search: expert.Search, _world: World, act: int) -> float:
        tried.append(act)
        return 0.5

    monkeypatch.setattr(expert.Search, "gain", gain)
    return tried


@pytest.mark.parametrize("rules", [DEFAULT_RULES, Ruleset(king_on_plus_three=False)])
def test_an_answer_takes_as_long_whatever_the_hand(rules: Ruleset, monkeypatch: pytest.MonkeyPatch) -> None:
    """W8: as many games are played on for a seat that has nothing to choose from as for one that has."""
    played = counted(monkeypatch)
    counts = set()
    for hand in ("G9,G4", "G9,X3", "G9,K"):
        played.clear()
        choice(ELSEWHERE.format(hand=hand), seat=1, rules=rules)
        counts.add(len(played))
    assert counts == {expert.ANSWER_PLAYOUTS}


def test_no_search_is_longer_than_its_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten sorts of card to choose from, all rounds together."""
    played = counted(monkeypatch)
    choice("hands=R1,R3,R4,G5,B5,Y5,RS,R+2,RD,R+,RT/B1,B3,B4 pile=R5", playouts=expert.PLAYOUTS)
    assert 0.8 * expert.PLAYOUTS < len(played) <= expert.PLAYOUTS


def test_even_in_a_hurry_it_beats_random() -> None:
    """With a fiftieth of its budget, in 60 games of two."""
    hurried: Policy = partial(expert.choose, playouts=60)
    wins = 0
    for number in range(60):
        deal, place = divmod(number, 2)
        policies: list[Policy] = [hurried, random.choose] if place == 0 else [random.choose, hurried]
        wins += winner(policies, deal) == place
    assert wins > 30


def test_a_match_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    """Ten games and ten are the twenty at once, and no game is played twice."""
    match = Match("greedy", "random", 2, 0.5, most_games=20)
    go_on(tmp_path / "halves", match, at_most=10)
    assert kept(tmp_path / "halves", match).games == 10
    halves, whole = go_on(tmp_path / "halves", match), go_on(tmp_path / "whole", match)
    assert (halves.games, halves.wins) == (whole.games, whole.wins) == (20, whole.wins)
    assert go_on(tmp_path / "halves", match).games == 20


def test_the_sequential_test_decides_as_its_errors_allow() -> None:
    """A hundred wins of a hundred are over a half, ten are under, and a half of ten is neither."""
    match = Match("greedy", "random", 2, 0.5)
    assert Count(100, 100).verdict(match) == "over 50%"
    assert Count(100, 10).verdict(match) == "under 50%"
    assert Count(10, 5).verdict(match) is None
    low, high = Count(100, 60).interval()
    assert 0.49 < low < 0.51
    assert 0.68 < high < 0.70
