"""What the fuzzer finds on a running system: an account with every scope, and games and tournaments of each phase."""

import json
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx

PASSWORD = "correct horse battery 7"
CHOICES = "choices.json"
"""The file of real values for parameters by name, which the hooks read."""


class Person:
    """Somebody with a token."""

    def __init__(self, url: str) -> None:
        self.url = url
        made = httpx.post(f"{url}/api/v1/players/guest/", timeout=20).json()
        self.name: str = made["player"]["name"]
        self.token: str = made["token"]

    def ask(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        """The JSON of a request that succeeds."""
        headers = {"Authorization": f"Bearer {self.token}"}
        answer = httpx.request(method, f"{self.url}/api/v1/{path}", json=body, headers=headers, timeout=20)
        assert answer.is_success, (path, answer.text)
        told: dict[str, Any] = answer.json() if answer.content else {}
        return told

    def post(self, path: str, body: Any = None) -> dict[str, Any]:
        """As `ask`."""
        return self.ask("POST", path, body or {})

    def make_account(self) -> None:
        """Upgrade, log in, and take a token with every scope."""
        email = f"{uuid4().hex}@example.org"
        self.post("players/me/upgrade/", {"name": f"Acc {uuid4().hex[:12]}", "email": email, "password": PASSWORD})
        login = httpx.post(
            f"{self.url}/_allauth/app/v1/auth/login", json={"email": email, "password": PASSWORD}, timeout=20
        )
        headers = {"X-Session-Token": login.json()["meta"]["session_token"]}
        made = httpx.post(f"{self.url}/api/v1/tokens/", json={"name": "all"}, headers=headers, timeout=20)
        self.token = made.json()["token"]
        self.name = self.ask("GET", "players/me/")["name"]


def furnished(url: str, folder: Path) -> str:
    """Furnish the system, write the values into the folder, and return the account's token."""
    host, other = Person(url), Person(url)
    host.make_account()
    games = [_game(host, other, phase) for phase in ("lobby", "playing", "playing", "finished")]
    choices = {
        "game_id": games,
        "tournament_id": [_tournament(host, other, begun=begun) for begun in (False, True)],
        "name": [host.name, other.name],
        "code": ["not_found", "refused"],
        "seat": [0, 1],
        "number": [1, 2],
        "version": [1, 3, 4],
        "token": [host.post("tokens/", {"name": "to be revoked"})["id"] for _ in range(3)],
        "own_token": [told["id"] for told in host.ask("GET", "tokens/")["results"] if told["current"]],
    }
    (folder / CHOICES).write_text(json.dumps(choices))
    return host.token


def _game(host: Person, other: Person, phase: str) -> str:
    settings = {"seats": 2, "first_player": "host", "turn_seconds": None}
    made: str = host.post("games/", settings)["id"]
    if phase != "lobby":
        other.post(f"games/{made}/join/")
        host.post(f"games/{made}/start/")
    if phase == "finished":
        other.post(f"games/{made}/leave/")
    return made


def _tournament(host: Person, other: Person, *, begun: bool) -> str:
    settings = {"name": "Fuzzy cup", "capacity": 4, "table_size": 4, "check_in": False}
    made: str = host.post("tournaments/", settings)["id"]
    host.post(f"tournaments/{made}/open/")
    other.post(f"tournaments/{made}/entries/")
    host.post(f"tournaments/{made}/entries/")
    if begun:
        host.post(f"tournaments/{made}/start/")
    return made
