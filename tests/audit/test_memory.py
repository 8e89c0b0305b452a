"""However long a game, checking it takes little memory: it is streamed."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.audit.games import long_game

ROOT = Path(__file__).resolve().parents[2]
MOST_MIB = 50
MEASURED = """
import resource, sys
sys.path.insert(0, {root!r})
from games.audit.verify import program, ed25519
from games.rules import codec
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
status = program.main([{path!r}])
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
sys.exit(status)
"""


@pytest.mark.parametrize("how", ["export", "many games"])
def test_a_long_game_is_checked_in_bounded_memory(tmp_path: Path, how: str) -> None:
    """10,000 events, once and five times in a file: at most 50 MiB beyond the program itself."""
    texts = long_game().texts()
    assert len(texts) >= 10_000
    path = tmp_path / "long.ndjson"
    path.write_text("".join(f"{text}\n" for text in texts) * (5 if how == "many games" else 1), encoding="ascii")
    code = MEASURED.format(root=str(ROOT), path=str(path))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.splitlines()[-1]) <= MOST_MIB
