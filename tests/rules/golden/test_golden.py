"""Twenty recorded games come out as they did: every event, every view, every legal command."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path

import pytest

from games.rules.cards import CARDS, Seat
from games.rules.cases import parse_rules
from games.rules.commands import Play
from games.rules.notation import split_words
from games.rules.ruleset import DEFAULT_RULES
from games.rules.setup import SEATS_LEAST, SEATS_MOST
from tests.rules.golden.record import FOLDER
from tests.rules.golden.transcript import parse_acts, transcript
from tests.rules.laws.random_games import Table

FILES = sorted(FOLDER.glob("*.txt"))


def recorded(path: Path) -> tuple[Table, list[str]]:
    """The table of a recording, and its lines but for the title."""
    lines = path.read_text(encoding="ascii").splitlines()[1:]
    words = split_words(lines[1].removeprefix("setup "), ("seats", "first", "seed"))
    rules = parse_rules(lines[0].removeprefix("rules").strip())
    return Table(rules, int(words["seats"]), Seat(int(words["first"])), bytes.fromhex(words["seed"])), lines


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_game_comes_out_as_recorded(path: Path) -> None:
    """On a difference the message is the command at which it begins, and the first line that differs."""
    table, lines = recorded(path)
    command = "the deal"
    for expected, actual in zip_longest(lines, transcript(table, parse_acts(lines))):
        if expected and not expected.startswith(" "):
            command = expected
        assert actual == expected, f"after {command!r}"


def test_the_games_show_every_card_house_rule_mode_and_seat_count() -> None:
    """What no golden game uses could change unnoticed."""
    assert len(FILES) == 20
    tables = [recorded(path)[0] for path in FILES]
    assert {table.seats for table in tables} == set(range(SEATS_LEAST, SEATS_MOST + 1))
    changed = {name for table in tables for name in table.rules.chosen()}
    assert changed == set(DEFAULT_RULES.as_mapping())
    plays = [command for path in FILES for _, commands in parse_acts(recorded(path)[1]) for command in commands]
    assert {play.card for play in plays if isinstance(play, Play)} == set(CARDS)
