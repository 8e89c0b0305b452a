"""supervisord, told what to run: it restarts what dies and stops everything in order.

It is started in a session of its own, so that a terminal's Ctrl-C or hang-up reaches `config.up` alone; if that
is killed, Linux ends supervisord, and supervisord's end ends its children. What was started is also written to
a file, by which the next `up` finds what survived all of this.
"""

import contextlib
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from http.client import HTTPException
from pathlib import Path
from typing import Any, cast
from xmlrpc.client import Error, ServerProxy

import psutil
from supervisor.xmlrpc import SupervisorTransport

from config.account import SetUpFailed, ends_with_parent
from config.env import ROOT
from config.processes import Process


@dataclass(frozen=True, slots=True)
class Record:
    """A process that was started: pid and start time, which together are never used again."""

    name: str
    pid: int
    started: float


class Supervisor:
    """One running supervisord and its children."""

    def __init__(self, *, folder: Path, sockets: Path) -> None:
        self.folder = folder
        self.log = folder / "log"
        self.records = folder / "processes.json"
        self.socket = sockets / "supervisor.sock"
        self.processes: tuple[Process, ...] = ()
        self.daemon: subprocess.Popen[bytes] | None = None
        self.children: dict[str, Record] = {}

    def start(self, processes: Sequence[Process], environment: Mapping[str, str]) -> None:
        """Start supervisord with all processes known and none running."""
        self.processes = tuple(processes)
        self.log.mkdir(exist_ok=True)
        settings = self.folder / "supervisord.conf"
        settings.write_text(_configuration(processes, socket=self.socket))
        with (self.log / "supervisord-start.log").open("wb") as log:
            self.daemon = subprocess.Popen(
                [*ends_with_parent("TERM"), sys.executable, "-m", "supervisor.supervisord", "-n", "-c", settings],
                cwd=self.folder,
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._remember()

    def call(self, method: str, *arguments: object) -> Any:
        """One call of supervisord's interface. Raises OSError or xmlrpc's Error while it cannot answer."""
        transport = SupervisorTransport(None, None, serverurl=f"unix://{self.socket}")
        with ServerProxy("http://127.0.0.1", transport=transport) as server:
            return getattr(server.supervisor, method)(*arguments)

    @property
    def alive(self) -> bool:
        """Whether supervisord itself runs."""
        return self.daemon is not None and self.daemon.poll() is None

    def answers(self) -> bool:
        """Whether supervisord takes calls yet."""
        try:
            return bool(self.call("getState")["statename"] == "RUNNING")
        except (OSError, HTTPException, Error):
            return False

    def launch(self, name: str) -> None:
        """Start one process; it counts as started at once."""
        self.call("startProcess", name, False)

    def died(self) -> list[str]:
        """The names of the processes that died since the last look; supervisord starts them again.

        Raises SetUpFailed when one died so often that supervisord gave it up.
        """
        names = []
        try:
            infos = cast("list[dict[str, Any]]", self.call("getAllProcessInfo"))
        except (OSError, HTTPException):
            return []  # it does not take calls yet, or it has just ended: `alive` tells
        for found in infos:
            name, pid, before = str(found["name"]), found["pid"], self.children.get(found["name"])
            if before is not None and pid != before.pid:
                names.append(name)
                del self.children[name]
            if pid and name not in self.children and (record := _record(name, pid)):
                self.children[name] = record
            if found["statename"] == "FATAL":
                raise SetUpFailed(f"{name} does not stay up: {self.last_words(name)}")
        self._remember()
        return names

    def last_words(self, name: str) -> str:
        """The last line of the process's log, and where the log is."""
        file = self.log / f"{name}.log"
        try:
            lines = file.read_text(errors="replace").split("\n")
        except OSError:
            lines = []
        said = next((line.strip() for line in reversed(lines) if line.strip()), "it said nothing")
        return f"“{said[-300:]}” (log: {file})"

    def stop(self) -> None:
        """Stop everything in order and wait; whatever does not end in time is killed."""
        if self.daemon is None:
            return
        if self.alive:
            self._stop_children()
            self.daemon.terminate()
        try:
            self.daemon.wait(150)
        except subprocess.TimeoutExpired:
            self.daemon.kill()
        end(list(self.children.values()))
        self.records.unlink(missing_ok=True)

    def _stop_children(self) -> None:
        """Stop one after the other. supervisord's own shutdown does that too, but takes a second for each."""
        with contextlib.suppress(SetUpFailed):
            self.died()  # so that everything that runs is known
        for process in reversed(self.processes):
            try:
                self.call("stopProcess", process.name, False)
            except (OSError, HTTPException, Error):
                continue  # it does not run, or supervisord is gone and its end ends it
            patience = time.monotonic() + process.stop_seconds + 2
            record = self.children.get(process.name)
            while record and _process(record) and time.monotonic() < patience:
                time.sleep(0.02)

    def end_survivors(self) -> list[str]:
        """End what an earlier `up` left running in this folder; the names of what there was."""
        try:
            found = [Record(**record) for record in json.loads(self.records.read_text())]
        except (OSError, ValueError, TypeError):
            return []
        alive = [record for record in found if _process(record)]
        end([record for record in alive if record.name == "supervisord"], patience=120)
        end(alive)
        self.records.unlink(missing_ok=True)
        return [record.name for record in alive]

    def _remember(self) -> None:
        records = list(self.children.values())
        if self.daemon is not None and (own := _record("supervisord", self.daemon.pid)):
            records = [own, *records]
        fresh = self.records.with_suffix(".new")
        fresh.write_text(json.dumps([asdict(record) for record in records]))
        fresh.replace(self.records)


def _record(name: str, pid: int) -> Record | None:
    try:
        return Record(name, pid, psutil.Process(pid).create_time())
    except psutil.NoSuchProcess:
        return None


def _process(record: Record) -> psutil.Process | None:
    try:
        process = psutil.Process(record.pid)
        same = abs(process.create_time() - record.started) < 0.05
        return process if same and process.status() != psutil.STATUS_ZOMBIE else None
    except psutil.NoSuchProcess:
        return None


def end(records: list[Record], *, patience: float = 15) -> None:
    """Ask the processes to end, newest first, then kill what is left with its descendants."""
    for record in reversed(records):
        if process := _process(record):
            family = process.children(recursive=True)
            process.send_signal(signal.SIGINT if record.name == "postgres" else signal.SIGTERM)
            _, stubborn = psutil.wait_procs([process, *family], timeout=patience)
            for each in stubborn:
                each.kill()
            psutil.wait_procs(stubborn, timeout=5)


def _configuration(processes: Sequence[Process], *, socket: Path) -> str:
    """Its file. Paths in it are relative to the data folder, whose name may hold what its format cannot."""
    sections: dict[str, Mapping[str, object]] = {
        "supervisord": {
            "logfile": "log/supervisord.log",
            "logfile_maxbytes": "5MB",
            "pidfile": "supervisord.pid",
            "childlogdir": "log",
            "silent": "true",
            **({"user": "root"} if os.geteuid() == 0 else {}),
        },
        "unix_http_server": {"file": socket, "chmod": "0700"},
        "rpcinterface:supervisor": {
            "supervisor.rpcinterface_factory": "supervisor.rpcinterface:make_main_rpcinterface"
        },
    }
    for order, process in enumerate(processes, start=1):
        sections[f"program:{process.name}"] = _program(process, order=order)
    return "\n".join(
        f"[{name}]\n" + "".join(f"{key}={str(value).replace('%', '%%')}\n" for key, value in section.items())
        for name, section in sections.items()
    )


def _program(process: Process, *, order: int) -> dict[str, object]:
    return {
        "command": shlex.join((*ends_with_parent(process.stop_signal), *process.command)),
        "directory": ROOT,
        # Stopped from the highest number down.
        "priority": order,
        "autostart": "false",
        "autorestart": "true",
        "startsecs": 1,
        "startretries": 5,
        "stopsignal": process.stop_signal,
        "stopwaitsecs": process.stop_seconds,
        "killasgroup": "true",
        "redirect_stderr": "true",
        "stdout_logfile": f"log/{process.name}.log",
        "stdout_logfile_maxbytes": "10MB",
        "stdout_logfile_backups": 2,
    }
