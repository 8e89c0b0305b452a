"""Whether a log's draws are honest: every step that chance or the structure decided, derived again from the seed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tournaments.rules import events as e
from tournaments.rules.advance import finished, seated, seeding_order
from tournaments.rules.draws import commitment
from tournaments.rules.evolve import evolve
from tournaments.rules.field import still_in
from tournaments.rules.standings import settled
from tournaments.rules.state import NOT_CREATED, State
from tournaments.rules.terms import LEAST_SEATS


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """Line ``version`` of the log (the first is 1) should have been ``expected``; None: it should not be there."""

    version: int
    found: e.Event
    expected: e.Event | None


def discrepancies(log: Iterable[e.Logged], seed: bytes) -> tuple[Discrepancy, ...]:
    """Where the log is not what this seed and everything before makes of it; empty if it is honest throughout.

    An event about an entry, a table or a round that there is not ends the check: what follows has no meaning.
    Checked are the commitment, the seeding, who sits where, who goes on and by which draw, and the final ranking.
    """
    found: list[Discrepancy] = []
    state = NOT_CREATED
    for line in log:
        expected = _expected(state, line.event, seed)
        if expected != line.event:
            found.append(Discrepancy(state.version + 1, line.event, expected))
        try:
            state = evolve(state, line)
        except LookupError:  # it speaks of what there is not, so nothing after it can be judged
            break
    return tuple(found)


def _expected(state: State, event: e.Event, seed: bytes) -> e.Event | None:
    match event:
        case e.TournamentCreated():
            return e.TournamentCreated(event.terms, commitment(seed))
        case e.EntriesSeeded():
            return e.EntriesSeeded(seeding_order(state, seed))
        case e.RoundSeated():
            left = still_in(state)
            return seated(state, left) if len(left) >= LEAST_SEATS else None
        case e.RoundFinished():
            return None if state.latest is None else finished(state, state.latest, seed)
        case e.RankingSettled():
            return settled(state, seed)
        case e.SeedRevealed():
            return e.SeedRevealed(seed.hex())
        case _:
            return event
