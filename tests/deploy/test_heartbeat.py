"""Signs of life, and the end of whoever gives none."""

import os
import subprocess
import sys
import time
from pathlib import Path

from config.heartbeat import LATE_SECONDS, Pulse, beats
from tests.deploy.compose import ROOT


def test_a_beat_is_seen_and_an_old_one_is_not(tmp_path: Path) -> None:
    """The health check believes only a recent sign, and none at all before the first."""
    folder = tmp_path / "not" / "yet"
    assert not beats(folder, "worker")
    Pulse("worker", folder).beat()
    assert beats(folder, "worker")
    assert not beats(folder, "beat")
    long_ago = time.time() - LATE_SECONDS - 1
    os.utime(folder / "worker", (long_ago, long_ago))
    assert not beats(folder, "worker")


def test_the_health_check_is_a_command(tmp_path: Path) -> None:
    """Exit code 1 without a sign of life, 0 with one."""
    environment = {**os.environ, "TAKI_HEARTBEATS": str(tmp_path)}
    command = [sys.executable, "-m", "config.heartbeat", "beat"]
    assert subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode == 1
    Pulse("beat", tmp_path).beat()
    assert subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode == 0


def test_a_process_that_does_nothing_ends_itself() -> None:
    """Its main thread hangs for ever, and still it ends, with an error that says why."""
    program = (
        "import threading, config.heartbeat as heartbeat\n"
        "heartbeat.GIVE_UP_SECONDS = 1\n"
        "heartbeat.Pulse('worker', None).end_when_silent()\n"
        "threading.Event().wait()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert "The worker did nothing for 1 seconds and ends itself." in done.stderr
