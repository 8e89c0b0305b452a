"""The record: a game as text that people read, and that leads back to its log, hash for hash."""

import io
import random
import re
import string
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.audit.record import (
    Part,
    Record,
    RecordError,
    Sitting,
    lines_of,
    parse_record,
    print_record,
    record_of,
    split_records,
)
from games.audit.record.program import main as turn
from games.audit.verify import Forged, Line, read_line, verify_export
from games.audit.verify.lines import Seal
from games.audit.verify.program import FORGED, UNREADABLE, WHOLE
from games.clock import Limits
from games.rules.cards import Seat
from games.rules.notation import parse_command
from games.rules.ruleset import DEFAULT_RULES
from tests.audit.games import Fate, Written, begun, random_game
from tests.audit.test_program import Desk, signed
from tests.audit.test_verify import short_game

SITTINGS = (
    Sitting(Seat(0), "Dana", bot=False),
    Sitting(Seat(1), "greedy", bot=True),
    Sitting(Seat(0), "Eva", False, 9),
)


def record(written: Written) -> Record:
    """The game's record, with names."""
    return record_of(written.lines, limits=written.limits, name="Friday", sittings=SITTINGS)


@cache
def short_text() -> str:
    """The short game's record as text."""
    return print_record(record(short_game()))


def facts(lines: list[Line]) -> list[tuple[object, ...]]:
    """Everything that a log says."""
    return [line[:8] for line in lines]


def tell_and_lead_back(number: int) -> None:
    """A game of any kind to its record, to its text, and all the way back."""
    written = random_game(random.Random(number))
    told = record(written)
    text = print_record(told)
    assert parse_record(text) == told
    assert print_record(parse_record(text)) == text
    assert facts(list(lines_of(parse_record(text)))) == facts(written.lines())


@pytest.mark.parametrize("number", range(20))
def test_a_record_leads_back_to_its_log(number: int) -> None:
    """Every event with its data, author and time, and so every hash; parsing and printing are each other's inverse."""
    tell_and_lead_back(number)


@pytest.mark.parametrize("number", range(8))
def test_a_record_is_made_of_a_log_alone(number: int) -> None:
    """With the clock as it is learnt from it, where the log tells it."""
    written = random_game(random.Random(number))
    try:
        told = record_of(written.lines)
    except ValueError:
        verified = verify_export(written.texts())
        assert verified.clock.bank is None
        return
    assert facts(list(lines_of(told))) == facts(written.lines())


@pytest.mark.deep
@pytest.mark.parametrize("hundred", range(10))
def test_a_thousand_records_lead_back_to_their_logs(hundred: int) -> None:
    """The same, a thousand times, by way of the text."""
    for number in range(1_000 + 100 * hundred, 1_100 + 100 * hundred):
        tell_and_lead_back(number)


NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=0, max_size=24)


@given(name=NAMES, player=NAMES, bot=st.booleans(), since=st.integers(0, 10**6))
def test_any_name_comes_back_as_it_was(name: str, player: str, bot: bool, since: int) -> None:
    """Quotes, backslashes, brackets, line ends, any script, and none."""
    tags = replace(parse_record(short_text()).tags, name=name, sittings=(Sitting(Seat(1), player, bot, since),))
    assert parse_record(print_record(Record(tags, ()))).tags == tags


def test_a_record_is_what_people_would_write() -> None:
    """Tags, then a line for each command, numbered by turns, with the time at its end."""
    text = short_text()
    tags, _, moves = text.partition("\n\n")
    assert '[Name "Friday"]' in tags
    assert '[Seat 0 "Dana"]\n[Seat 0 from 9 "Eva"]' not in tags  # in the order given
    assert '[Seat 1 bot "greedy"]' in tags
    assert '[HouseRules "hand_size=3 max_turns=12"]' in tags
    assert '[Clock "turn=60 bank=0 increment=0 window=8"]' in tags
    for line in moves.splitlines():
        assert re.fullmatch(r"( {3}\d| {2}\d\d)\. \d: .+ \{0:00:\d\d\.\d{3}\}| {6}\d: .+ \{0:00:\d\d\.\d{3}\}", line), (
            line
        )
    numbers = [int(line[:4]) for line in moves.splitlines() if line[:4].strip()]
    assert numbers == list(range(1, numbers[-1] + 1))


def test_a_command_of_several_parts_is_one_move() -> None:
    """As it was given: cards, then last, then close or end; a stroke stands between those of several seats."""
    awaited = {
        r": play \S+ \S+ last",
        r": play (\S+ )+close \{",
        r"clock: timeout / missed \d 2 / away \d",
        r": play \+3 / \d: accept",
        r"clock: credit \d+ / ",
    }
    for number in (13, 41):
        text = print_record(record(random_game(random.Random(number))))
        awaited -= {what for what in awaited if re.search(what, text)}
    assert not awaited


