"""The first page of the admin: what is going on, and what needs somebody."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.http import HttpRequest

from games.selectors import bot_overdue_oldest, games_count, overdue_oldest
from players.models import Player
from tournaments.admin import staff
from tournaments.models import Phase, Tournament
from tournaments.pages import words
from tournaments.roles import RUN, VIEW
from tournaments.rules import Phase as RulesPhase

MOST_LISTED: Final = 30
_LIVE: Final = (Phase.CHECK_IN, Phase.RUNNING, Phase.PAUSED)


def dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """The theme's context, with the figures and today's tournaments for whoever has a role at the desk."""
    player: Any = request.user
    now = datetime.now(UTC)
    context["now"] = now
    if player.has_perm("games.view_game"):
        context["counts"] = games_count()
        context["overdue"] = _late(overdue_oldest(), now)
        context["bots_overdue"] = _late(bot_overdue_oldest(), now)
    if staff.may_open(player):
        context["today"] = [
            {"tournament": tournament, "phase": words.PHASES[RulesPhase(tournament.phase)]}
            for tournament in today(player, now)[:MOST_LISTED]
        ]
        context["may_create"] = staff.may_create(player)
    return context


def seen_by(player: Player) -> QuerySet[Tournament]:
    """One's own; all of them for those who may see all."""
    rows = Tournament.objects.defer("invite_code").order_by("-id")
    return rows if player.has_perm(VIEW) or player.has_perm(RUN) else rows.filter(owner_id=player.pk)


def today(player: Player, now: datetime) -> QuerySet[Tournament]:
    """Those that are under way, that are to start on this day (UTC), or that started or ended on it."""
    day = now.replace(hour=0, minute=0, second=0, microsecond=0)
    within = (day, day + timedelta(days=1))
    dated = Q(starts_at__range=within) | Q(started_at__range=within) | Q(ended_at__range=within)
    return seen_by(player).filter(Q(phase__in=_LIVE) | dated)


def _late(since: datetime | None, now: datetime) -> int | None:
    """For how many seconds; None when nothing is late."""
    return None if since is None else max(0, int((now - since).total_seconds()))
