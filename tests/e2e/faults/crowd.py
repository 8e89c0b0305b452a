"""A crowd of strangers at many tables, who go on playing whatever becomes of the server."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import httpx

from tests.e2e.stranger import Json, Stranger

LOOK_SECONDS = 0.6
SETTINGS: Json = {"seats": 3, "turn_seconds": 5, "house_rules": {"hand_size": 3, "max_turns": 150}}


@dataclass(frozen=True)
class Acknowledged:
    """A command that the server said it had carried out: its key, and the versions and types of its events."""

    key: str
    events: tuple[tuple[int, str], ...]


@dataclass
class Played:
    """A game of one stranger and two bots. ``sleeper``: the stranger never moves, so that the clock must."""

    id: str
    commitment: str
    sleeper: bool
    acknowledged: list[Acknowledged] = field(default_factory=list)
    pending: tuple[str, int, str] | None = None
    log: list[Json] | None = None


class Player(threading.Thread):
    """One stranger at several tables; each that ends is replaced by a new one while ``goes_on``."""

    def __init__(self, api: str, tables: int, goes_on: Callable[[], bool]) -> None:
        super().__init__(daemon=True)
        self.stranger = Stranger(api)
        self.tables, self.goes_on = tables, goes_on
        self.running: list[Played] = []
        self.finished: list[Played] = []
        self.error: BaseException | None = None
        self.made = 0

    def run(self) -> None:
        """Play until every game has ended and no new one is wanted."""
        try:
            while self.goes_on() or self.running:
                self._round()
                time.sleep(LOOK_SECONDS)
        except BaseException as error:  # noqa: BLE001  # told by the test
            self.error = error

    def sit_down(self) -> None:
        """As many tables as wanted; the server is well."""
        while len(self.running) < self.tables:
            self._new_game()

    def _round(self) -> None:
        for game in tuple(self.running):
            try:
                self._step(game)
            except (httpx.TransportError, _Away):
                continue
            if game.log is not None:
                self.running.remove(game)
                self.finished.append(game)
        if self.goes_on() and len(self.running) < self.tables:
            try:
                self._new_game()
            except (httpx.TransportError, _Away):
                return  # what was half made stays in the lobby

    def _new_game(self) -> None:
        self.made += 1
        made = self._ask("POST", "/games/", SETTINGS)
        for seat in (1, 2):
            self._ask("POST", f"/games/{made['id']}/seats/{seat}/bot/", {"level": "greedy"})
        self._ask("POST", f"/games/{made['id']}/start/", {})
        self.running.append(Played(made["id"], made["commitment"], sleeper=self.made % 3 == 0))

    def _step(self, game: Played) -> None:
        if game.pending is not None:
            self._send(game, *game.pending)
            return
        view = self._ask("GET", f"/games/{game.id}/view/")
        if view["phase"] != "playing":
            game.log = self._log(game)
        elif view["may_act"] and not game.sleeper:
            self._choose(game, view)

    def _choose(self, game: Played, view: Json) -> None:
        legal = self._ask("GET", f"/games/{game.id}/legal/")
        playing = [choice["command"] for choice in legal["commands"] if choice["type"] not in ("leave", "last")]
        if legal["version"] == view["version"] and playing:
            self._send(game, playing[0], legal["version"], str(uuid4()))

    def _send(self, game: Played, command: str, version: int, key: str) -> None:
        """Under one key until an answer comes: it counts once, however often it is sent."""
        game.pending = (command, version, key)
        answer = self.stranger.send(game.id, command, version, key)
        if answer.status_code >= 500:
            raise _Away
        game.pending = None
        if answer.status_code == 201:
            told = tuple((event["version"], event["type"]) for event in answer.json()["events"])
            game.acknowledged.append(Acknowledged(key, told))
        else:
            assert answer.status_code in (409, 422), answer.text

    def _ask(self, method: str, path: str, body: Json | None = None) -> Any:
        answer = self.stranger.http.request(method, path, json=body)
        if answer.status_code >= 500:
            raise _Away
        assert answer.status_code in (200, 201), answer.text
        return answer.json()

    def _log(self, game: Played) -> list[Json]:
        answer = self.stranger.http.get(f"/games/{game.id}/export/")
        if answer.status_code >= 500:
            raise _Away
        return self.stranger.export(game.id)


class _Away(Exception):
    """The server says that it is not well just now."""


class Crowd:
    """Players in threads of their own; ``games`` tables run at a time until `close`."""

    def __init__(self, api: str, *, games: int, players: int) -> None:
        self._open = True
        share = [games // players + (number < games % players) for number in range(players)]
        self.players = [Player(api, tables, lambda: self._open) for tables in share]
        for player in self.players:
            player.sit_down()

    def start(self) -> None:
        """Everybody plays."""
        for player in self.players:
            player.start()

    def close(self, seconds: float) -> list[Played]:
        """Begin no new game, wait for the end of those that run, and return all. Fails when one does not end."""
        self._open = False
        patience = time.monotonic() + seconds
        for player in self.players:
            player.join(max(0.1, patience - time.monotonic()))
            if player.error is not None:
                raise player.error
        stuck = [game.id for player in self.players for game in player.running]
        assert not stuck, f"games that did not end: {stuck}"
        return [game for player in self.players for game in player.finished]
