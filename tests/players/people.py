"""Somebody with an app: it knows `/_allauth/app/`, keeps its session token, and reads its mails."""

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.core import mail
from django.core.mail import EmailMessage
from django.test import Client

if TYPE_CHECKING:  # this is read before Django is set up
    from players.models import Player

PASSWORD = "a tram in the rain"
ACCOUNTS = "/_allauth/app/v1/"


@dataclass
class Person:
    """One person and their app."""

    name: str
    email: str
    password: str = PASSWORD
    session: str = ""
    client: Client = field(default_factory=lambda: Client(raise_request_exception=False))

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> Any:
        """One request about the account, `path` below `/_allauth/app/v1/`."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.session:
            named.setdefault("x-session-token", self.session)
        raw = b"" if body is None else json.dumps(body).encode()
        answer = self.client.generic(method, ACCOUNTS + path, raw, content_type="application/json", headers=named)
        if answer.headers["Content-Type"] == "application/json":
            told = answer.json()
            self.session = told.get("meta", {}).get("session_token", self.session)
            if answer.status_code in (401, 410) and "reauthenticate" not in answer.content.decode():
                self.session = ""
        return answer

    def sign_up(self) -> Any:
        return self.ask("POST", "auth/signup", {"username": self.name, "email": self.email, "password": self.password})

    def log_in(self, **who: str) -> Any:
        self.session = ""
        return self.ask("POST", "auth/login", {"password": self.password, **(who or {"username": self.name})})

    def log_out(self) -> Any:
        return self.ask("DELETE", "auth/session")

    def prove(self) -> Any:
        """The password once more, for what needs it."""
        return self.ask("POST", "auth/reauthenticate", {"password": self.password})

    def api(self, method: str, path: str, body: object = None, **headers: str) -> Any:
        """One request of the session to our own API."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        raw = b"" if body is None else json.dumps(body).encode()
        named.setdefault("x-session-token", self.session)
        return self.client.generic(method, f"/api/v1/{path}", raw, content_type="application/json", headers=named)

    @property
    def player(self) -> "Player":
        from players.models import Player

        return Player.objects.get(name=self.name)


def mails_to(email: str) -> list[EmailMessage]:
    """What was sent there, oldest first."""
    return [sent for sent in mail.outbox if sent.to == [email]]


def link_in(sent: EmailMessage, beginning: str) -> str:
    """The key in the link to this page (below the frontend's address)."""
    found = re.search(rf"/{beginning}/\?key=(\S+)", str(sent.body))
    assert found, sent.body
    return found[1]


def codes(answer: Any) -> dict[str, str]:
    """Param → code of an answer in allauth's format."""
    return {error.get("param", ""): error["code"] for error in answer.json()["errors"]}
