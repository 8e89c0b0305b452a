"""What the logs say afterwards: nothing lost, nothing doubled, every hash right, and how long a game stood still."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from games.rules.codec import decode
from games.rules.evolve import replay
from tests.e2e.faults.crowd import Played
from tests.e2e.faults.inject import Injected
from tests.e2e.stranger import Json, game_seed, verified_head
from tests.e2e.system import ROOT

DECK = 116
RESULTS = ROOT / "tests" / "bench" / "results.md"
TITLE = "## Faults (`tests/e2e/faults`, `./taki test --faults`)"


@dataclass(frozen=True)
class Verdict:
    """The figures of a run. ``stall``: seconds without an event of a game while every part was there."""

    faults: int
    games: int
    acknowledged: int
    lost: int
    doubled: int
    stall: float


def judge(games: Sequence[Played], faults: Sequence[Injected]) -> Verdict:
    """Check every log, and count."""
    for game in games:
        assert game.log is not None
        verified_head(game.id, game.commitment, game.log)
        _replays(game.log)
    return Verdict(
        faults=len(faults),
        games=len(games),
        acknowledged=sum(len(game.acknowledged) for game in games),
        lost=sum(_lost(game) for game in games),
        doubled=sum(_doubled(game) for game in games),
        stall=max((_longest_stall(game.log or [], faults) for game in games), default=0.0),
    )


def _replays(log: Sequence[Json]) -> None:
    """Every event follows on the one before: the game is over and has all of its cards."""
    state = replay([decode(event["type"], event["schema"], event["data"]) for event in log], seed=game_seed(list(log)))
    assert state.over
    assert len(state.draw) + len(state.pile) + sum(len(hand) for hand in state.hands) == DECK


def _lost(game: Played) -> int:
    """Acknowledged commands whose events are not in the log."""
    log = {(event["version"], event["type"]) for event in game.log or []}
    return sum(not log.issuperset(told.events) for told in game.acknowledged)


def _doubled(game: Played) -> int:
    """Versions that the log has twice, or that two commands were both told were theirs."""
    versions = [event["version"] for event in game.log or []]
    claimed = [version for told in game.acknowledged for version, _ in told.events]
    return len(versions) - len(set(versions)) + len(claimed) - len(set(claimed))


def _longest_stall(log: Sequence[Json], faults: Iterable[Injected]) -> float:
    times = [datetime.fromisoformat(event["at"]).timestamp() for event in log]
    return max((_stood(before, after, faults) for before, after in pairwise(times)), default=0.0)


def _stood(before: float, after: float, faults: Iterable[Injected]) -> float:
    """Seconds from when the last fault in between was over (or from the event before) until the next event."""
    overs = [fault.back for fault in faults if fault.began < after and before < fault.back]
    return max(0.0, after - max([before, *overs]))


def write(verdict: Verdict) -> None:
    """Put the figures into the results file, in place of the last ones."""
    text = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else "# Results\n"
    before, _, rest = text.partition(TITLE)
    after = rest[rest.index("\n## ") + 1 :] if "\n## " in rest else ""
    RESULTS.write_text(before.rstrip() + "\n\n" + _section(verdict) + ("\n" + after if after else ""), encoding="utf-8")


def _section(verdict: Verdict) -> str:
    rows = (
        ("faults injected", f"{verdict.faults}", ""),
        ("games played to their end, each log verified", f"{verdict.games}", ""),
        ("moves acknowledged", f"{verdict.acknowledged:,}", ""),
        ("lost", f"{verdict.lost}", "0"),
        ("doubled", f"{verdict.doubled}", "0"),
        ("longest stall of a game once the parts were back (turns of 5 s)", f"{verdict.stall:.1f} s", "≤ 20 s"),
    )
    lines = "".join(f"| {what} | {figure} | {asked} |\n" for what, figure, asked in rows)
    return f"{TITLE}\nPython {platform.python_version()}.\n\n| what | figure | asked |\n|---|---|---|\n{lines}"
