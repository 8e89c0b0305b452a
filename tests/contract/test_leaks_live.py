"""On the running system: what streams, polls, lists and logs tell, byte by byte, against what the engine allows."""

import json
import re
import threading
from typing import Any

import httpx
import pytest

from games.rules import codec
from games.rules.cards import Seat
from games.rules.views import redact
from tests.contract.leaks import cards_in
from tests.e2e.stranger import Json, Stranger
from tests.e2e.system import System

MOST_MOVES = 600
SHORT = {"mode": "single", "hand_size": 4, "last_card": "off"}
Told = list[tuple[str, str, Json]]


class Listener:
    """Somebody's stream of a game, from the lobby to its end."""

    def __init__(self, system: System, player: Stranger, path: str) -> None:
        self.text = ""
        self.player = player
        self._url = f"{system.stream_url}/api/v1/{path}"
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        headers = {"Authorization": self.player.http.headers["Authorization"]}
        with httpx.stream("GET", self._url, headers=headers, timeout=60) as answer:
            assert answer.status_code == 200, answer.read()
            for piece in answer.iter_text():
                self.text += piece

    def heard(self) -> str:
        """Everything, once the stream has ended by itself."""
        self._thread.join(90)
        assert not self._thread.is_alive(), self.text[-500:]
        return self.text


def told(text: str) -> Told:
    """Name, id and data of each event of a stream."""
    found = []
    for block in re.split(r"\r?\n\r?\n", text):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line and not line.startswith(":"))
        if "data" in fields:
            found.append((fields.get("event", ""), fields.get("id", ""), json.loads(fields["data"])))
    return found


@pytest.fixture(scope="module")
def evening(system: System) -> dict[str, Any]:
    """A whole game of two, each followed by a stream of their own, and by one of somebody who watches."""
    seated, watcher = [Stranger(f"{system.url}/api/v1") for _ in range(2)], Stranger(f"{system.url}/api/v1")
    game = seated[0].create(seats=2, turn_seconds=None, house_rules=SHORT, first_player="host", entropy="c0ffee")["id"]
    listeners = [Listener(system, player, f"games/{game}/stream/") for player in (*seated, watcher)]
    seated[1].post(f"/games/{game}/join/")
    seated[0].post(f"/games/{game}/start/")
    polled = _play(system, seated, watcher, game)
    return {
        "players": [*seated, watcher],
        "game": game,
        "heard": [listener.heard() for listener in listeners],
        "polled": polled,
        "log": seated[0].export(game),
    }


def _play(system: System, seated: list[Stranger], watcher: Stranger, game: str) -> list[tuple[str, int]]:
    """Play to the end; what long polls told the watcher on the way, with the version that they were asked after."""
    polled: list[tuple[str, int]] = []
    after = 0
    for _ in range(MOST_MOVES):
        for player in seated:
            view = player.view(game)
            if view["phase"] == "finished":
                return polled
            if view["may_act"]:
                player.move(game, view)
        url = f"{system.stream_url}/api/v1/games/{game}/events/?after={after}&wait=5"
        answer = httpx.get(url, headers={"Authorization": watcher.http.headers["Authorization"]}, timeout=20)
        polled.append((answer.text, after))
        after = max([after, *(event["version"] for event in answer.json()["results"])])
    raise AssertionError("the game did not end")


def redacted(log: list[Json], seat: int | None) -> list[Json]:
    """What the engine allows this seat, or a spectator, to know of each event."""
    viewer = None if seat is None else Seat(seat)
    events = (codec.decode(event["type"], event["schema"], event["data"]) for event in log)
    return [json.loads(json.dumps(codec.encode(redact(event, viewer)).data)) for event in events]


@pytest.mark.parametrize("seat", [0, 1, None])
def test_a_stream_tells_each_event_once_and_no_more_of_it_than_may_be_known(
    evening: dict[str, Any], seat: int | None
) -> None:
    """From the deal on each event is the engine's own redaction for this seat; the lobby knows of no card."""
    heard = told(evening["heard"][2 if seat is None else seat])
    allowed = redacted(evening["log"], seat)
    events = [(int(cursor), data) for name, cursor, data in heard if name == "event"]
    (dealt,) = [data for name, _, data in heard if name == "view"]
    assert dealt["seat"] == seat
    assert [version for version, _ in events] == list(range(dealt["version"] + 1, len(allowed) + 1))
    assert [data["data"] for _, data in events] == allowed[dealt["version"] :]
    assert heard[-1][0] == "end"
    for name, _, data in heard:
        if name in ("lobby", "presence", "clock"):
            assert not cards_in(b"200\n\n" + json.dumps(data).encode()), (name, data)


def test_polls_tell_a_spectator_what_a_spectator_may_know(evening: dict[str, Any]) -> None:
    """Every answer, also those that waited."""
    allowed = redacted(evening["log"], None)
    polled = [event for text, _ in evening["polled"] for event in json.loads(text)["results"]]
    assert len(polled) > 10
    assert [event["data"] for event in polled] == [allowed[event["version"] - 1] for event in polled]


def test_no_stream_and_no_poll_tells_a_seed_or_a_token(evening: dict[str, Any]) -> None:
    """The seed is told by the last event of the log, and by nothing before it."""
    seed = evening["log"][-1]["data"]["server_seed"]
    tokens = [player.http.headers["Authorization"].removeprefix("Bearer ") for player in evening["players"]]
    for text in (*evening["heard"], *(text for text, _ in evening["polled"])):
        before, _, _ = text.partition("SeedRevealed")
        assert seed not in before
        assert not [token for token in tokens if token in text]


def test_logs_and_figures_hold_no_card_no_token_and_no_seed(system: System, evening: dict[str, Any]) -> None:
    """Of every process of the running system, and both pages of figures."""
    seed = evening["log"][-1]["data"]["server_seed"]
    tokens = [player.http.headers["Authorization"].removeprefix("Bearer ") for player in evening["players"]]
    files = sorted((system.folder / "log").glob("*.log"))
    assert len(files) >= 5
    texts = {file.name: file.read_text(errors="replace") for file in files}
    texts |= {url: httpx.get(f"{url}/metrics").text for url in (system.url, system.stream_url)}
    for name, text in texts.items():
        assert seed not in text, name
        assert not [token for token in tokens if token in text], name
        assert not re.search(r"play [RGBY]?[0-9A-Z+]+|ticket=[\w-]{20}", text), name
