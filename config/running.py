"""How `manage.py` finds the system that `./taki up` runs: a private file in the data folder, while it runs."""

import json
import os
from collections.abc import Mapping, MutableMapping
from pathlib import Path

from config.env import ROOT
from config.folder import write_private

_NAMES = ("SECRET_KEY", "TAKI_SIGNING_KEY", "DATABASE_URL", "DATABASE_OWNER_URL", "BROKER_URL")
_FILE = "environment.json"


def publish(folder: Path, variables: Mapping[str, str]) -> None:
    """Write down the running system's addresses and key."""
    write_private(folder / _FILE, json.dumps({name: variables[name] for name in _NAMES}))


def withdraw(folder: Path) -> None:
    """The system stopped."""
    (folder / _FILE).unlink(missing_ok=True)


def adopt(environ: MutableMapping[str, str]) -> None:
    """Fill in what the running system uses, if there is one and the environment names no database itself."""
    if environ.get("DATABASE_URL"):
        return
    folder = ROOT / Path(environ.get("TAKI_DATA_DIR") or "var").expanduser()
    try:
        found = json.loads((folder / _FILE).read_text())
    except (OSError, ValueError):
        return
    environ.update({name: str(found[name]) for name in _NAMES if name in found})


def adopt_here() -> None:
    """`adopt` for this process."""
    adopt(os.environ)
