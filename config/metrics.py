"""The figures for Prometheus. Each is read from the database when asked for, so no process keeps counts of its own."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db import DatabaseError
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from games.audit.published import games_failing, games_frozen
from games.selectors import games_count, watched_at

CONTENT_TYPE = CONTENT_TYPE_LATEST


@dataclass(frozen=True, slots=True, eq=False)  # a registry keeps its collectors by identity
class Figures(Collector):
    """What readiness has found: the state of each part, the oldest overdue deadline and bot's move."""

    parts: Mapping[str, str]
    overdue: datetime | None
    bot_overdue: datetime | None

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Every figure; those of games are left out while the database does not answer."""
        up = GaugeMetricFamily("taki_up", "1 if the part is well.", labels=["part"])
        for name, state in self.parts.items():
            up.add_metric([name], float(state == "ok"))
        yield up
        if any(state != "ok" for name, state in self.parts.items() if name != "broker"):
            return
        try:
            yield from self._of_games()
        except DatabaseError:
            return

    def _of_games(self) -> Iterator[GaugeMetricFamily]:
        yield _seconds("taki_overdue_deadline_seconds", "How late the oldest overdue deadline is.", self.overdue)
        yield _seconds("taki_overdue_bot_move_seconds", "How late the oldest overdue bot's move is.", self.bot_overdue)
        watched = watched_at()
        if watched is not None:
            yield _seconds("taki_clocks_unwatched_seconds", "How long ago a sweep looked at the clocks.", watched)
        games = GaugeMetricFamily("taki_games", "Games in the lobby and running.", labels=["phase"])
        for phase, count in games_count().items():
            games.add_metric([phase], count)
        yield games
        failing = "Games that did not verify when they were last checked."
        yield GaugeMetricFamily("taki_audit_failed_games", failing, value=games_failing())
        yield GaugeMetricFamily("taki_frozen_games", "Games to which nothing is added.", value=games_frozen())


def exposition(figures: Figures) -> bytes:
    """The figures in Prometheus' text form."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(figures)
    return generate_latest(registry)


def _seconds(name: str, meaning: str, since: datetime | None) -> GaugeMetricFamily:
    late = 0.0 if since is None else max(0.0, (datetime.now(UTC) - since).total_seconds())
    return GaugeMetricFamily(name, meaning, value=late)
