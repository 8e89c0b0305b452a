"""The script `taki`: it makes the environment once, whatever happens meanwhile. With a lock file that names nothing."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deploy.compose import ROOT
from tests.e2e.system import eventually

SAYING = "Making .venv from requirements/dev.lock"
MANAGE = "import sys; print('managed', *sys.argv[1:])\n"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with the script, what it needs, and a `manage.py` that only repeats its arguments."""
    place = tmp_path / "a checkout"
    (place / "requirements").mkdir(parents=True)
    for file in ("taki", "requirements/environment.py"):
        shutil.copy(ROOT / file, place / file)
    (place / "requirements" / "dev.lock").write_text("# nothing\n")
    (place / "manage.py").write_text(MANAGE)
    return place


def _start(checkout: Path, *words: str, path: str | None = None, python: str = "") -> subprocess.Popen[str]:
    environment = {"PATH": path or f"{Path(sys.executable).parent}:{os.environ['PATH']}", "HOME": str(checkout)}
    environment |= {"PYTHON": python} if python else {}
    return subprocess.Popen(
        [str(checkout / "taki"), *words],
        cwd=checkout.parent,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def _done(started: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = started.communicate(timeout=120)
    return started.returncode, out, err


def test_two_at_once_make_one_environment_and_a_later_one_makes_none(checkout: Path) -> None:
    """The second waits for the first; arguments with spaces arrive whole; nothing is made twice."""
    first, second = _start(checkout, "manage", "a b", "*"), _start(checkout, "manage", "x")
    results = _done(first), _done(second)
    assert [result[:2] for result in results] == [(0, "managed a b *\n"), (0, "managed x\n")]
    assert sum(SAYING in result[2] for result in results) == 1
    assert _done(_start(checkout, "manage", "again")) == (0, "managed again\n", "")


def test_an_installation_that_died_half_way_is_made_anew(checkout: Path) -> None:
    """Killed in the middle, at any moment, it is never taken for whole."""
    for _ in range(3):
        started = _start(checkout, "manage", "x")
        eventually((checkout / ".venv").exists, "it began", 60)
        os.killpg(started.pid, signal.SIGKILL)
        started.wait()
    code, out, err = _done(_start(checkout, "manage", "x"))
    assert (code, out) == (0, "managed x\n")
    assert SAYING in err


def test_another_lock_file_or_another_folder_installs_again(checkout: Path) -> None:
    """A changed lock file is noticed, and so is an environment that was moved."""
    _done(_start(checkout, "manage"))
    (checkout / "requirements" / "dev.lock").write_text("# nothing, differently\n")
    assert SAYING in _done(_start(checkout, "manage"))[2]
    moved = checkout.rename(checkout.with_name("moved"))
    assert SAYING in _done(_start(moved, "manage"))[2]
    assert (moved / ".venv" / "bin" / "pip").read_text().startswith(f"#!{moved}") or " " in str(moved)


def test_a_machine_without_python_is_told_so(checkout: Path, tmp_path: Path) -> None:
    """One sentence that names what is missing, and a failing exit code."""
    empty = tmp_path / "bin"
    empty.mkdir()
    for tool in ("dirname", "cat"):
        (empty / tool).symlink_to(f"/usr/bin/{tool}")
    script = (checkout / "taki").read_text().replace("/usr/bin/python3 /usr/local/bin/python3", "")
    (checkout / "taki").write_text(script)
    code, out, err = _done(_start(checkout, "manage", path=str(empty)))
    assert (code, out) == (1, "")
    assert err.startswith("No Python 3.11 or newer with venv and pip was found: install one")


def test_the_python_that_is_named_is_taken_or_refused(checkout: Path) -> None:
    """PYTHON decides; one that does not suit is one sentence, and no other is taken instead."""
    code, out, err = _done(_start(checkout, "manage", python="/bin/false"))
    assert (code, out) == (1, "")
    assert err == "PYTHON names “/bin/false”, which is no Python 3.11 or newer with venv and pip.\n"
    assert _done(_start(checkout, "manage", python=sys.executable))[0] == 0


def test_an_unknown_command_is_an_error_and_help_is_not(checkout: Path) -> None:
    """Neither makes an environment."""
    code, _, err = _done(_start(checkout, "downn"))
    assert code == 2
    assert err.startswith("There is no command “downn”.")
    assert _done(_start(checkout, "help"))[0] == 0
    assert not (checkout / ".venv").exists()


def test_an_environment_that_is_another_folders_is_not_emptied(checkout: Path, tmp_path: Path) -> None:
    """A link to one is named and left alone, with everything that is in it."""
    others = tmp_path / "others"
    (others / "bin").mkdir(parents=True)
    (others / "bin" / "kept").write_text("kept")
    (checkout / ".venv").symlink_to(others)
    code, _, err = _done(_start(checkout, "manage", "x"))
    assert code == 1
    assert "remove the link" in err
    assert (others / "bin" / "kept").read_text() == "kept"
