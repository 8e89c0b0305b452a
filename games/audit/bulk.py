"""The logs of many games, one after the other: what `games/export/` streams and `games_export` writes."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db.models import QuerySet

from games.audit.export import export_lines
from games.models import Game, Phase

MOST_GAMES: Final = 1_000
"""In one answer."""
MOST_EVENTS: Final = 100_000
"""After so many lines an answer ends with the game that it is at: some ten seconds of one thread."""


class Bulk:
    """Streams the exports of these games; ``games`` and ``last`` say how far it has come, as it goes."""

    def __init__(self, ids: Iterable[UUID], *, most_events: int | None = MOST_EVENTS) -> None:
        self._ids = ids
        self._most_events = most_events
        self.games = 0
        self.events = 0
        self.last: UUID | None = None

    def lines(self) -> Iterator[str]:
        """The lines without line ends, game by game, never a part of one."""
        for game_id in self._ids:
            if self._most_events is not None and self.events >= self._most_events:
                return
            for line in export_lines(game_id=game_id):
                self.events += 1
                yield line
            self.games, self.last = self.games + 1, game_id


def over(games: QuerySet[Game], *, since: datetime | None = None, until: datetime | None = None) -> QuerySet[Game]:
    """Those of the games that have a log and ended at or after ``since`` and before ``until``, newest first."""
    games = games.filter(phase__in=(Phase.FINISHED, Phase.ABORTED), version__gt=0)
    if since is not None:
        games = games.filter(ended_at__gte=since)
    if until is not None:
        games = games.filter(ended_at__lt=until)
    return games.order_by("-id")
