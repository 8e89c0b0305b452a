"""The example of a bot plays whole ladders against the built-in bots, over a line that is none of the best."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest

from tests.e2e.stranger import Stranger
from tests.e2e.system import ROOT, System

LONGEST_SECONDS = 400
LOST_EACH = 4
"""Of the commands through the bad line each fourth is carried out and its answer lost."""
REFUSED_EACH = 25


class BadLine(ThreadingHTTPServer):
    """Passes requests on to the API, loses some answers to commands, and says 429 to some requests."""

    daemon_threads = True

    def __init__(self, api: str) -> None:
        super().__init__(("127.0.0.1", 0), _Passing)
        self.api = api
        self.http = httpx.Client(timeout=20)
        self.asked = 0
        self.lost: list[str] = []
        self.limited: list[str] = []
        self.keys: Counter[str] = Counter()
        self.conditional = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Passing(BaseHTTPRequestHandler):
    server: BadLine
    protocol_version = "HTTP/1.1"

    def _pass(self) -> None:
        line = self.server
        line.asked += 1
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if line.asked % REFUSED_EACH == 0:
            line.limited.append(self.path)
            self._say(429, {"Retry-After": "1"}, b'{"code": "throttled", "detail": "later"}')
            return
        kept = {name: text for name, text in self.headers.items() if name not in ("Host", "Connection")}
        answer = line.http.request(self.command, line.api + self.path, content=body, headers=kept)
        line.conditional += "If-None-Match" in self.headers
        key = self.headers.get("Idempotency-Key")
        if key and self.path.endswith("/commands/"):
            line.keys[key] += 1
            if line.keys[key] == 1 and len(line.keys) % LOST_EACH == 0:
                line.lost.append(key)
                self.close_connection = True
                self.connection.close()
                return
        told = {name: answer.headers[name] for name in ("ETag", "Retry-After") if name in answer.headers}
        self._say(answer.status_code, told, answer.content)

    do_GET = do_POST = _pass  # noqa: N815  # the names that the base class looks for

    def _say(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, text in headers.items():
            self.send_header(name, text)
        if status != 304:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the name that the base class gave it
        """Nothing: a failed test's report would drown in it."""


@pytest.fixture
def line(system: System) -> Iterator[BadLine]:
    """A bad line to the system."""
    bad = BadLine(f"{system.url}/api/v1")
    threading.Thread(target=bad.serve_forever, daemon=True).start()
    yield bad
    bad.shutdown()
    bad.server_close()
    bad.http.close()


def run_bot(api: str, *arguments: str, token: str = "") -> tuple[str, list[dict[str, int]]]:
    """The example, run as anybody would: the address of its game and the ranking that it printed."""
    run = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "bot.py"), "--api", api, *arguments],
        env={"PATH": os.environ["PATH"], "TAKI_TOKEN": token},
        capture_output=True,
        text=True,
        timeout=LONGEST_SECONDS,
        check=False,
    )
    assert run.returncode == 0, run.stderr + run.stdout
    first, *_, last = run.stdout.splitlines()
    return first.removeprefix("plays at ").removeprefix(api), json.loads(last)


def test_the_example_is_short() -> None:
    """At most 120 lines, and nothing but the standard library."""
    text = (ROOT / "examples" / "bot.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 120
    imported = {line.split()[1].split(".")[0] for line in text.splitlines() if line.startswith(("import ", "from "))}
    assert imported <= sys.stdlib_module_names


def test_it_plays_a_whole_ladder_over_a_bad_line(system: System, line: BadLine) -> None:
    """A guest against two built-in bots: answers are lost, limits are reached, and every command counts once."""
    game, ranking = run_bot(line.url, "--ladder", "3", "--bots", "greedy", "random")
    stranger = Stranger(f"{system.url}/api/v1")
    told = stranger.export(game.removeprefix("/games/").removesuffix("/"))
    ended = next(event for event in told if event["type"] == "GameEnded")
    assert ended["data"]["reason"] == "won"
    assert ranking[0]["seat"] == ended["data"]["winner"]
    assert {place["seat"] for place in ranking} == {0, 1, 2}
    assert not any(event["type"] == "SeatLeft" for event in told)
    assert line.lost, "the line was too good"
    assert line.limited
    assert line.conditional, "it never asked whether anything had changed"
    assert all(line.keys[key] >= 2 for key in line.lost), "a lost answer was asked for again under the same key"


def test_it_sits_down_with_a_token_of_its_own(system: System) -> None:
    """TAKI_TOKEN and --join: at somebody's table, of a player that staff have marked as a program."""
    api = f"{system.url}/api/v1"
    host = httpx.post(f"{api}/players/guest/", timeout=20).json()
    bearer = {"Authorization": f"Bearer {host['token']}"}
    settings = {"seats": 3, "house_rules": {"mode": "ladder", "hand_size": 3}, "turn_seconds": 5}
    made = httpx.post(f"{api}/games/", json=settings, headers=bearer, timeout=20).json()
    table = f"{api}/games/{made['id']}"
    httpx.post(f"{table}/seats/2/bot/", json={"level": "expert"}, headers=bearer, timeout=20).raise_for_status()
    program = httpx.post(f"{api}/players/guest/", timeout=20).json()
    mark = f"from players.models import Player; Player.objects.filter(pk='{program['player']['id']}').update(bot=True)"
    system.manage("shell", "-c", mark)
    joined = threading.Event()
    threading.Thread(target=_start_when_full, args=(table, bearer, joined), daemon=True).start()
    game, ranking = run_bot(api, "--join", made["id"], token=program["token"])
    assert joined.is_set()
    assert game == f"/games/{made['id']}/"
    assert {place["seat"] for place in ranking} == {0, 1, 2}
    me = httpx.get(f"{api}/players/me/", headers={"Authorization": f"Bearer {program['token']}"}, timeout=20).json()
    assert me["bot"] is True


def _start_when_full(table: str, bearer: dict[str, str], joined: threading.Event) -> None:
    """The host starts once the program has sat down, and leaves: the others play on."""
    while any(seat["player"] is None and seat["bot"] is None for seat in _seats(table, bearer)):
        joined.wait(0.1)
    joined.set()
    httpx.post(f"{table}/start/", headers=bearer, timeout=20).raise_for_status()
    httpx.post(f"{table}/leave/", headers=bearer, timeout=20).raise_for_status()


def _seats(table: str, bearer: dict[str, str]) -> list[dict[str, Any]]:
    seats: list[dict[str, Any]] = httpx.get(f"{table}/", headers=bearer, timeout=20).json()["seats"]
    return seats
