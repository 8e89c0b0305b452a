"""Which games an audit goes through: said once, when it begins, so that it means the same whenever it goes on."""

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db.models import CharField, F, Q, QuerySet, Value
from django.db.models.functions import MD5, Cast, Concat
from django.db.models.lookups import LessThanOrEqual

from games.models import Game, GameCheck


@dataclass(frozen=True, slots=True)
class Scope:
    """All games that have a log, or those of them that satisfy everything that is given.

    ``games``: these. ``since``: those that run or ended since then. ``sample``: so many, drawn by lot. ``oldest``:
    those that were never checked, that have moved on since, or that failed; and of the others the so many whose
    check is the longest ago.
    """

    games: tuple[UUID, ...] = ()
    since: datetime | None = None
    sample: int | None = None
    oldest: int | None = None

    def asked(self) -> dict[str, Any]:
        """As JSON: what was asked for."""
        return {
            "games": sorted(map(str, self.games)),
            "since": self.since.astimezone(UTC).isoformat() if self.since else None,
            "sample": self.sample,
            "oldest": self.oldest,
        }

    def settled(self, *, now: datetime) -> dict[str, Any]:
        """What was asked for, with what it comes to now: the lot that is drawn, the age that counts as old."""
        settled = self.asked()
        if self.sample is not None:
            seed = secrets.token_hex(8)
            drawn = _plain(settled).order_by(_lot(seed)).values_list(_lot(seed), flat=True)
            settled |= {"seed": seed, "lot": drawn[self.sample - 1 : self.sample].first()}
        if self.oldest is not None:
            old = GameCheck.objects.order_by("checked_at").values_list("checked_at", flat=True)
            last = old[self.oldest - 1 : self.oldest].first()
            settled |= {"checked_by": (last or now).isoformat()}
        return settled


def games_of(settled: dict[str, Any]) -> QuerySet[Game]:
    """The games of a settled scope, oldest first."""
    games = _plain(settled)
    if settled.get("lot"):
        games = games.filter(LessThanOrEqual(_lot(settled["seed"]), Value(settled["lot"])))
    if settled.get("checked_by"):
        stale = Q(last_check=None) | Q(last_check__ok=False) | ~Q(last_check__version=F("version"))
        games = games.filter(stale | Q(last_check__checked_at__lte=datetime.fromisoformat(settled["checked_by"])))
    return games.order_by("pk")


def _plain(settled: dict[str, Any]) -> QuerySet[Game]:
    games = Game.objects.filter(version__gt=0)
    if settled["games"]:
        games = games.filter(pk__in=settled["games"])
    if settled["since"]:
        games = games.filter(Q(ended_at=None) | Q(ended_at__gte=datetime.fromisoformat(settled["since"])))
    return games


def _lot(seed: str) -> MD5:
    """A text that hangs on the game's id and the seed alone."""
    return MD5(Concat(Cast("id", CharField()), Value(seed)))
