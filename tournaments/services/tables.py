"""The organiser's acts about one table. ``attempt``: the one that was seen, so that a late press hits no other game."""

from collections.abc import Callable, Iterable
from uuid import UUID

from players.models import Player
from tournaments.errors import ActRefused
from tournaments.rules import AbortTable, Act, CorrectResult, EndTable, Place, Refusal, ReplayTable, TableNo
from tournaments.services.acting import Acted, act_as_organiser
from tournaments.store import Locked


def table_end(
    *,
    tournament_id: UUID,
    actor: Player,
    table: int,
    reason: str,
    attempt: int | None = None,
    command_id: UUID | None = None,
) -> Acted:
    """Stop the table's game and rank it as it stands; without a game a draw settles it. Needs a reason."""
    return _act(tournament_id, actor, EndTable(TableNo(table)), reason, attempt, command_id)


def table_replay(
    *,
    tournament_id: UUID,
    actor: Player,
    table: int,
    reason: str,
    attempt: int | None = None,
    command_id: UUID | None = None,
) -> Acted:
    """What was played at the table does not count; it is played anew by everyone at it. Needs a reason."""
    return _act(tournament_id, actor, ReplayTable(TableNo(table)), reason, attempt, command_id)


def table_abort(
    *,
    tournament_id: UUID,
    actor: Player,
    table: int,
    reason: str,
    attempt: int,
    command_id: UUID | None = None,
) -> Acted:
    """The table's game comes to nothing; the organiser replays or ends the table, or it is replayed by itself later."""
    return _act(tournament_id, actor, AbortTable(TableNo(table), attempt), reason, attempt, command_id)


def result_correct(
    *,
    tournament_id: UUID,
    actor: Player,
    table: int,
    result: Iterable[Place],
    reason: str,
    attempt: int | None = None,
    command_id: UUID | None = None,
) -> Acted:
    """This result holds from now on; the old one stays in the log. Needs a reason."""
    act = CorrectResult(TableNo(table), tuple(result))
    return _act(tournament_id, actor, act, reason, attempt, command_id)


def _act(
    tournament_id: UUID, actor: Player, act: Act, reason: str, attempt: int | None, command_id: UUID | None
) -> Acted:
    return act_as_organiser(
        tournament_id=tournament_id,
        actor=actor,
        act=act,
        reason=reason,
        command_id=command_id,
        check=_same_attempt(act, attempt),
    )


def _same_attempt(act: Act, attempt: int | None) -> Callable[[Locked], None]:
    def check(locked: Locked) -> None:
        state, number = locked.state, getattr(act, "table", 0)
        if attempt is None or not 1 <= number <= len(state.tables):
            return
        if state.table(TableNo(number)).attempt != attempt:
            raise ActRefused(Refusal.STALE_ATTEMPT, "", state.version)

    return check
