"""Make `.venv` from the lock file: once, by one process at a time, and again when the lock file changes.

Run by any Python, outside of the environment, hence without imports of this project or its dependencies:
`--suits` exits 0 if this Python can make it, `--open` if every user can run this Python, `--made` if the
environment is up to date, `--make` makes it.
"""

import fcntl
import hashlib
import os
import stat
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / ".venv"
LOCK = ROOT / "requirements" / "dev.lock"
STAMP = PLACE / "made-from"
OLDEST = (3, 11)


def main(question: str) -> int:
    """The exit code."""
    if question == "--suits":
        return 0 if sys.version_info >= OLDEST and find_spec("venv") and find_spec("ensurepip") else 1
    if question == "--open":
        return 0 if os.geteuid() != 0 or _everybody_can_run(Path(sys.executable).resolve()) else 1
    if question == "--made":
        return 0 if _made() else 1
    return _make()


def _everybody_can_run(binary: Path) -> bool:
    return all(part.stat().st_mode & stat.S_IXOTH for part in (binary, *binary.parents))


def _wanted() -> str:
    """What the environment must have been made from: the lock file and the folder that it lies in."""
    return hashlib.sha256(LOCK.read_bytes()).hexdigest() + f" {PLACE}\n"


def _made() -> bool:
    try:
        return STAMP.read_text() == _wanted()
    except OSError:
        return False


def _make() -> int:
    with LOCK.open() as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            print("Another process is making .venv; waiting for it.", file=sys.stderr)
            fcntl.flock(held, fcntl.LOCK_EX)
        if _made():
            return 0
        print("Making .venv from requirements/dev.lock …", file=sys.stderr)
        if _works():
            STAMP.unlink(missing_ok=True)
        elif PLACE.is_symlink():
            print(
                f".venv is a link to {PLACE.resolve()}, which was not made for this folder and would be emptied: "
                "remove the link.",
                file=sys.stderr,
            )
            return 1
        elif (code := _run(sys.executable, "-m", "venv", "--clear", str(PLACE))) != 0:
            print("The environment .venv could not be made; see the lines above.", file=sys.stderr)
            return code
        pip = [str(PLACE / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "--no-input", "install"]
        if (code := _run(*pip, "-qq", "--require-hashes", "--no-deps", "-r", str(LOCK))) != 0:
            print("The packages of requirements/dev.lock could not be installed; see the lines above.", file=sys.stderr)
            return code
        # Last, so that an installation that died half-way is never taken for whole.
        STAMP.write_text(_wanted())
        return 0


def _works() -> bool:
    """Whether a usable environment is there already, made in this folder."""
    python = PLACE / "bin" / "python"
    program = "import pip, sys; sys.exit(sys.version_info < (3, 11))"
    try:
        done = subprocess.run([python, "-c", program], capture_output=True, check=False)
        placed = (PLACE / "bin" / "pip").read_text(errors="replace").startswith(f"#!{PLACE}")
    except OSError:
        return False
    return done.returncode == 0 and placed


def _run(*command: str) -> int:
    return subprocess.run(command, check=False, stdin=subprocess.DEVNULL).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
