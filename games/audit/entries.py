"""Entries of the audit log as they are told to auditors: without what a running game still hides."""

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import Q, QuerySet

from games.clock import timestamp
from games.models import AuditEntry, AuditKind, Phase
from players.models import Player

PORTION: Final = 1000
_OVER: Final = (Phase.FINISHED, Phase.ABORTED)


def entries_iter(
    *, since: datetime | None = None, kind: str | None = None, game_id: UUID | None = None
) -> Iterator[AuditEntry]:
    """The entries, oldest first, read in portions: from a time on, of a kind, of a game."""
    entries = AuditEntry.objects.select_related("game").order_by("id")
    if since is not None:
        entries = entries.filter(at__gte=since)
    if kind is not None:
        entries = entries.filter(kind=kind)
    if game_id is not None:
        entries = entries.filter(game_id=game_id)
    after = 0
    while portion := list(entries.filter(pk__gt=after)[:PORTION]):
        yield from portion
        after = portion[-1].pk


def entry_data(entry: AuditEntry) -> dict[str, Any]:
    """The entry's data; a refused command is left out until its game is over, as it may name a hidden card."""
    data: dict[str, Any] = dict(entry.data)
    if entry.kind == AuditKind.REFUSED and (entry.game is None or entry.game.phase not in _OVER):
        data.pop("command", None)
    return data


def entries_told(player: Player) -> Iterator[dict[str, object]]:
    """What the log has of a player, for the export of its data: what it did, in full, and what concerns it."""
    after = 0
    while portion := list(_about(player).filter(pk__gt=after).order_by("id")[:PORTION]):
        for entry in portion:
            own = entry.player_id == player.pk
            yield {
                "at": timestamp(entry.at),
                "kind": entry.kind,
                "code": entry.code,
                "own": own,
                "game": _text(entry.game_id),
                "seat": entry.seat,
                "version": entry.version,
                "reason": entry.reason if own else None,
                "data": entry.data,
            }
        after = portion[-1].pk


def _about(player: Player) -> QuerySet[AuditEntry]:
    return AuditEntry.objects.filter(Q(player_id=player.pk) | Q(subject_id=player.pk))


def entry_line(entry: AuditEntry) -> str:
    """One JSON object in ASCII; players by their ids."""
    return json.dumps(
        {
            "id": entry.pk,
            "at": timestamp(entry.at),
            "kind": entry.kind,
            "code": entry.code,
            "game": _text(entry.game_id),
            "player": _text(entry.player_id),
            "subject": _text(entry.subject_id),
            "seat": entry.seat,
            "version": entry.version,
            "reason": entry.reason,
            "data": entry_data(entry),
        }
    )


def _text(value: UUID | None) -> str | None:
    return None if value is None else str(value)
