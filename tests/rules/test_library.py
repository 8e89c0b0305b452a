"""The engine is a library of its own: its documentation runs, and it loads nothing but the standard library."""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path

import pytest

import games.rules
from games.rules.commands import ALL_COMMANDS, COMMAND_ID
from games.rules.notation import format_command

ROOT = Path(__file__).parents[2]


def test_the_documentation_runs() -> None:
    failed, tried = doctest.testfile(str(ROOT / "docs/rules-engine.md"), module_relative=False)
    assert tried > 20
    assert not failed


def test_the_packages_example_runs() -> None:
    failed, tried = doctest.testmod(games.rules)
    assert (failed, tried) == (0, 3)


def test_importing_the_engine_loads_the_standard_library_alone() -> None:
    """Neither Django nor any other package: what is loaded is Python's own or lies under games."""
    program = (
        "import sys, games.rules, games.rules.cases; "
        "print(*sorted({name.partition('.')[0] for name in sys.modules} - set(sys.stdlib_module_names)))"
    )
    run = subprocess.run(
        [sys.executable, "-S", "-c", program], cwd=ROOT, capture_output=True, text=True, check=True, env={}
    )
    assert set(run.stdout.split()) == {"__main__", "games"}


KNOWN_IDS = {
    0: "play R1",
    12: "play RT",
    51: "play YT",
    52: "play ST",
    55: "play X3",
    56: "play ST=R",
    60: "play C=R",
    63: "play C=Y",
    64: "draw",
    65: "close",
    66: "end",
    67: "last",
    68: "accept",
    69: "leave",
    70: "timeout",
    71: "stop",
}


@pytest.mark.parametrize(("number", "text"), KNOWN_IDS.items())
def test_a_commands_id_never_changes(number: int, text: str) -> None:
    """Agents have learnt them, clients have stored them."""
    assert format_command((ALL_COMMANDS[number],)) == text
    assert COMMAND_ID[ALL_COMMANDS[number]] == number


def test_there_are_72_commands() -> None:
    assert len(ALL_COMMANDS) == len(set(ALL_COMMANDS)) == 72
