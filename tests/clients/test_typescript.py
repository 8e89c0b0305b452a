"""TypeScript types generated from the published document compile strictly and play a whole game."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.system import ROOT, System

HERE = Path(__file__).parent / "typescript"
DOCUMENT = ROOT / "docs" / "api" / "openapi.json"
PATIENCE_SECONDS = 300
NODE = ("node", "npm")


def _needs_node() -> None:
    """Where CI runs there is Node; elsewhere who has none is told so."""
    missing = [name for name in NODE if shutil.which(name) is None]
    if missing and "CI" not in os.environ:
        pytest.skip(f"no {' and '.join(missing)} here: the TypeScript client is not tried")
    assert not missing, f"install {' and '.join(missing)}"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The project with its packages installed by its lock file, in a folder of its own."""
    _needs_node()
    folder = tmp_path_factory.mktemp("typescript")
    for name in ("package.json", "package-lock.json", "tsconfig.json", "play.ts"):
        shutil.copy(HERE / name, folder)
    _run(folder, "npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts")
    yield folder
    shutil.rmtree(folder / "node_modules", ignore_errors=True)


def _run(folder: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_lock_file_names_no_address_and_pins_every_package() -> None:
    """It works with whatever registry npm is set to, and what comes from there is checked."""
    lock = json.loads((HERE / "package-lock.json").read_text())
    packages = {name: package for name, package in lock["packages"].items() if name}
    assert not [name for name, package in packages.items() if "resolved" in package]
    assert all(package["integrity"].startswith("sha512-") for package in packages.values())
    assert "http" not in (HERE / "package-lock.json").read_text().replace("https-proxy-agent", "")


def test_generated_typescript_plays_a_game(system: System, project: Path) -> None:
    """Types by `openapi-typescript`, no error under `strict`, and two guests play to the end with them."""
    types = ("openapi-typescript", str(DOCUMENT), "-o", "schema.d.ts", "--default-non-nullable", "false")
    _run(project, "npx", "--no-install", *types)
    _run(project, "npx", "--no-install", "tsc")
    told = json.loads(_run(project, "node", "play.js", system.url))
    assert told["phase"] == "finished"
    assert sorted(placing["rank"] for placing in told["ranking"]) == [1, 2]
    assert told["ranking"][0]["seat"] == told["winner"]
    assert (told["field"], told["committed"]) == ("cards.0.card", True)
    assert told["moves"] >= 3
