"""The faults: what is done to a running system, each within a moment, and waiting until its parts are back."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import psutil
import redis

from tests.e2e.system import ROOT, System, eventually

PARTS = ("postgres", "valkey", "api", "streams", "worker", "beat")

_TASKS = """
import django
django.setup()
from config.celery import app
from games.models import Game
for _ in range(100):
    app.send_task("games.tasks.clock_sweep")
for game_id, version in Game.objects.filter(phase="playing").values_list("pk", "version"):
    for late in range(max(1, version - 5), version + 1):
        app.send_task("games.tasks.bot_move", (str(game_id), late))
"""


@dataclass(frozen=True)
class Injected:
    """A fault that was done to the system, and when its parts were back (seconds since 1970)."""

    name: str
    began: float
    back: float


def addresses(system: System) -> dict[str, str]:
    """The running system's own variables."""
    found: dict[str, str] = json.loads((system.folder / "environment.json").read_text())
    return found


def inject(system: System, name: str) -> Injected:
    """Do one fault and wait until every part runs and answers."""
    before = {part: system.pid(part) for part in PARTS}
    began = time.time()
    FAULTS[name](system)
    eventually(lambda: all(system.pid(part) for part in PARTS), f"every part runs again after: {name}")
    if name in DEADLY:
        part = DEADLY[name]
        eventually(lambda: system.pid(part) not in (0, before[part]), f"{part} runs again after: {name}")
    system.wait_until_ready()
    return Injected(name, began, time.time())


def _kill(system: System, part: str) -> None:
    """The process and all of its own at once."""
    main = psutil.Process(system.pid(part))
    system._note_family()
    for process in (main, *main.children(recursive=True)):
        try:
            os.kill(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            continue


def _kill_one_of_the_workers(system: System) -> None:
    children = psutil.Process(system.pid("worker")).children()
    if children:
        os.kill(random.choice(children).pid, signal.SIGKILL)


def _flush(system: System) -> None:
    url = addresses(system)["BROKER_URL"].replace("redis+socket://", "unix://", 1).replace("virtual_host=", "db=", 1)
    with redis.Redis.from_url(url) as broker:
        broker.flushall()


def _flush_and_kill(system: System) -> None:
    _flush(system)
    _kill(system, "valkey")


def _own_environment(system: System) -> dict[str, str]:
    settings = {"DJANGO_SETTINGS_MODULE": "config.settings.production", "TAKI_DATA_DIR": str(system.folder)}
    return {"PATH": os.environ["PATH"], **addresses(system), **settings}


def _doubled_and_late_tasks(system: System) -> None:
    """A hundred sweeps at once, and bots' moves of versions that are gone."""
    command = [sys.executable, "-c", _TASKS]
    subprocess.run(command, cwd=ROOT, env=_own_environment(system), check=True, capture_output=True)


def _second_beat(system: System) -> None:
    """Two schedulers for a few seconds."""
    schedule = system.folder / "second-beat"
    command = ("celery", "-A", "config.celery", "beat", "--pidfile", "", "--schedule", str(schedule))
    second = subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        env=_own_environment(system),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    time.sleep(5)
    second.kill()
    second.wait()


FAULTS: Mapping[str, Callable[[System], None]] = {
    "one worker process": _kill_one_of_the_workers,
    "all workers": lambda system: _kill(system, "worker"),
    "beat": lambda system: _kill(system, "beat"),
    "API": lambda system: _kill(system, "api"),
    "Valkey": lambda system: _kill(system, "valkey"),
    "Valkey's data": _flush,
    "Valkey and its data": _flush_and_kill,
    "PostgreSQL": lambda system: _kill(system, "postgres"),
    "doubled and late tasks": _doubled_and_late_tasks,
    "a second beat": _second_beat,
}

DEADLY: Mapping[str, str] = {
    "all workers": "worker",
    "beat": "beat",
    "API": "api",
    "Valkey": "valkey",
    "Valkey and its data": "valkey",
    "PostgreSQL": "postgres",
}
