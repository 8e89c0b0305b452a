"""A Python client generated from the published document plays a whole game against the running system."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.e2e.system import ROOT, System

HERE = Path(__file__).parent / "python"
PATIENCE_SECONDS = 120


def generated(folder: Path) -> None:
    """The client as `openapi-python-client` makes it; what it cannot read is an error."""
    command = [str(Path(sys.executable).parent / "openapi-python-client"), "generate", "--meta", "none"]
    paths = ["--path", str(ROOT / "docs" / "api" / "openapi.json"), "--output-path", str(folder / "taki_client")]
    made = subprocess.run(
        [*command, *paths, "--config", str(HERE / "config.yaml")],
        cwd=folder,
        # It formats what it makes by ruff, if it finds it.
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    assert "WARNING" not in made.stdout + made.stderr, made.stdout + made.stderr


def test_a_generated_python_client_plays_a_game(system: System, tmp_path: Path) -> None:
    """Two guests, every move by generated functions and models, and the ranking at the end."""
    generated(tmp_path)
    played = subprocess.run(
        [sys.executable, str(HERE / "play.py"), system.url],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert played.returncode == 0, played.stderr
    told = json.loads(played.stdout)
    assert told["phase"] == "finished"
    assert sorted(placing["rank"] for placing in told["ranking"]) == [1, 2]
    assert told["ranking"][0]["seat"] == told["winner"]
    assert (told["first"], told["nowhere"], told["committed"]) == ("GameStarted", "not_found", True)
    assert told["moves"] >= 3
