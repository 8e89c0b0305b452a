"""A stranger at the API: knows the documentation, a token and httpx, nothing of this code."""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
from typing import Any
from uuid import uuid4

import httpx

Json = dict[str, Any]

logging.getLogger("httpx").setLevel(logging.WARNING)  # a failed test's report would drown in it


class Stranger:
    """A guest who plays the first legal command that is not leaving."""

    def __init__(self, api: str) -> None:
        made = httpx.post(f"{api}/players/guest/", timeout=20)
        made.raise_for_status()
        self.name = made.json()["player"]["name"]
        headers = {"Authorization": f"Bearer {made.json()['token']}"}
        self.http = httpx.Client(base_url=api, headers=headers, timeout=20)

    def get(self, path: str) -> Json:
        answer = self.http.get(path)
        assert answer.status_code == 200, answer.text
        body: Json = answer.json()
        return body

    def post(self, path: str, body: Json | None = None, *, expect: tuple[int, ...] = (200, 201)) -> Json:
        answer = self.http.post(path, json=body or {})
        assert answer.status_code in expect, answer.text
        told: Json = answer.json()
        return told

    def create(self, **settings: object) -> Json:
        return self.post("/games/", settings)

    def view(self, game: str) -> Json:
        return self.get(f"/games/{game}/view/")

    def move(self, game: str, view: Json) -> Json | None:
        """One command under an id of its own, sent again until an answer comes; None if the game has moved on."""
        legal = self.get(f"/games/{game}/legal/")
        playing = [choice["command"] for choice in legal["commands"] if choice["type"] not in ("leave", "last")]
        if legal["version"] != view["version"] or not playing:
            return None
        said = " last" if playing[0].startswith("play") and len(view["hand"]) == 2 else ""
        answer = self.send(game, playing[0] + said, legal["version"], str(uuid4()))
        if answer.status_code == 422 and said:
            answer = self.send(game, playing[0], legal["version"], str(uuid4()))
        assert answer.status_code in (200, 201, 409), answer.text
        return answer.json() if answer.status_code != 409 else None

    def send(self, game: str, command: str, version: int, key: str) -> httpx.Response:
        body = {"command": command, "expected_version": version}
        return self.http.post(f"/games/{game}/commands/", json=body, headers={"Idempotency-Key": key})

    def export(self, game: str) -> list[Json]:
        """The events of a finished game, in full."""
        answer = self.http.get(f"/games/{game}/export/")
        assert answer.status_code == 200, answer.text
        return [json.loads(line) for line in answer.text.splitlines()]


def verified_head(game: str, commitment: str, events: list[Json]) -> str:
    """The head hash that the log really has, by the documented formulas alone; asserts what was committed to."""
    server_seed = revealed_seed(events)
    assert hashlib.sha256(b"taki/1/commit" + server_seed).hexdigest() == commitment
    head = hashlib.sha256(b"taki/1/game/" + game.encode()).digest()
    for version, event in enumerate(events, start=1):
        salt = hmac.digest(server_seed, f"taki/1/salt/{version}".encode(), "sha256")
        covered = {name: event[name] for name in ("version", "type", "schema", "data", "actor", "at")}
        canonical = json.dumps(covered, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        head = hashlib.sha256(head + hashlib.sha256(salt + canonical.encode()).digest()).digest()
        assert (event["version"], event["hash"]) == (version, head.hex())
    return head.hex()


def revealed_seed(events: list[Json]) -> bytes:
    """The server's seed, from the last event."""
    assert events[-1]["type"] == "SeedRevealed"
    return bytes.fromhex(events[-1]["data"]["server_seed"])


def game_seed(events: list[Json]) -> bytes:
    """The seed of every shuffle, by the documented formula."""
    (committed,) = [event["data"] for event in events if event["type"] == "SeedCommitted"]
    entropy = b"".join(bytes.fromhex(digest) for digest in committed["entropy"])
    return hashlib.sha256(b"taki/1/seed" + revealed_seed(events) + entropy).digest()
