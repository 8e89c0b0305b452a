"""Accounts on a running system: mails are read from the worker's log, as whoever runs it would."""

from __future__ import annotations

import json
import re
import socket
from email import message_from_string
from uuid import uuid4

import httpx
import pytest

from tests.e2e.documented import blocks_run
from tests.e2e.stranger import Json
from tests.e2e.system import System, eventually

PASSWORD, SECOND = "a tram in the rain", "seven green umbrellas"


class App:
    """Somebody's app: our API and allauth's, with whatever it was given."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.http = httpx.Client(base_url=system.url, timeout=30)
        self.name = f"Dana {uuid4().hex[:12]}"
        self.email = f"{uuid4().hex}@example.org"
        self.headers: dict[str, str] = {}

    def account(self, method: str, path: str, body: Json | None = None, *, expect: int = 200) -> Json:
        answer = self.http.request(method, f"/_allauth/app/v1/{path}", json=body, headers=self.headers)
        assert answer.status_code == expect, answer.text
        told: Json = answer.json()
        if session := told.get("meta", {}).get("session_token"):
            self.headers = {"X-Session-Token": session}
        return told

    def api(self, method: str, path: str, body: Json | None = None, *, expect: int = 200) -> Json:
        answer = self.http.request(method, f"/api/v1/{path}", json=body, headers=self.headers)
        assert answer.status_code == expect, answer.text
        told: Json = answer.json() if answer.content else {}
        return told

    def mails(self) -> list[str]:
        """What the worker printed for this address."""
        log = (self.system.folder / "log" / "worker.log").read_text(errors="replace")
        return [part for part in re.split(r"(?m)^(?=Content-Type: text/plain)", log) if f"To: {self.email}" in part]

    def key(self, beginning: str, mails: int) -> str:
        """The key in the link of the newest mail, once there are so many."""
        eventually(lambda: len(self.mails()) >= mails, f"{mails} mails to {self.email}")
        text = message_from_string(self.mails()[-1]).get_payload()
        found = re.search(rf"/{beginning}/\?key=(\S+)", str(text))
        assert found, text
        return found[1]


def test_from_sign_up_to_erasure(system: System) -> None:
    """Sign up, confirm by the mail, log in, make a token, play a move with it, reset the password, erase."""
    app = App(system)
    app.account("POST", "auth/signup", {"username": app.name, "email": app.email, "password": PASSWORD})
    app.account("POST", "auth/email/verify", {"key": app.key("verify-email", 1)})
    assert app.api("GET", "players/me/")["email_verified"] is True
    app.account("DELETE", "auth/session", expect=401)
    app.headers = {}
    app.account("POST", "auth/login", {"username": app.name.upper(), "password": PASSWORD})
    token = app.api("POST", "tokens/", {"scopes": ["read", "play"]}, expect=201)["token"]

    playing = App(system)
    playing.headers = {"Authorization": f"Bearer {token}"}
    game = playing.api("POST", "games/", {"seats": 2, "first_player": "host", "turn_seconds": None}, expect=201)["id"]
    playing.api("POST", f"games/{game}/seats/1/bot/", {"level": "random"})
    playing.api("POST", f"games/{game}/start/")
    playing.api("POST", f"games/{game}/commands/", {"command": "close"}, expect=422)
    command = playing.api("GET", f"games/{game}/legal/")["commands"][0]["command"]
    playing.api("POST", f"games/{game}/commands/", {"command": command}, expect=201)

    App(system).account("POST", "auth/password/request", {"email": app.email})
    app.headers = {}
    new = {"key": app.key("new-password", 2), "password": SECOND}
    app.account("POST", "auth/password/reset", new, expect=401)
    assert playing.api("GET", "players/me/", expect=401)["code"] == "token_invalid"
    app.account("POST", "auth/login", {"email": app.email, "password": SECOND})
    app.api("DELETE", "players/me/", {"password": SECOND}, expect=204)
    assert app.api("GET", "players/me/", expect=401)["code"] == "session_invalid"
    app.headers = {}
    app.api("GET", f"players/{app.name}/", expect=404)
    seats = httpx.get(f"{system.url}/api/v1/games/{game}/", headers=_stranger(system)).json()["seats"]
    assert seats[0]["player"] == {"id": None, "name": "deleted player"}


def _stranger(system: System) -> dict[str, str]:
    made = httpx.post(f"{system.url}/api/v1/players/guest/").json()
    return {"Authorization": f"Bearer {made['token']}"}


def test_the_blocks_of_the_accounts_page_run(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every shell block of docs/api/accounts.md, one after the other."""
    monkeypatch.setenv("LOG", str(system.folder / "log" / "worker.log"))
    printed = blocks_run(system, "docs/api/accounts.md")
    assert '"guest":false' in printed
    assert '"name":"my phone"' in printed
    assert '"birth_year":1990' in printed
    assert printed.rstrip().endswith("204\ntoken_invalid")


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GARBAGE\r\n\r\n", b"400"),
        (b"GET /" + b"x" * 5000 + b" HTTP/1.1\r\n\r\n", b"414"),
        (b"GET /api/v1/problems/ HTTP/1.1\r\nbad header\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"x" * 9000 + b"\r\n\r\n", b"431"),
    ],
)
def test_what_is_no_http_is_answered_as_a_problem(system: System, sent: bytes, status: bytes) -> None:
    """Also before Django hears of it."""
    with socket.create_connection(("127.0.0.1", system.port), timeout=20) as client:
        client.sendall(sent)
        told = b""
        while piece := client.recv(65536):
            told += piece
    head, _, body = told.partition(b"\r\n\r\n")
    assert head.split()[1] == status, told
    assert b"application/problem+json" in head
    assert json.loads(body)["code"] == "bad_request"
    assert json.loads(body)["status"] == int(status)
