"""A game's record out of the database: who sat where, and the text."""

import hashlib
from uuid import UUID

from games import selectors, store
from games.audit.export import stored_lines
from games.audit.published import signature_of
from games.audit.record import Sitting, print_record, record_of
from games.audit.record.printing import NOTATION
from games.errors import WrongPhase
from games.models import Game
from games.models import Seat as SeatRow
from games.rules.cards import Seat
from players.names import DELETED


def record_text(*, game: Game) -> str:
    """The record of a game that is over. WrongPhase until it is, and if it never began; Forged when it is not whole."""
    selectors.export_iter(game_id=game.pk)  # says at once if it is not over
    if not game.version:
        raise WrongPhase("not_started", game.phase)
    told = record_of(
        lambda: stored_lines(game_id=game.pk),
        limits=store.limits_of(game),
        name=game.name,
        sittings=sittings_of(game_id=game.pk),
    )
    return print_record(told)


def record_tag(*, game: Game) -> str:
    """What the text hangs on, for an ETag: the log's head, the names, the signature, the notation."""
    signed = signature_of(game_id=game.pk)
    parts = (NOTATION, bytes(game.head_hash).hex(), game.name, sittings_of(game_id=game.pk), signed and signed.key)
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


def sittings_of(*, game_id: UUID) -> tuple[Sitting, ...]:
    """Who sat where, from which version on: players by the names that they have now, bots by their levels."""
    rows = SeatRow.objects.filter(game_id=game_id).select_related("player").order_by("seat", "from_version")
    return tuple(_sitting(row) for row in rows)


def _sitting(row: SeatRow) -> Sitting:
    if row.bot:
        return Sitting(Seat(row.seat), row.bot, True, row.from_version)
    return Sitting(Seat(row.seat), row.player.name if row.player else DELETED, False, row.from_version)
