"""Debian's Chromium: where it is, how it is got, how it is started so that it calls nobody but the system."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

PLACE: Final = Path(os.environ.get("CHROMIUM_FOR_TESTS", "/usr/bin/chromium"))
# `./taki test` sets it: only then may packages be installed.
MAY_INSTALL: Final = "MAY_INSTALL_CHROMIUM"
PACKAGES: Final = ("chromium", "fonts-noto-core")  # the fonts have Hebrew
INSTALL_SECONDS: Final = 600
FLAGS: Final = (
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--force-color-profile=srgb",
)


def flags() -> list[str]:
    """Chromium's flags; root has no sandbox."""
    return [*FLAGS, "--no-sandbox"] if os.geteuid() == 0 else list(FLAGS)


def absent() -> str:
    """Why there is no browser, after one attempt to install it where that is allowed; empty if there is one."""
    if PLACE.exists():
        return ""
    if not os.environ.get(MAY_INSTALL):
        return "there is no chromium; `./taki test` as root installs it"
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return "there is no chromium, and it can be installed by root with apt only"
    return "" if _install() and PLACE.exists() else "chromium could not be installed by apt"


def _install() -> bool:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    wait = ("-o", "DPkg::Lock::Timeout=300", "-qq")
    # Lists may be fresh already, or partly out of reach: what counts is whether the installation succeeds.
    _quiet(("apt-get", *wait, "update"), environment)
    return _quiet(("apt-get", *wait, "install", "-y", "--no-install-recommends", *PACKAGES), environment)


def _quiet(command: tuple[str, ...], environment: dict[str, str]) -> bool:
    try:
        done = subprocess.run(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=INSTALL_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
