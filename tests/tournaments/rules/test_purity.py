"""The rules of a tournament need the standard library's values and the game's shuffle and events, and nothing else."""

import ast
import hashlib
import os
import subprocess
import sys
from pathlib import Path

import tournaments.rules

FOLDER = Path(tournaments.rules.__file__).parent
ALLOWED = {
    "__future__",
    "collections",
    "collections.abc",
    "dataclasses",
    "enum",
    "functools",
    "hashlib",
    "hmac",
    "itertools",
    "types",
    "typing",
    "games.rules",
    "games.rules.shuffle",
}
ALSO = {"stages.py": {"games.rules.events"}}
"""A ladder's stages are folded from its game's events."""


def imported(path: Path) -> set[str]:
    modules: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            modules |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            modules.add(node.module or "")
    return modules


def test_no_module_imports_framework_clock_chance_or_machine() -> None:
    """Each import is on a short list."""
    files = sorted(FOLDER.glob("*.py"))
    assert len(files) > 10
    for path in files:
        allowed = ALLOWED | ALSO.get(path.name, set())
        foreign = {name for name in imported(path) if not name.startswith("tournaments.rules")} - allowed
        if "games.rules" in imported(path):
            assert path.name == "stages.py"
        assert not foreign, path.name


def test_importing_the_rules_loads_no_framework() -> None:
    """Not by a detour either."""
    code = "import sys, tournaments.rules; print(sorted({'django', 'celery', 'psycopg'} & set(sys.modules)))"
    assert run(code) == "[]"


def test_a_tournament_is_the_same_in_every_process() -> None:
    """Whatever the hash seed of the process: no set or dict order reaches the log."""
    code = (
        "import random, hashlib; from tests.tournaments.rules.desk import *;"
        "d = Desk(knockout(5, 3, seeding=Seeding.RANDOM)).started(60); d.play_on(random.Random(4));"
        "print(hashlib.sha256(repr(d.log).encode()).hexdigest())"
    )
    digests = {run(code, PYTHONHASHSEED=number) for number in ("0", "1", "77")}
    assert len(digests) == 1
    assert len(digests.pop()) == len(hashlib.sha256().hexdigest())


def run(code: str, **environment: str) -> str:
    """What this code prints in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=FOLDER.parent.parent,
        env={**os.environ, **environment},
    )
    return done.stdout.strip()
