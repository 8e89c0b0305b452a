"""Whatever a client sends as a command, a position or house rules: a value, or one ValueError that names the word."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.cards import CARDS, Seat
from games.rules.codec import EVENT_TYPES, decode
from games.rules.decide import advance
from games.rules.notation import POSITION_KEYS, format_command, format_position, parse_command, parse_position
from games.rules.refusals import Refused
from games.rules.ruleset import DEFAULT_RULES, Ruleset
from games.rules.state import State

DEEP_INPUTS: Final = 1_000_000
LONGEST_MESSAGE: Final = 400
STATE: Final = State.parse("hands=R1,RT,ST,C,K/G1,+3,X3/B1,B3 pile=R9")
WORDS: Final = (
    *("play", "draw", "close", "end", "last", "accept", "leave", "timeout", "stop"),
    *(card.code for card in CARDS),
    *("C=R", "ST=G", "R7=B", "C=", "=R", "C=X", "C=R=G", "?", "x", "-", "*", "/", ",", "=", "R2", "r7", "R77"),
    *("", " ", "\t", "\n", "\0", "\ud800", "…", "٣", "é", "💥", "1_0", "+1", "-1", "0", "9" * 30, "none", "true"),
    *(f"{key}=" for key in POSITION_KEYS),
    *("hands=R1,R3/G1", "pile=R9", "pile=K", "lead=R7", "lead=R0", "turn=1", "turn=9", "dir=0", "owe=x", "seed=00"),
    *("answer=0,0", "stages=8/8", "winner=none", "winner=3", "draw=?", "again=taki", "hands=x/x", "hands=R1/x/-"),
)

texts = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join))
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(WORDS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


def take_command(text: str) -> None:
    """A command text: it comes back from its commands, and the rules accept it or refuse it with a code."""
    commands = parse_command(text)
    assert parse_command(format_command(commands)) == commands
    for seat in (Seat(0), Seat(1), None):
        try:
            advance(STATE, seat, commands)
        except (Refused, ValueError):
            continue


def take_position(text: str) -> None:
    """A position line: formatting what was parsed is stable."""
    line = format_position(parse_position(text))
    assert format_position(parse_position(line)) == line


def outcome_is_clear(take: Callable[[str], None], text: str) -> None:
    """No other exception than ValueError; its message is short, printable, and one line."""
    try:
        take(text)
    except ValueError as error:
        message = str(error)
        assert message
        assert len(message) <= LONGEST_MESSAGE
        assert message.isprintable(), message


@settings(max_examples=1500, deadline=None)
@given(texts)
def test_any_text_is_a_command_or_a_clear_error(text: str) -> None:
    outcome_is_clear(take_command, text)


@settings(max_examples=1500, deadline=None)
@given(texts)
def test_any_text_is_a_position_or_a_clear_error(text: str) -> None:
    outcome_is_clear(take_position, text)


@settings(max_examples=500, deadline=None)
@given(st.dictionaries(st.sampled_from([*DEFAULT_RULES.as_mapping(), "speed"]), json_values, max_size=4))
def test_any_house_rules_are_a_ruleset_or_a_clear_error(values: dict[str, object]) -> None:
    try:
        rules = Ruleset.from_mapping(values)
    except ValueError as error:
        message = str(error)
        assert "house rule" in message
    else:
        assert rules.as_mapping() == {**DEFAULT_RULES.as_mapping(), **values}


@settings(max_examples=1000, deadline=None)
@given(st.sampled_from([*EVENT_TYPES, "Nothing"]), st.integers(-1, 3), json_values)
def test_any_stored_data_is_an_event_or_a_clear_error(name: str, schema: int, data: dict[str, object]) -> None:
    try:
        decode(name, schema, data)
    except ValueError as error:
        message = str(error)
        assert message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "an empty command"),
        ("dance", "not a command: 'dance'"),
        ("draw 2", "nothing may follow 'draw': '2'"),
        ("play", "play needs a card"),
        ("play last", "play needs a card, not 'last'"),
        ("play R2", "not a card: 'R2'"),
        ("play C=P", r"not a colour (R, G, B, Y): 'P'"),
        ("play R7 close last", "after the cards come last, then close or end, not 'close last'"),
        ("play R7 draw", "after the cards come last, then close or end, not 'draw'"),
        ("play R7 last R3", "after the cards come last, then close or end, not 'last R3'"),
        ("PLAY R7", "not a command: 'PLAY'"),
        ("play ?", "not a card: '?'"),
        ("x" * 99, "not a command: '" + "x" * 40 + "\\u2026'"),
    ],
)
def test_a_bad_command_names_its_word(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        parse_command(text)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("pile=R9", "a position needs hands="),
        ("hands=R1/G1", "a position needs pile="),
        ("hands=R1 pile=R9", "hands='R1': a table has 2 to 10 seats"),
        ("hands=R1/G1 pile=-", "pile='-': a card must lie there"),
        ("hands=R1/G2 pile=R9", "hands='R1/G2': not a card: 'G2'"),
        ("hands=R1/G1 pile=R9 draw=B0", "draw='B0': not a card: 'B0'"),
        ("hands=R1,R1,R1/G1 pile=R9", "hands='R1,R1,R1/G1': more R1 than the deck holds"),
        ("hands=R1/G1 pile=K", "a position needs lead= when K lies on top"),
        ("hands=R1/G1 pile=R9 lead=Q", "lead='Q': not a lead (R7, R or any)"),
        ("hands=R1/G1 pile=R9 turn=2", "turn='2': no such seat"),
        ("hands=R1/G1 pile=R9 turn=-", "turn='-': not a seat"),
        ("hands=R1/G1 pile=R9 turn=+1", "turn='+1': not a whole number"),
        ("hands=R1/G1 pile=R9 dir=1", "dir='1': not + or -"),
        ("hands=R1/G1 pile=R9 again=stop", "again='stop': 'stop' is not a valid Again"),
        ("hands=R1/G1 pile=R9 last=0,0", "last='0,0': a seat is named twice"),
        ("hands=R1/G1 pile=R9 stages=8/8", "stages='8/8': needed in ladder mode, and only there"),
        ("hands=R1/G1 pile=R9 seed=12", "seed='12': a seed has 64 hexadecimal digits"),
        ("hands=R1/G1 pile=R9 seed=xy", "seed='xy': a seed has 64 hexadecimal digits"),
        ("hands=R1/G1 pile=R9 owe", "not key=value: 'owe'"),
        ("hands=R1/G1 pile=R9 owe=1 owe=2", "given twice: 'owe'"),
        ("hands=R1/G1 pile=R9 speed=2", "no such key: 'speed'"),
    ],
)
def test_a_bad_position_names_its_word(line: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        parse_position(line)


@pytest.mark.parametrize("stages", ["8", "0/8", "9/8", "8/8/8"])
def test_stages_are_one_a_seat_and_within_bounds(stages: str) -> None:
    with pytest.raises(ValueError, match="stages="):
        parse_position(f"hands=R1/G1 pile=R9 stages={stages}", Ruleset.from_mapping({"mode": "ladder"}))


@pytest.mark.deep
def test_a_million_inputs() -> None:
    """Random words, random bytes, and good texts with one byte changed."""
    chance = random.Random(15)
    good = ["play RT R3 R+2 last close", "play C=G", "accept", format_position(STATE)]
    for number in range(DEEP_INPUTS):
        kind = number % 3
        if kind == 0:
            text = " ".join(chance.choices(WORDS, k=chance.randint(1, 8)))
        elif kind == 1:
            text = "".join(chr(chance.choice((chance.randrange(128), chance.randrange(0x11000)))) for _ in range(12))
        else:
            text = chance.choice(good)
            place = chance.randrange(len(text))
            text = text[:place] + chr(chance.randrange(256)) + text[place + chance.randrange(2) :]
        outcome_is_clear(take_command, text)
        outcome_is_clear(take_position, text)
