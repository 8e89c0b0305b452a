"""From a folded log to the summaries in the rows. The only writer of the derived columns; `store` and `rebuilding` call
it."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db import connection

from tournaments.models import Tournament
from tournaments.rules import Entry, EntryStatus, Logged, Phase, State, still_in, wakes_at
from tournaments.rules import events as e
from tournaments.rules.codec import encode

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def project(*, tournament: Tournament, before: State, state: State, lines: Sequence[Logged], done: bool) -> None:
    """Write the summary of ``state`` to the tournament's row and its entries'. The row must be locked."""
    for name, value in summary(state).items():
        setattr(tournament, name, value)
    for name, value in times(lines).items():
        setattr(tournament, name, value)
    if done:
        tournament.advanced_to = state.version
    tournament.save(update_fields=_DERIVED)
    _project_entries(tournament.pk, before, state)


def summary(state: State) -> dict[str, Any]:
    """The derived columns that the state alone tells."""
    terms = state.terms
    left = still_in(state) if state.phase is Phase.FINISHED else ()
    return {
        "phase": state.phase.value,
        "version": state.version,
        "terms": encode(e.TermsChanged(terms)).data["terms"],
        "format": terms.format.value,
        "capacity": terms.capacity,
        "taken": state.taken,
        "waiting": len(state.waiting),
        "rounds": len(state.rounds),
        "champion": left[0] if left else None,
        "opens_at": _moment(terms.opens_at),
        "closes_at": _moment(terms.closes_at),
        "starts_at": _moment(terms.starts_at),
        "wakes_at": _moment(wakes_at(state)),
    }


_DERIVED: Final = (
    "phase",
    "version",
    "terms",
    "format",
    "capacity",
    "taken",
    "waiting",
    "rounds",
    "champion",
    "opens_at",
    "closes_at",
    "starts_at",
    "wakes_at",
    "started_at",
    "ended_at",
    "advanced_to",
    "last_command",
    "last_ordinal",
)


def times(lines: Iterable[Logged]) -> dict[str, datetime | None]:
    """What these lines say of when the tournament started and ended; without a word about what they do not."""
    found: dict[str, datetime | None] = {}
    for line in lines:
        match line.event:
            case e.TournamentStarted():
                found["started_at"] = _moment(line.at)
            case e.TournamentFinished() | e.TournamentCancelled():
                found["ended_at"] = _moment(line.at)
            case e.RoundReopened():
                found["ended_at"] = None
            case _:
                pass
    return found


def counts(entry: Entry) -> bool:
    """Whether its player may have no other entry: not if it was withdrawn before the start."""
    return entry.started or entry.status is not EntryStatus.WITHDRAWN


def _project_entries(tournament_id: UUID, before: State, state: State) -> None:
    known = before.entries
    changed = [entry for at, entry in enumerate(state.entries) if at >= len(known) or known[at] is not entry]
    if not changed:
        return
    with connection.cursor() as cursor:
        cursor.execute(
            _ENTRIES,
            (
                [entry.number for entry in changed],
                [entry.status.value for entry in changed],
                [entry.checked_in for entry in changed],
                [entry.bot for entry in changed],
                [entry.holder for entry in changed],
                [counts(entry) for entry in changed],
                tournament_id,
            ),
        )


def _moment(at: int | None) -> datetime | None:
    return None if at is None else _EPOCH + timedelta(milliseconds=at)


_ENTRIES: Final = """
    UPDATE tournaments_entry AS entry
    SET status = new.status, checked_in = new.checked_in, bot = new.bot, holder = new.holder, counts = new.counts
    FROM unnest(%s::int[], %s::text[], %s::bool[], %s::bool[], %s::int[], %s::bool[])
        AS new (number, status, checked_in, bot, holder, counts)
    WHERE entry.tournament_id = %s AND entry.number = new.number
"""
