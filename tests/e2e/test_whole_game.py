"""A whole game through the public API alone, with everything stopped and started in the middle."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.rules.codec import decode
from games.rules.evolve import replay
from tests.e2e.documented import blocks_run
from tests.e2e.stranger import Json, Stranger, game_seed, verified_head
from tests.e2e.system import ROOT, System

RESTART_AT_VERSION = 60
LONGEST_GAME_SECONDS = 420
POLLING_SECONDS = 0.05


@pytest.fixture
def own_system() -> Iterator[System]:
    """A system of the test's own, started, whose bots do not pause."""
    own = System(variables={"TAKI_BOT_PAUSE_PERCENT": "0"})
    try:
        own.start()
        yield own
    finally:
        own.close()


def sit_down(players: list[Stranger], **settings: object) -> tuple[str, str]:
    """A started table of these players and two greedy bots: the game's id, and what the server committed to."""
    host, *others = players
    made = host.create(seats=len(players) + 2, **settings)
    game: str = made["id"]
    for player in others:
        player.post(f"/games/{game}/join/")
    for seat in range(len(players), len(players) + 2):
        host.post(f"/games/{game}/seats/{seat}/bot/", {"level": "greedy"})
    host.post(f"/games/{game}/start/")
    return game, made["commitment"]


def play_until(players: list[Stranger], game: str, version: int | None) -> None:
    """Everybody moves when it may, until the game has this version, or to its end."""
    patience = time.monotonic() + LONGEST_GAME_SECONDS
    while True:
        for player in players:
            view = player.view(game)
            if view["phase"] != "playing" or (version is not None and view["version"] >= version):
                return
            if view["may_act"]:
                player.move(game, view)
        time.sleep(POLLING_SECONDS)
        assert time.monotonic() < patience, view


def test_two_players_and_two_bots_to_the_end_through_a_restart(own_system: System) -> None:
    """The log survives the restart, replays to the state that everybody saw, and verifies against the seed."""
    players = [Stranger(f"{own_system.url}/api/v1") for _ in range(2)]
    game, commitment = sit_down(
        players, entropy="c0ffee", house_rules={"mode": "ladder", "hand_size": 4}, turn_seconds=20
    )
    play_until(players, game, RESTART_AT_VERSION)
    before = [player.view(game) for player in players]
    own_system.restart()
    after = [player.view(game) for player in players]
    for earlier, later in zip(before, after, strict=True):
        assert later["version"] >= earlier["version"]
        assert later["version"] > earlier["version"] or _lasting(later) == _lasting(earlier)
    play_until(players, game, None)

    events = players[0].export(game)
    audit = players[0].get(f"/games/{game}/audit/")
    assert verified_head(game, commitment, events) == audit["hash"]
    decoded = [decode(event["type"], event["schema"], event["data"]) for event in events]
    state = replay(decoded, seed=game_seed(events))
    for seat, player in enumerate(players):
        view = player.view(game)
        assert view["hand"] == [card.code for card in state.hands[seat]]
        assert view["cards"] == [len(hand) for hand in state.hands]
        assert (view["version"], view["winner"]) == (len(events), state.winner)
    assert state.over


def _lasting(view: Json) -> Json:
    return {name: value for name, value in view.items() if name != "now"}


def run_the_tour(system: System) -> None:
    printed = blocks_run(system, "README.md")
    assert '"refusal":"NOT_LAST_CARD"' in printed, "nobody has played down to one card"
    assert printed.count('"refusal":"') >= 2, "and there is nothing to close"
    assert "'rank': 1" in printed
    assert '"type":"SeedRevealed"' in printed.replace(" ", "")


def test_the_readmes_tour_runs(system: System) -> None:
    """Every shell block of the README, one after the other, plays a game to its end."""
    run_the_tour(system)


def test_a_fresh_clone_starts_by_the_readmes_first_command(tmp_path: Path) -> None:
    """`git clone`, `./taki up`, the tour: on a machine where nothing was prepared."""
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", "--no-local", str(ROOT), str(clone)], check=True)
    shutil.copy(ROOT / "README.md", clone / "README.md")
    first = System(command=("./taki", "up"), root=clone)
    try:
        first.start()
        run_the_tour(first)
        first.stop()
    finally:
        first.close()
