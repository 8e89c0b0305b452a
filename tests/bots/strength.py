"""How strong the bots are: long matches that can be stopped and gone on with, each game once.

A match is one bot against the others of a table, on every seat equally often and in the same deals. It ends when Wald's
sequential test has decided whether the win rate is rather 4 points above what is required or 4 below (both errors
2.5 %), or at its most games. `./taki test --bots` plays them; standing alone, from where they were stopped:

    python -m tests.bots.strength [FOLDER]      counts are kept in FOLDER (TAKI_BOTS_DIR, else var/bots)
"""

import json
import os
import sys
import time
from dataclasses import asdict, dataclass
from math import log, sqrt
from pathlib import Path
from typing import Final

from games.bots.registry import LEVELS
from tests.bots.tables import winner

ERROR: Final = 0.025
DECIDED: Final = log((1 - ERROR) / ERROR)
NORMAL: Final = 1.96


MARGIN: Final = 0.04


@dataclass(frozen=True, slots=True)
class Match:
    """``bot`` against ``others`` at a table of ``seats``: it is to win at least ``required`` of the games."""

    bot: str
    others: str
    seats: int
    required: float
    most_games: int = 4000

    @property
    def name(self) -> str:
        return f"{self.bot}-{self.others}-{self.seats}"


MATCHES: Final = (
    Match("greedy", "random", 2, 0.65),
    Match("greedy", "random", 4, 0.40),
    Match("expert", "greedy", 2, 0.55),
    Match("expert", "greedy", 4, 0.30),
)


@dataclass(frozen=True, slots=True)
class Count:
    """What a match has come to; ``seconds`` is the processor time it took."""

    games: int = 0
    wins: int = 0
    seconds: float = 0.0

    @property
    def rate(self) -> float:
        return self.wins / self.games if self.games else 0.0

    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the win rate."""
        n, p, z = self.games, self.rate, NORMAL
        middle, spread = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return (middle - spread) / (1 + z * z / n), (middle + spread) / (1 + z * z / n)

    def likelihood(self, required: float) -> float:
        """The logarithm of how much likelier the count is 4 points above this win rate than 4 below."""
        high, low = required + MARGIN, required - MARGIN
        return self.wins * log(high / low) + (self.games - self.wins) * log((1 - high) / (1 - low))

    def verdict(self, match: Match) -> str | None:
        """What the test has decided; None while it has not."""
        ratio = self.likelihood(match.required)
        if abs(ratio) >= DECIDED:
            return f"{'over' if ratio > 0 else 'under'} {match.required:.0%}"
        return "not decided" if self.games >= match.most_games else None


def play(match: Match, number: int) -> bool:
    """Game ``number`` of the match: each deal is played once with the bot on every seat."""
    deal, place = divmod(number, match.seats)
    policies = [LEVELS[match.others]] * match.seats
    policies[place] = LEVELS[match.bot]
    return winner(policies, deal) == place


def kept(folder: Path, match: Match) -> Count:
    """What the match had come to when it was stopped."""
    file = folder / f"{match.name}.json"
    return Count(**json.loads(file.read_text())) if file.exists() else Count()


def keep(folder: Path, match: Match, count: Count) -> None:
    """Write the count so that a kill leaves the old one or the new one."""
    folder.mkdir(parents=True, exist_ok=True)
    fresh = folder / f"{match.name}.new"
    fresh.write_text(json.dumps(asdict(count)))
    fresh.replace(folder / f"{match.name}.json")


def go_on(folder: Path, match: Match, *, at_most: int | None = None) -> Count:
    """Play until the test has decided, or ``at_most`` further games; always whole deals, each kept as it ends."""
    count = kept(folder, match)
    last = None if at_most is None else count.games + at_most
    while count.verdict(match) is None and (last is None or count.games < last):
        began, wins = time.process_time(), 0
        for number in range(count.games, count.games + match.seats):
            wins += play(match, number)
        spent = time.process_time() - began
        count = Count(count.games + match.seats, count.wins + wins, round(count.seconds + spent, 3))
        keep(folder, match, count)
    return count


def line(match: Match, count: Count) -> str:
    """One row of the results."""
    low, high = count.interval()
    seconds = count.seconds / count.games
    verdict = count.verdict(match) or "going on"
    return (
        f"| {match.bot} against {match.seats - 1} × {match.others} | {count.games} | {count.rate:.1%} |"
        f" {low:.1%}–{high:.1%} | {verdict} | {seconds:.2f} s |"
    )


def folder_of(arguments: list[str]) -> Path:
    """Where the counts are kept: the first argument, else TAKI_BOTS_DIR, else var/bots."""
    return Path(arguments[0] if arguments else os.environ.get("TAKI_BOTS_DIR", "var/bots"))


def main() -> None:
    """Go round the matches, some games at a time, until each is decided."""
    folder = folder_of(sys.argv[1:])
    going_on = list(MATCHES)
    while going_on:
        for match in going_on:
            sys.stdout.write(line(match, go_on(folder, match, at_most=10 * match.seats)) + "\n")
            sys.stdout.flush()
        going_on = [match for match in going_on if kept(folder, match).verdict(match) is None]


if __name__ == "__main__":
    main()
