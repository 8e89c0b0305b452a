"""The organiser's buttons for the tournament as a whole. Pressed twice, or by two at once, they are pressed once."""

from collections.abc import Sequence
from uuid import UUID

from players.models import Player
from tournaments.rules import (
    Cancel,
    CloseRegistration,
    EntryNo,
    ListSeeding,
    OpenRegistration,
    Pause,
    ReopenRound,
    Resume,
    RoundNo,
    Start,
)
from tournaments.services.acting import Acted, act_as_organiser


def registration_open(*, tournament_id: UUID, actor: Player, reason: str = "", command_id: UUID | None = None) -> Acted:
    """Take entries, or take them again. Errors as of `act_as_organiser`."""
    act = OpenRegistration()
    return act_as_organiser(tournament_id=tournament_id, actor=actor, act=act, reason=reason, command_id=command_id)


def registration_close(
    *, tournament_id: UUID, actor: Player, reason: str = "", command_id: UUID | None = None
) -> Acted:
    """Take no more entries; check-in begins."""
    act = CloseRegistration()
    return act_as_organiser(tournament_id=tournament_id, actor=actor, act=act, reason=reason, command_id=command_id)


def seeding_list(
    *, tournament_id: UUID, actor: Player, order: Sequence[int], reason: str = "", command_id: UUID | None = None
) -> Acted:
    """Entries by number in the order of their seeds, best first; all others follow as they registered."""
    act = ListSeeding(tuple(EntryNo(number) for number in order))
    return act_as_organiser(tournament_id=tournament_id, actor=actor, act=act, reason=reason, command_id=command_id)


def tournament_start(*, tournament_id: UUID, actor: Player, reason: str = "", command_id: UUID | None = None) -> Acted:
    """Begin with whoever is there; the tables' games follow at once, by `tournament_advance`."""
    return act_as_organiser(tournament_id=tournament_id, actor=actor, act=Start(), reason=reason, command_id=command_id)


def tournament_pause(*, tournament_id: UUID, actor: Player, reason: str, command_id: UUID | None = None) -> Acted:
    """No game begins and nothing follows until it is resumed. Needs a reason."""
    return act_as_organiser(tournament_id=tournament_id, actor=actor, act=Pause(), reason=reason, command_id=command_id)


def tournament_resume(*, tournament_id: UUID, actor: Player, reason: str = "", command_id: UUID | None = None) -> Acted:
    """Go on."""
    return act_as_organiser(
        tournament_id=tournament_id, actor=actor, act=Resume(), reason=reason, command_id=command_id
    )


def tournament_cancel(*, tournament_id: UUID, actor: Player, reason: str, command_id: UUID | None = None) -> Acted:
    """End it; it does not count, and its games are aborted. Needs a reason."""
    return act_as_organiser(
        tournament_id=tournament_id, actor=actor, act=Cancel(), reason=reason, command_id=command_id
    )


def round_reopen(
    *, tournament_id: UUID, actor: Player, number: int, reason: str, command_id: UUID | None = None
) -> Acted:
    """Undo every round after this one; their games are aborted, and they are seated anew. Needs a reason."""
    act = ReopenRound(RoundNo(number))
    return act_as_organiser(tournament_id=tournament_id, actor=actor, act=act, reason=reason, command_id=command_id)
