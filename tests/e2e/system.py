"""A real system, started as `./taki up` starts it, in a temporary folder on free ports."""

import json
import os
import queue
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import psutil

from config.account import ends_with_parent

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE_SECONDS = 90.0
# The environment of the tests' own servers must not reach the system.
_NOT_INHERITED = ("DATABASE_URL", "DATABASE_OWNER_URL", "BROKER_URL", "SECRET_KEY", "DJANGO_SETTINGS_MODULE")


def free_port() -> int:
    """A TCP port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def eventually(true: Callable[[], object], what: str, seconds: float = PATIENCE_SECONDS) -> None:
    """Wait until `true()` is; fails with `what` after that many seconds, which no healthy system needs."""
    patience = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < patience, f"waited {seconds:.0f} s in vain: {what}"
        time.sleep(0.05)


class System:
    """One `up` and everything that it started.

    `start` returns once it said `ready`. `lines` holds what it printed so far. `variables` overrides or adds
    environment variables; `command` is the words that run `up` (as another user, say).
    """

    def __init__(
        self,
        *,
        folder: Path | None = None,
        variables: dict[str, str] | None = None,
        command: tuple[str, ...] = (sys.executable, "-m", "config.up"),
        root: Path = ROOT,
    ) -> None:
        self.own_folder = folder is None
        self.folder = folder or Path(tempfile.mkdtemp(prefix="taki-e2e-", dir="/tmp"))
        self.command = command
        self.root = root
        self.port, self.stream_port = free_port(), free_port()
        inherited = {name: value for name, value in os.environ.items() if name not in _NOT_INHERITED}
        own = {"PORT": str(self.port), "STREAM_PORT": str(self.stream_port), "TAKI_DATA_DIR": str(self.folder)}
        self.environment = {**inherited, **own, **(variables or {})}
        self.lines: list[str] = []
        self._printed: queue.Queue[str | None] = queue.Queue()
        self.up: subprocess.Popen[str] | None = None
        self._family: dict[int, psutil.Process] = {}

    @property
    def url(self) -> str:
        """Where the API answers."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def stream_url(self) -> str:
        """Where the streams answer."""
        return f"http://127.0.0.1:{self.stream_port}"

    def launch(self) -> None:
        """Start `up` and return at once."""
        self._printed = queue.Queue()
        self.lines = []
        self.up = subprocess.Popen(
            [*ends_with_parent("TERM"), *self.command],  # killed tests leave nothing running either
            cwd=self.root,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        threading.Thread(target=self._collect, args=(self.up, self._printed), daemon=True).start()

    def _collect(self, up: subprocess.Popen[str], printed: "queue.Queue[str | None]") -> None:
        assert up.stdout is not None
        for line in up.stdout:
            printed.put(line.rstrip("\n"))
        printed.put(None)

    def start(self) -> None:
        """Start `up` and wait for its ready line."""
        self.launch()
        self.wait_for_line("ready http://")

    def wait_for_line(self, beginning: str) -> str:
        """The next line that begins so; fails when `up` ends or stays silent instead."""
        while True:
            try:
                line = self._printed.get(timeout=PATIENCE_SECONDS)
            except queue.Empty:
                raise AssertionError(f"no line “{beginning}…” in {self.lines}\n{self.logs()}") from None
            if line is None:
                raise AssertionError(f"up ended without a line “{beginning}…”: {self.lines}\n{self.logs()}")
            self.lines.append(line)
            self._note_family()
            if line.startswith(beginning):
                return line

    def ended(self) -> tuple[int, str]:
        """Wait for `up` to end by itself: its exit code and all that it printed."""
        assert self.up is not None
        code = self.up.wait(PATIENCE_SECONDS)
        while (line := self._printed.get(timeout=5)) is not None:
            self.lines.append(line)
        return code, "\n".join(self.lines)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """Send `up` a signal and wait for its end; then nothing that it started may still run."""
        assert self.up is not None
        self._note_family()
        self.up.send_signal(number)
        told = self.ended()
        self.assert_nothing_left()
        return told

    def restart(self) -> None:
        """Stop everything, then start again on the same data."""
        self.stop()
        self.start()

    def pid(self, name: str) -> int:
        """The process id of `postgres`, `valkey`, `api`, `streams`, `worker`, `beat` or `supervisord`; 0 when down."""
        try:
            records = json.loads((self.folder / "processes.json").read_text())
        except (OSError, ValueError):
            return 0
        found = [int(record["pid"]) for record in records if record["name"] == name]
        return found[0] if found and psutil.pid_exists(found[0]) else 0

    def kill(self, name: str, number: signal.Signals = signal.SIGKILL) -> int:
        """Send one process a signal; its pid."""
        pid = self.pid(name)
        assert pid, f"{name} is not running"
        self._note_family()
        os.kill(pid, number)
        return pid

    def kill_and_wait(self, name: str) -> None:
        """Kill one process and wait until it runs again under another pid."""
        old = self.kill(name)
        eventually(lambda: self.pid(name) not in (0, old), f"{name} runs again")
        self._note_family()

    def wait_until_ready(self) -> None:
        """Wait until `/readyz` is green."""
        eventually(lambda: self.readiness() == 200, "the system is ready again")

    def readiness(self) -> int:
        """The status of `/readyz`; 0 when nobody answers."""
        try:
            return httpx.get(f"{self.url}/readyz", timeout=20).status_code
        except httpx.TransportError:
            return 0

    def manage(self, *arguments: str) -> str:
        """What `manage.py` prints, run on this system."""
        environment = {"PATH": os.environ["PATH"], "TAKI_DATA_DIR": str(self.folder)}
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(command, cwd=self.root, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def _note_family(self) -> None:
        """Remember every process that belongs to this system, also those that their parents outlive."""
        pids = [self.up.pid] if self.up is not None else []
        for pid in [*pids, self.pid("supervisord")]:
            try:
                found = psutil.Process(pid) if pid else None
                for each in [found, *found.children(recursive=True)] if found else []:
                    if each is not None:
                        self._family[each.pid] = each
            except psutil.NoSuchProcess:
                continue

    def survivors(self) -> list[str]:
        """The command lines of the processes of this system that still run."""
        alive = [each for each in self._family.values() if each.is_running()]
        return [" ".join(_command(each)) for each in alive if each.status() != psutil.STATUS_ZOMBIE]

    def assert_nothing_left(self) -> None:
        """Nothing that was started still runs, and nobody listens on the ports."""
        eventually(lambda: not self.survivors(), f"left running: {self.survivors()}", 20)
        for port in (self.port, self.stream_port):
            with socket.socket() as probe:
                assert probe.connect_ex(("127.0.0.1", port)) != 0, f"somebody still listens on {port}"

    def logs(self) -> str:
        """The end of every log, for a failed test's report."""
        files = sorted((self.folder / "log").glob("*.log"))
        return "\n".join(f"== {file.name}\n{file.read_text(errors='replace')[-1500:]}" for file in files)

    def close(self) -> None:
        """End whatever still runs and remove the folder."""
        self._note_family()
        if self.up is not None and self.up.poll() is None:
            self.up.terminate()
            try:
                self.up.wait(60)
            except subprocess.TimeoutExpired:
                self.up.kill()
        for each in self._family.values():
            if each.is_running():
                each.kill()
        if self.own_folder:
            shutil.rmtree(self.folder, ignore_errors=True)


def _command(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return ["?"]
