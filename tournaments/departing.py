"""A player who goes for good: what becomes of its entries and its words, and what it may take along of them."""

from collections.abc import Iterator
from typing import Final

from django.db.models import Q, QuerySet

from players.models import Player
from tournaments.errors import TournamentError
from tournaments.models import Entry, EntryStatus, Phase, Tournament, TournamentEvent, TournamentReason
from tournaments.services import entry_withdraw

_BEFORE_THE_START: Final = (Phase.DRAFT, Phase.REGISTRATION, Phase.CHECK_IN)
_AT_ONCE: Final = 500


def entries_withdraw(player: Player) -> None:
    """Give back every place in a tournament that has not started; in a running one a bot plays on for the entry."""
    for tournament_id, number in _places(player).values_list("tournament_id", "number"):
        try:
            entry_withdraw(tournament_id=tournament_id, actor=player, entry=number)
        except TournamentError:
            continue  # it has just started, or was withdrawn meanwhile


def reasons_erase(player: Player) -> None:
    """The words that the player gave as reasons, and those given for what was done to its entries."""
    held = Q()
    for tournament_id, number in Entry.objects.filter(player_id=player.pk).values_list("tournament_id", "number"):
        held |= Q(tournament_id=tournament_id, data__entry=number)
    about = TournamentEvent.objects.filter(Q(actor=str(player.pk)) | held, reason_id__isnull=False)
    TournamentReason.objects.filter(pk__in=about.values("reason_id")).update(text="")


def entries_told(player: Player) -> Iterator[dict[str, object]]:
    """Every entry that the player holds, and every tournament that it runs."""
    for entry in Entry.objects.filter(player_id=player.pk).select_related("tournament").iterator(_AT_ONCE):
        yield {
            **_told(entry.tournament),
            "role": "entry",
            "number": entry.number,
            "status": entry.status,
            "checked_in": entry.checked_in,
            "registered_at": entry.registered_at.isoformat(),
        }
    for tournament in Tournament.objects.filter(owner_id=player.pk).order_by("id").iterator(_AT_ONCE):
        yield {**_told(tournament), "role": "organiser", "created_at": tournament.created_at.isoformat()}


def _told(tournament: Tournament) -> dict[str, object]:
    return {"tournament": str(tournament.pk), "name": tournament.name, "phase": tournament.phase}


def _places(player: Player) -> QuerySet[Entry]:
    standing = (EntryStatus.WAITING, EntryStatus.ENTERED)
    found = Entry.objects.filter(player_id=player.pk, tournament__phase__in=_BEFORE_THE_START, status__in=standing)
    return found.order_by("tournament_id", "number")
