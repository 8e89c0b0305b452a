"""Ten players at their own devices: each plays by the API, while somebody else sits at the desk."""

from __future__ import annotations

import threading

import httpx

from tests.e2e.stranger import Stranger
from tests.e2e.system import System

PAUSE_SECONDS = 0.02


class Crowd:
    """Guests who move whenever they may, in a thread of their own, until `stop`. ``names`` in order of arrival."""

    def __init__(self, system: System, size: int) -> None:
        self.api = f"{system.url}/api/v1"
        self.players = [Stranger(self.api) for _ in range(size)]
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self.faults: list[str] = []

    @property
    def names(self) -> list[str]:
        """What they are called."""
        return [player.name for player in self.players]

    def play(self, tournament_id: str) -> None:
        """Begin to play at the first table of this tournament."""
        self._thread = threading.Thread(target=self._play, args=(tournament_id,), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Everybody lays the cards down."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(30)
        for player in self.players:
            player.http.close()

    def _play(self, tournament_id: str) -> None:
        game = None
        while not self._stopping.wait(PAUSE_SECONDS):
            try:
                game = game or self._game(tournament_id)
                if game is not None:
                    self._round(game)
            except (httpx.HTTPError, AssertionError) as fault:
                # Overtaken by the clock or the desk (or told to wait): whoever looks again sees how it stands.
                self.faults.append(str(fault)[:200])

    def _game(self, tournament_id: str) -> str | None:
        tables = self.players[0].get(f"/tournaments/{tournament_id}/tables/")
        found = [table["game"] for table in tables["tables"] if table["game"]]
        return found[0] if found else None

    def _round(self, game: str) -> None:
        for player in self.players:
            view = player.view(game)
            if view["phase"] != "playing" or self._stopping.is_set():
                return
            if view.get("may_act"):
                player.move(game, view)
