"""A caller of the API, and what every answer must be."""

import json
from dataclasses import dataclass, field
from typing import Any

from django.test import Client

from tests.api import contract

API = "/api/v1/"


@dataclass
class Caller:
    """A player's (or nobody's) requests through Django's whole stack; each is checked for the common promises."""

    token: str = ""
    player: dict[str, Any] = field(default_factory=dict)
    client: Client = field(default_factory=lambda: Client(raise_request_exception=False))

    def get(self, path: str, **headers: str) -> Any:
        return self.send("GET", path, b"", "", headers)

    def post(self, path: str, body: object = None, **headers: str) -> Any:
        raw = b"" if body is None else json.dumps(body).encode()
        return self.send("POST", path, raw, "application/json", headers)

    def raw(self, path: str, body: bytes, content_type: str = "application/json", **headers: str) -> Any:
        return self.send("POST", path, body, content_type, headers)

    def send(self, method: str, path: str, body: bytes, content_type: str, headers: dict[str, str]) -> Any:
        """Headers are given as `if_match="…"`."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            named.setdefault("authorization", f"Bearer {self.token}")
        url = path if path.startswith("/") else API + path
        response = self.client.generic(method, url, body, content_type=content_type, headers=named)
        _keeps_the_promises(response)
        if not response.streaming:
            contract.check(
                method, url, response.status_code, response.headers.get("Content-Type", ""), response.content
            )
        return response


def _keeps_the_promises(response: Any) -> None:
    """An error is a problem document that names its code; nothing a client gets may be cached by others."""
    assert response.headers.get("Cache-Control") or response.status_code == 308, response.headers
    if response.status_code < 400:
        return
    assert response.headers["Content-Type"] == "application/problem+json", response.content
    problem = json.loads(response.content)
    assert problem["status"] == response.status_code
    assert {"type", "title", "status", "detail", "code"} <= problem.keys()
    assert problem["type"].endswith(f"/problems/{problem['code']}/")
    assert response.status_code != 500, problem


def problem(response: Any) -> tuple[int, str]:
    """Status and code of an error, which says in which of our languages it speaks."""
    assert response.headers["Content-Language"] in ("en", "he"), response.headers
    return response.status_code, response.json()["code"]


def wrong_fields(response: Any) -> dict[str, str]:
    """Field → code of a 422."""
    assert problem(response) == (422, "invalid"), response.content
    return {entry["field"]: entry["code"] for entry in response.json()["errors"]}
