"""The summaries anew from the log, whatever the rows and the cache say."""

from typing import Any
from uuid import UUID

from django.db import transaction

from tournaments import store
from tournaments.errors import TournamentNotFound
from tournaments.models import Entry, Tournament
from tournaments.projections import counts, project, summary, times
from tournaments.rules import Logged, State, evolve
from tournaments.rules.state import NOT_CREATED

_ENTRY = ("status", "checked_in", "bot", "holder", "counts")


def tournament_rebuild(*, tournament_id: UUID, check: bool = False) -> tuple[str, ...]:
    """Fold the whole log anew and write the summaries; the names of the columns that differed, entries by number.

    With ``check`` nothing is written. How far the tournament has been advanced is no fact of the log and stays.
    TournamentNotFound.
    """
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update(no_key=True).filter(pk=tournament_id).first()
        if tournament is None:
            raise TournamentNotFound(tournament_id)
        lines = store.log(tournament_id=tournament_id)
        logged = [line.logged for line in lines]
        state = _folded(logged)
        last = {"last_command": lines[-1].command_id, "last_ordinal": lines[-1].ordinal} if lines else {}
        rebuilt: dict[str, Any] = {
            **summary(state),
            "started_at": None,
            "ended_at": None,
            **times(logged),
            **last,
        }
        differing = [name for name, value in rebuilt.items() if getattr(tournament, name) != value]
        differing += _differing_entries(tournament_id, state)
        if differing and not check:
            for name, value in rebuilt.items():
                setattr(tournament, name, value)
            tournament.advanced_to = min(tournament.advanced_to, state.version)
            project(tournament=tournament, before=NOT_CREATED, state=state, lines=logged, done=False)
            transaction.on_commit(store.forget_all)
        return tuple(differing)


def _folded(logged: list[Logged]) -> State:
    state = NOT_CREATED
    for line in logged:
        state = evolve(state, line)
    return state


def _differing_entries(tournament_id: UUID, state: State) -> list[str]:
    rows = {row.number: row for row in Entry.objects.filter(tournament_id=tournament_id)}
    differing = []
    for entry in state.entries:
        told = (entry.status.value, entry.checked_in, entry.bot, entry.holder, counts(entry))
        row = rows.get(entry.number)
        stored = None if row is None else tuple(getattr(row, name) for name in _ENTRY)
        if stored != told:
            differing.append(f"entry-{entry.number}")
    return differing
