"""docs/audit.md and docs/record.md are true: their example is a real game, and their programs run."""

import io
import random
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from games import chain
from games.audit.record import Sitting, print_record, record_of
from games.audit.verify import read_line
from games.audit.verify.program import WHOLE, main
from games.rules.cards import Seat
from games.rules.commands import LEAVE
from games.rules.decide import advance
from games.rules.ruleset import DEFAULT_RULES
from tests.audit.games import USUAL, Fate, Written, begun
from tests.audit.test_program import signed

DOCS = Path(__file__).resolve().parents[2] / "docs"
SEED = bytes(range(32))
SITTINGS = (Sitting(Seat(0), "Dana", bot=False), Sitting(Seat(1), "Noam", bot=False))


def example() -> Written:
    """The example: two seats with three cards each; seat 1 leaves after a second and a half."""
    written = begun(server_seed=SEED, rules=replace(DEFAULT_RULES, hand_size=3), seats=2, limits=USUAL)
    fate = Fate(written, random.Random(0))
    fate.accepting = set()
    fate.at += 1_500
    fate.tell(advance(written.state, Seat(1), (LEAVE,)).events, "seat:1")
    return written


def text(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def test_the_example_is_the_game_that_the_page_speaks_of() -> None:
    """Line for line what the server would export, and its record."""
    lines = signed(example())
    assert text("audit-example.ndjson") == "".join(f"{line}\n" for line in lines)
    read = [read_line(line) for line in lines]
    record = record_of(lambda: read, limits=USUAL, name="An example", sittings=SITTINGS)
    assert text("audit-example.taki") == print_record(record)


@pytest.mark.parametrize("name", ["audit-example.ndjson", "audit-example.taki"])
def test_the_example_verifies(name: str) -> None:
    """As the page says."""
    assert main([str(DOCS / name)], io.StringIO()) == WHOLE


def test_the_values_of_the_page_are_those_of_the_example() -> None:
    """Commitment, seed, salts, hashes, canonical JSON, signed bytes."""
    page, lines = text("audit.md"), example().lines()
    digests = [chain.entropy_digest(entropy) for entropy in example().entropy]
    values = {
        "commitment": chain.commitment(SEED).hex(),
        "seed": chain.game_seed(SEED, digests).hex(),
        "hash(0)": chain.genesis(example().game_id).hex(),
        "salt(4)": chain.salt(SEED, 4).hex(),
        "hash(3)": lines[2].hash,
        "hash(4)": lines[3].hash,
    }
    for name, value in values.items():
        assert f"{name:<10} = {value}" in page, name
    line = lines[3]
    spelt = chain.canonical_event(
        version=4, event_type=line.type, schema=line.schema, data=line.data, actor=line.actor, at=line.at
    )
    assert spelt.decode() in page


def programs(name: str) -> list[str]:
    """The Python blocks of a page."""
    return re.findall(r"^```python\n(.*?)^```$", text(name), re.MULTILINE | re.DOTALL)


def test_the_program_of_the_page_verifies_the_example_with_nothing_of_ours() -> None:
    """A second verifier, of the standard library alone: it finds the example whole, and a change in it."""
    (program,) = programs("audit.md")
    assert "games" not in program
    for content, status in (
        (text("audit-example.ndjson"), 0),
        (text("audit-example.ndjson").replace("seat:1", "seat:0"), 1),
    ):
        done = subprocess.run(
            [sys.executable, "-I", "-c", program], input=content, capture_output=True, text=True, check=False
        )
        assert done.returncode == status, done.stdout + done.stderr
    assert "AssertionError: version 5" in done.stderr


def test_the_program_of_the_records_page_runs() -> None:
    """It reads the example's record back."""
    (program,) = programs("record.md")
    done = subprocess.run([sys.executable, "-c", program], cwd=DOCS.parent, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("last_seat 0 ['GameStarted', 'SeedCommitted', 'CardsDealt'")


def test_every_word_of_the_record_is_in_its_grammar() -> None:
    """The tags and the words that are no commands of section 15."""
    page = text("record.md")
    for tag in (
        "Taki",
        "Game",
        "Name",
        "Date",
        "Time",
        "Rules",
        "HouseRules",
        "Clock",
        "Seats",
        "Seat",
        "Starter",
        "First",
    ):
        assert f'"{tag}' in page or f"`{tag}`" in page, tag
    for word in ("credit", "back", "missed", "away", "abort"):
        assert f'"{word}' in page, word
