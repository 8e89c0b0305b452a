"""The one way an act comes into a tournament's log: lock, judge, write, commit, then wake the tasks."""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db import transaction

from players.models import Player
from tournaments import hooks, store
from tournaments.errors import ActRefused, BadSettings, CommandIdReused, NotOrganiser, TournamentNotFound
from tournaments.models import MOST_REASON, Tournament, TournamentReason, new_id
from tournaments.roles import knows_of, runs
from tournaments.rules import (
    Act,
    Cancel,
    CloseRegistration,
    Logged,
    OpenRegistration,
    Pause,
    Phase,
    Refused,
    Resume,
    Start,
    State,
    decide,
)
from tournaments.store import Locked


@dataclass(frozen=True, slots=True)
class Acted:
    """The outcome of an act: its lines, and the tournament as it is now.

    ``repeated``: it had been done before, by the same command or by somebody else, and nothing was written.
    ``entry``: the number of the entry that it was about, if it was about one.
    """

    tournament: Tournament
    state: State
    lines: tuple[Logged, ...]
    repeated: bool = False
    entry: int | None = None

    @property
    def version(self) -> int:
        """The tournament's version now."""
        return self.state.version


LEADS_TO: Final = {
    OpenRegistration: frozenset({Phase.REGISTRATION}),
    CloseRegistration: frozenset({Phase.CHECK_IN}),
    Start: frozenset({Phase.RUNNING, Phase.PAUSED}),
    Pause: frozenset({Phase.PAUSED}),
    Resume: frozenset({Phase.RUNNING}),
    Cancel: frozenset({Phase.CANCELLED}),
}
"""Buttons that two organisers may press at once: where the tournament is there already, nothing is left to do."""


def act_as_organiser(
    *,
    tournament_id: UUID,
    actor: Player,
    act: Act,
    reason: str = "",
    command_id: UUID | None = None,
    check: Callable[[Locked], None] | None = None,
    follow: Callable[[Locked], None] | None = None,
    about: str = "",
) -> Acted:
    """Carry out an act of whoever runs the tournament. ``check`` may raise; ``follow`` writes what belongs to it.

    ``about``: what else tells this command from another.

    TournamentNotFound, NotOrganiser, CommandIdReused, ActRefused.
    """
    command_id = command_id or new_id()
    key = digest_of(actor, act, f"{about}\0{reason}")
    with transaction.atomic():
        locked = lock_for(tournament_id, actor, command_id)
        require_runs(actor, locked.tournament)
        if (before := _done_before(locked, act, key)) is not None:
            return before
        if check is not None:
            check(locked)
        lines = carry_out(locked, act, actor, reason)
        if follow is not None:
            follow(locked)
        commit(locked, command_id, key)
        return Acted(locked.tournament, locked.state, lines)


def lock_for(tournament_id: UUID, actor: Player, command_id: UUID | None) -> Locked:
    """The tournament, locked. TournamentNotFound, also for one that the actor may not know of."""
    locked = store.lock(tournament_id=tournament_id, command_id=command_id)
    if not knows_of(actor, locked.tournament):
        raise TournamentNotFound(tournament_id)
    return locked


def require_runs(actor: Player, tournament: Tournament) -> None:
    """NotOrganiser unless the actor runs the tournament."""
    if not runs(actor, tournament):
        raise NotOrganiser


def carry_out(locked: Locked, act: Act, actor: Player, reason: str = "") -> tuple[Logged, ...]:
    """Judge the act and add its lines, which are written with `commit`. ActRefused."""
    why = write_reason(locked.tournament, reason)
    try:
        lines = decide(locked.state, act, by=str(actor.pk), at=locked.now(), why=why)
    except Refused as refused:
        raise ActRefused(refused.refusal, refused.detail, locked.before.version) from refused
    locked.add(lines)
    return lines


def commit(locked: Locked, command_id: UUID, digest: bytes) -> None:
    """Write what was added; once it is committed, let the tasks do what follows by itself."""
    store.write(locked, command_id=command_id, digest=digest)
    tournament_id = locked.tournament.pk
    transaction.on_commit(lambda: hooks.tell(tournament_id))


def told_again(locked: Locked, digest: bytes, *, entry: int | None = None) -> Acted | None:
    """What this command came to when it was carried out before; None if it was not. CommandIdReused."""
    if not locked.told:
        return None
    if locked.told[0].digest != digest:
        raise CommandIdReused
    return Acted(
        locked.tournament, locked.state, tuple(line.logged for line in locked.told), repeated=True, entry=entry
    )


def digest_of(actor: Player, act: object, reason: str) -> bytes:
    """32 bytes that tell a repeated command from another."""
    return hashlib.sha256(f"{actor.pk}\0{act!r}\0{reason}".encode()).digest()


def write_reason(tournament: Tournament, reason: str) -> str:
    """Keep the words of a reason, and give the reference that the log holds; empty without any. BadSettings."""
    text = re.sub(r"\s+", " ", reason).strip()
    if not text:
        return ""
    if len(text) > MOST_REASON or not text.isprintable():
        raise BadSettings("reason", "bad_text")
    return str(TournamentReason.objects.create(tournament=tournament, text=text).pk)


def _done_before(locked: Locked, act: Act, digest: bytes) -> Acted | None:
    repeated = told_again(locked, digest)
    if repeated is None and locked.state.phase in LEADS_TO.get(type(act), frozenset()):
        return Acted(locked.tournament, locked.state, (), repeated=True)
    return repeated
