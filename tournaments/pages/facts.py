"""Names of entries, as every page shows them."""

from collections.abc import Collection
from uuid import UUID

from django.utils.translation import gettext as _

from tournaments.models import Entry


def names_of(*, tournament_id: UUID, numbers: Collection[int] | None = None) -> dict[int, str]:
    """Names by entry: the holder's, "Bot 3" for a bot's own entry, "deleted player" for whoever was erased."""
    rows = Entry.objects.filter(tournament_id=tournament_id)
    if numbers is not None:
        rows = rows.filter(number__in=numbers)
    return {
        number: name or (_("Bot %d") % number if bot else _("deleted player"))
        for number, name, bot in rows.values_list("number", "player__name", "bot")
    }
