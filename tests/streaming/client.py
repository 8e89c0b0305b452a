"""A client of server-sent events that does no more than the standard says, and can be cut off at any moment."""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Any, Self
from urllib.parse import urlsplit

PATIENCE_SECONDS = 20.0
OK = 200
NOTHING_MORE = 204


@dataclass(frozen=True)
class Sent:
    """One event: its name, its id (None without one), its data."""

    event: str
    id: int | None
    data: Any


class Broken(Exception):
    """The stream ended without an `end`."""


class Client:
    """One request to a stream. ``seen`` is everything that came, ``comments`` the comments among them."""

    def __init__(self, url: str, token: str = "", *, last: int | None = None, **headers: str) -> None:
        parts = urlsplit(url)
        own = {"Accept": "text/event-stream", **{name.replace("_", "-"): value for name, value in headers.items()}}
        if token:
            own["Authorization"] = f"Bearer {token}"
        if last is not None:
            own["Last-Event-ID"] = str(last)
        self.http = HTTPConnection(str(parts.hostname), int(parts.port or 80), timeout=PATIENCE_SECONDS)
        self.http.request("GET", f"{parts.path}?{parts.query}" if parts.query else parts.path, headers=own)
        self.response: HTTPResponse = self.http.getresponse()
        self.status = self.response.status
        self.seen: list[Sent] = []
        self.comments = 0
        self.retry: int | None = None

    def body(self) -> Any:
        """The JSON of an answer that is no stream."""
        return json.loads(self.response.read())

    def next(self) -> Sent:
        """The next event. Broken when there is none any more."""
        fields: dict[str, str] = {}
        patience = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < patience:
            try:
                line = self.response.readline()
            except (OSError, HTTPException) as broken:
                raise Broken from broken
            if not line:
                raise Broken
            text = line.decode().rstrip("\n")
            if text.startswith(":"):
                self.comments += 1
            elif text:
                name, _, value = text.partition(": ")
                fields[name] = value
            elif "retry" in fields and "event" not in fields:
                self.retry = int(fields.pop("retry"))
            elif "event" in fields:
                found = int(fields["id"]) if "id" in fields else None
                sent = Sent(fields["event"], found, json.loads(fields["data"]))
                self.seen.append(sent)
                return sent
        raise AssertionError("nothing but comments came")

    def until(self, true: Callable[[Sent], bool]) -> list[Sent]:
        """The events up to the first that is so."""
        found: list[Sent] = []
        while not found or not true(found[-1]):
            found.append(self.next())
        return found

    def named(self, *events: str) -> Sent:
        """The next event of such a name."""
        return self.until(lambda sent: sent.event in events)[-1]

    def version(self, version: int) -> list[Sent]:
        """The events up to this version."""
        return self.until(lambda sent: sent.id is not None and sent.id >= version)

    def rest(self) -> Iterator[Sent]:
        """What comes until the stream ends."""
        while True:
            try:
                yield self.next()
            except Broken:
                return

    def close(self) -> None:
        """Be gone, as a phone in a tunnel is."""
        self.http.close()
        self.response.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


class Persistent(threading.Thread):
    """A client that is cut off at random and always comes back with what it had last, until it is told to stop."""

    def __init__(self, url: str, token: str, seed: int, *, most: int = 60, longest: float = 120.0) -> None:
        super().__init__(daemon=True)
        self.url, self.token = url, token
        self.chance = random.Random(seed)
        self.most, self.longest = most, longest
        self.found: list[Any] = []
        self.last = 0
        self.cut = 0
        self.stopped = False

    def run(self) -> None:
        """Follow to the end."""
        patience = time.monotonic() + self.longest
        while not self.stopped and time.monotonic() < patience:
            try:
                self._once()
            except (OSError, HTTPException):
                time.sleep(0.1)  # nobody is there just now
            self.cut += 1

    def _once(self) -> None:
        with Client(self.url, self.token, last=self.last) as client:
            self.stopped = client.status == NOTHING_MORE
            if client.status != OK:
                time.sleep(0.1)
                return
            many = self.chance.randrange(1, self.most)
            for sent in client.rest():
                if sent.event == "event":
                    self.found.append(sent.data)
                    self.last = sent.data["version"]
                if len(client.seen) >= many:
                    return