def test_names_are_neither_hashed_nor_needed() -> None:
    """After an erasure the name is another, and the record leads to the same log."""
    erased = short_text().replace('"Dana"', '"deleted player"')
    assert facts(list(lines_of(parse_record(erased)))) == facts(short_game().lines())
    nameless = "".join(line for line in short_text().splitlines(True) if not line.startswith(("[Seat ", "[Name")))
    assert facts(list(lines_of(parse_record(nameless)))) == facts(short_game().lines())


def test_comments_and_blank_lines_are_passed_over() -> None:
    """A semicolon begins a line of comment; spaces at the ends of lines do not matter."""
    dressed = "; found in an attic\n\n" + short_text().replace("\n", "  \n; well played!\n").replace("\n", "\r\n")
    assert parse_record(dressed) == parse_record(short_text())


def test_a_signature_is_kept() -> None:
    """So a record proves who wrote the log as well as an export does."""
    seal = Seal("ab" * 64, "0" * 16, "cd" * 32)
    told = replace(record(short_game()), tags=replace(record(short_game()).tags, seal=seal))
    assert parse_record(print_record(told)) == told
    assert list(lines_of(told))[-1].seal == seal


def test_a_log_that_the_rules_do_not_lead_to_has_no_record() -> None:
    """A record tells lawful games only."""
    lines = short_game().lines()
    with pytest.raises(Forged):
        record_of(lambda: [*lines[:5], *lines[6:]], limits=short_game().limits)


# ---- taki verify


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_records_are_verified_like_exports(desk: Desk) -> None:
    """One of them, and several in a file, as PGN has it."""
    status, said = desk.said(short_text().encode(), "--json")
    assert status == WHOLE
    assert short_game().lines()[-1].hash in said
    other = print_record(record(random_game(random.Random(3))))
    status, said = desk.said(f"; two games\n{short_text()}\n{other}".encode())
    assert status == WHOLE
    assert "2 whole" in said
    assert [before for before, _ in split_records(f"{short_text()}\n{other}")] == [0, short_text().count("\n") + 1]


def test_a_signed_export_and_its_record_have_the_same_signature(desk: Desk) -> None:
    """It is checked in both."""
    lines = [read_line(line) for line in signed(short_game())]
    text = print_record(record_of(lambda: lines, limits=short_game().limits))
    status, said = desk.said(text.encode())
    assert status == WHOLE
    assert "by key" in said
    spoilt = re.sub(r'\[Signature "..', '[Signature "00', text)
    assert desk.said(spoilt.encode())[0] == FORGED


def moves_of(text: str) -> list[str]:
    return text.partition("\n\n")[2].splitlines(keepends=True)


@pytest.mark.parametrize("place", range(len(moves_of(short_text()))))
def test_a_changed_move_is_found_out(desk: Desk, place: int) -> None:
    """Dropped, told twice, or a millisecond later: it leads to another head, or is not allowed."""
    head, moves = short_text().partition("\n\n")[0], moves_of(short_text())
    line = moves[place]
    later = re.sub(r"(\d)\}", lambda found: f"{(int(found[1]) + 1) % 10}}}", line)
    for other in ([], [line, line], [later]):
        status, _ = desk.said(f"{head}\n\n{''.join([*moves[:place], *other, *moves[place + 1 :]])}".encode())
        assert status in (FORGED, UNREADABLE)


CLAIMS = ("Result", "Ranking", "Events", "Head", "Commitment", "Seed", "First", "Time", "Starter", "Game")


@pytest.mark.parametrize("name", CLAIMS)
def test_a_changed_tag_is_found_out(desk: Desk, name: str) -> None:
    """Whatever is not a name is either used to replay the game or held against what it leads to."""
    others = {"Starter": "server", "Time": "12:00:00.001Z", "First": "2", "Events": "9"}
    value = re.search(rf'\[{name} "(.*)"\]', short_text())
    assert value
    other = others.get(name, value[1][::-1])
    assert other != value[1]
    status, _ = desk.said(short_text().replace(f'[{name} "{value[1]}"]', f'[{name} "{other}"]').encode())
    assert status in (FORGED, UNREADABLE)


