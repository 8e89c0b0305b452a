"""Two engines that were written apart agree on every command of many random games, refusal for refusal."""

import random
from pathlib import Path

import pytest

from games.rules.cards import Seat
from games.rules.decide import advance
from games.rules.notation import format_command, parse_command, parse_position, position_words
from games.rules.refusals import Refused
from games.rules.ruleset import Ruleset, house_rule_from_text
from games.rules.state import State
from tests.rules.second.commands import NotAllowed, Part, carried_out
from tests.rules.second.random_play import Chance, as_part, as_text, random_command, random_table
from tests.rules.second.table import ANY, Lead, Table
from tests.rules.test_cases import FILES, REFUSALS, cases_of

COMMANDS = 60
"""The most commands of one game; tables are small, and the interesting part is near the end."""


def outcome_of_first(state: State, seat: int | None, text: str) -> tuple[str, State]:
    """The refusal, or nothing and the state after it."""
    try:
        return "", advance(state, None if seat is None else Seat(seat), parse_command(text)).state
    except Refused as refused:
        return refused.refusal.value, state


def outcome_of_second(table: Table, seat: int | None, parts: list[Part]) -> tuple[str, Table]:
    try:
        return "", carried_out(table, seat, parts)
    except NotAllowed as refused:
        return str(refused), table


def assert_same(before: State, command: str, first: tuple[str, State], second: tuple[str, Table]) -> None:
    """The same refusal, or the same position word for word; else fails with what is needed to repeat it."""
    words, others = position_words(first[1]), second[1].words()
    if first[0] == second[0] and words == others:
        return
    differing = [f"{key}: {words[key]} or {others[key]}" for key in words if words[key] != others[key]]
    rules = " ".join(f"{name}={value}" for name, value in before.rules.chosen().items())
    refused = f"refused: {first[0] or '-'} or {second[0] or '-'}"
    pytest.fail("\n".join([f"rules {rules}", f"position {before}", command, refused, *differing]), pytrace=False)


def play_both(number: int) -> list[str]:
    """Plays a random game on both engines; the refusal of each command, or nothing."""
    chance = Chance(random.Random(number))
    table = random_table(chance)
    line = " ".join(f"{key}={value}" for key, value in table.words().items())
    state = parse_position(line, Ruleset.from_mapping(table.rules))
    refusals = []
    for _ in range(COMMANDS):
        seat, parts = random_command(chance, table, state)
        text = as_text(parts)
        first, second = outcome_of_first(state, seat, text), outcome_of_second(table, seat, parts)
        assert_same(state, f"{seat}: {text}", first, second)
        state, table = first[1], second[1]
        refusals.append(first[0])
        if table.winner != "-" and chance.of(0.7):
            break
    return refusals


def test_both_engines_agree_on_random_games() -> None:
    """600 games from tables short of cards: every refusal is met, and enough is accepted to get anywhere."""
    refusals = [refusal for number in range(600) for refusal in play_both(number)]
    assert set(refusals) == {"", *REFUSALS}
    assert refusals.count("") > len(refusals) / 4


@pytest.mark.deep
@pytest.mark.parametrize("thousand", range(20))
def test_both_engines_agree_on_twenty_thousand_more(thousand: int) -> None:
    """As above, in parts of a thousand games."""
    for number in range(1000 * (thousand + 1), 1000 * (thousand + 2)):
        play_both(number)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_both_engines_agree_on_every_case_from_a_position(file: Path) -> None:
    """The cases hold for the second engine as well: it goes through the same positions, refusal for refusal."""
    for case in cases_of(file):
        rules, state = Ruleset(), None
        for step in case.steps:
            if step.word == "rules":
                words = [word.partition("=") for word in step.text.split()]
                rules = Ruleset.from_mapping({name: house_rule_from_text(name, text) for name, _, text in words})
            elif step.word == "position":
                state = parse_position(step.text, rules)
            elif step.word.endswith(":") and state:
                state = _same_step(state, step.word[:-1], step.text)


def _same_step(state: State, who: str, text: str) -> State:
    seat = None if who == "*" else int(who)
    parts = [as_part(format_command([command])) for command in parse_command(text)]
    first = outcome_of_first(state, seat, text)
    assert_same(state, f"{who}: {text}", first, outcome_of_second(table_of(state), seat, parts))
    return first[1]


def table_of(state: State) -> Table:
    """The second engine's table at this position. In mid-turn a card has moved: the one that opened the turn."""
    words = position_words(state)

    def seats(key: str) -> set[int]:
        return set() if words[key] == "-" else {int(seat) for seat in words[key].split(",")}

    return Table(
        rules=state.rules.as_mapping(),
        hands=[_cards(hand) for hand in words["hands"].split("/")],
        draw=_cards(words["draw"]),
        pile=_cards(words["pile"]),
        lead=_lead(words["lead"]),
        turn=state.turn,
        direction=1 if words["dir"] == "+" else -1,
        owe=state.owe,
        taki=_given(words["taki"]),
        run=_given(words["run"]),
        again=_given(words["again"]),
        plus3=state.plus3,
        answer=seats("answer"),
        last=seats("last"),
        locked=seats("locked"),
        stages=list(state.stages),
        idle=state.idle,
        turns=state.turns,
        shuffles=state.shuffles,
        seed=state.seed,
        winner=words["winner"],
        left=list(state.left),
        moved=words["run"] != "-" or words["again"] != "-",
    )


def _cards(text: str) -> list[str]:
    return [] if text in ("-", "x") else text.split(",")


def _lead(text: str) -> Lead:
    return ANY if text == "any" else (text[0], text[1:] or None)


def _given(text: str) -> str | None:
    return None if text == "-" else text