BAD = {
    "no tags": "1. 0: draw {0:00:00.000}\n",
    "a missing tag": short_text().replace("[Head ", "; [Head "),
    "an unknown tag": short_text().replace("[Head ", "[Tail "),
    "a tag twice": short_text().replace("[Head ", '[First "1"]\n[Head '),
    "a later notation": short_text().replace('[Taki "1"]', '[Taki "2"]'),
    "later rules": short_text().replace('[Rules "1"]', '[Rules "2"]'),
    "no quotes": short_text().replace('[Seats "3"]', "[Seats 3]"),
    "too many seats": short_text().replace('[Seats "3"]', '[Seats "11"]'),
    "no such first": short_text().replace('[First "', '[First "7'),
    "a bad hash": short_text().replace('[Seed "', '[Seed "0'),
    "an entropy too few": re.sub(r"\[Entropy 2 .*\n", "", short_text()),
    "entropies in disorder": short_text().replace("[Entropy 1", "[Entropy 2"),
    "an unknown house rule": short_text().replace("hand_size=3", "hand=3"),
    "a house rule twice": short_text().replace("hand_size=3", "hand_size=3 hand_size=3"),
    "half a clock": short_text().replace(" window=8", ""),
    "no such date": re.sub(r"\[Date .*", '[Date "2026-02-30"]', short_text()),
    "half a signature": short_text().replace("[Head ", '[Key "00"]\n[Head '),
    "a tag after the moves": short_text() + '[Name "late"]\n',
    "no time": short_text() + "0: draw\n",
    "a time that is none": short_text() + "0: draw {0:61:00.000}\n",
    "no actor": short_text() + "draw {9:00:00.000}\n",
    "an unknown actor": short_text() + "dealer: draw {9:00:00.000}\n",
    "no command": short_text() + "0: pass {9:00:00.000}\n",
    "no such card": short_text() + "0: play R2 {9:00:00.000}\n",
    "nothing between strokes": short_text() + "0: draw /  / 1: draw {9:00:00.000}\n",
    "leave without a seat": short_text() + "server: leave {9:00:00.000}\n",
    "a huge number": short_text() + f"clock: credit {'9' * 5_000} {{9:00:00.000}}\n",
    "a wrong turn": short_text().replace("   2. ", "   3. "),
    "a seat told badly": short_text().replace("[Seat 1 bot", "[Seat 1 robot"),
    "binary": "[Taki \0\0\0",
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_record_gets_one_clear_sentence(desk: Desk, name: str) -> None:
    """With its line; never a traceback."""
    status, said = desk.said(BAD[name].encode())
    assert status in (UNREADABLE, FORGED)
    assert status == UNREADABLE or name == "no such first"
    assert len(said) < 700


def test_random_damage_to_a_record_is_never_a_traceback(desk: Desk) -> None:
    """Letters changed, cut out and put in anywhere."""
    chance = random.Random(9)
    content = short_text().partition('[Starter "')[2]
    head = short_text().removesuffix(content)
    for _ in range(150):
        at, put = chance.randrange(len(content)), chance.choice(string.printable) * chance.randrange(3)
        status, said = desk.said((head + content[:at] + put + content[at + chance.randrange(5) :]).encode())
        assert status in (WHOLE, FORGED, UNREADABLE)
        assert "Traceback" not in said


def test_a_move_that_the_rules_refuse_is_named() -> None:
    """By whom, what, and which rule."""
    written = begun(server_seed=bytes(32), rules=replace(DEFAULT_RULES, max_turns=3), limits=Limits(60, 8))
    Fate(written, random.Random(2)).play()
    told = record(written)
    first = told.groups[0]
    absent = next(card for card in ("K", "X3", "+3", "ST") if card not in str(first))
    group = first._replace(parts=(Part(first.parts[0].actor, first.parts[0].seat, parse_command(f"play {absent}")),))
    with pytest.raises(Forged, match=r"may not play .*: \w+ \(rule \w+\)"):
        list(lines_of(replace(told, groups=(group, *told.groups[1:]))))


def test_the_line_of_a_fault_is_told() -> None:
    """In a file of several records it is the line of the file."""
    with pytest.raises(RecordError) as told:
        parse_record(short_text() + "0: pass {9:00:00.000}\n", before=100)
    assert told.value.line == 101 + short_text().count("\n")


# ---- taki record


def other_form(desk: Desk, content: object, name: str) -> str:
    """What `taki record` makes of a file."""
    out = io.StringIO()
    assert turn([desk.file(content, name)], out) == WHOLE
    return out.getvalue()


def test_an_export_becomes_a_record_and_a_record_an_export(desk: Desk) -> None:
    """There and back it is the same, signature and all; the record verifies."""
    texts = signed(short_game())
    text = other_form(desk, texts, "log.ndjson")
    assert desk.said(text.encode())[0] == WHOLE
    assert other_form(desk, text.encode(), "game.taki").splitlines() == texts


def test_what_is_forged_or_unreadable_is_turned_into_nothing(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    """One sentence, and the exit status of `taki verify`."""
    lines = short_game().texts()
    for content, status in (([*lines[:5], *lines[6:]], FORGED), (b"%PDF", UNREADABLE), (lines[:-1], FORGED)):
        out = io.StringIO()
        assert turn([desk.file(content)], out) == status
        assert out.getvalue() == ""
        assert len(capsys.readouterr().err.splitlines()) == 1
    assert turn([str(desk.folder / "none")], io.StringIO()) == UNREADABLE
    forged = short_text().replace('[Result "', '[Result "not ')
    assert turn([desk.file(forged.encode())], io.StringIO()) == FORGED
