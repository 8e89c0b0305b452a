"""Entries: registering, withdrawing, checking in, and what an organiser does about one of them."""

import hmac
from uuid import UUID

from django.db import transaction

from games.services.looking import has_looked
from players.models import Player
from tournaments import store
from tournaments.errors import (
    AlreadyEntered,
    BadSettings,
    InviteCodeWrong,
    NotEntered,
    TournamentNotFound,
)
from tournaments.models import Entry, EntryHolder, Phase, Tournament, TournamentTable, new_id
from tournaments.roles import knows_of, runs
from tournaments.rules import (
    Act,
    CheckIn,
    Disqualify,
    EntryNo,
    EntryStatus,
    Forfeit,
    NoShow,
    Promote,
    Register,
    Reinstate,
    Replace,
    Withdraw,
)
from tournaments.services.acting import (
    Acted,
    act_as_organiser,
    carry_out,
    commit,
    digest_of,
    lock_for,
    require_runs,
    told_again,
)
from tournaments.store import Locked


def entry_register(
    *,
    tournament_id: UUID,
    actor: Player,
    player: Player | None,
    bot: bool = False,
    invite_code: str | None = None,
    reason: str = "",
    command_id: UUID | None = None,
) -> Acted:
    """One more entry, with a place or on the waiting list; ``Acted.entry`` is its number.

    Players register themselves (``player`` is ``actor``), whoever runs the tournament registers anybody, or a built-in
    bot (``bot``, and no player). TournamentNotFound, InviteCodeWrong (the private one's code; strangers without any
    are told nothing), NotOrganiser, AlreadyEntered, ActRefused.
    """
    if (player is None) != bot:
        raise ValueError("either a player or a bot")
    command_id = command_id or new_id()
    key = digest_of(actor, Register(bot), f"{player and player.pk}\0{reason}")
    with transaction.atomic():
        locked = store.lock(tournament_id=tournament_id, command_id=command_id)
        _require_admitted(locked.tournament, actor, player, invite_code)
        if (before := told_again(locked, key)) is not None:
            number = getattr(before.lines[0].event, "entry", None)
            return Acted(before.tournament, before.state, before.lines, repeated=True, entry=number)
        if player is not None:
            _require_free(locked.tournament, player)
        lines = carry_out(locked, Register(bot), actor, reason)
        number = len(locked.state.entries)
        _write_entry(locked, number, player)
        commit(locked, command_id, key)
        return Acted(locked.tournament, locked.state, lines, entry=number)


def entry_withdraw(
    *, tournament_id: UUID, actor: Player, entry: int, reason: str = "", command_id: UUID | None = None
) -> Acted:
    """The entry does not go on; by whoever holds it or runs the tournament. In a running game its seat leaves.

    TournamentNotFound, NotEntered (not the caller's entry), ActRefused, CommandIdReused.
    """
    return _act_as_holder(tournament_id, actor, entry, Withdraw(EntryNo(entry)), reason, command_id)


def entry_check_in(
    *, tournament_id: UUID, actor: Player, entry: int, reason: str = "", command_id: UUID | None = None
) -> Acted:
    """Here; by whoever holds the entry or runs the tournament. Errors as of `entry_withdraw`. Twice is once."""
    return _act_as_holder(tournament_id, actor, entry, CheckIn(EntryNo(entry)), reason, command_id)


def entry_forfeit(
    *, tournament_id: UUID, actor: Player, entry: int, reason: str = "", command_id: UUID | None = None
) -> Acted:
    """Give up the table at which the entry sits; by whoever holds it or runs the tournament."""
    return _act_as_holder(tournament_id, actor, entry, Forfeit(EntryNo(entry)), reason, command_id)


def entry_promote(
    *, tournament_id: UUID, actor: Player, entry: int, reason: str, command_id: UUID | None = None
) -> Acted:
    """One of the waiting list gets a free place, whoever stands before it. Needs a reason."""
    return act_as_organiser(
        tournament_id=tournament_id,
        actor=actor,
        act=Promote(EntryNo(entry)),
        reason=reason,
        command_id=command_id,
    )


def entry_replace(
    *, tournament_id: UUID, actor: Player, entry: int, player: Player, reason: str, command_id: UUID | None = None
) -> Acted:
    """From now on this player holds the entry, with its seat, cards and results. Needs a reason.

    The present holder may be named again, to take the seat back from a bot. AlreadyEntered for one with another entry;
    BadSettings for one who has looked at the hidden hands of a table that is not over.
    """

    def check(locked: Locked) -> None:
        _require_free(locked.tournament, player, but=entry)
        _require_unseeing(locked.tournament, player)

    def follow(locked: Locked) -> None:
        _write_holder(locked, entry, player)

    return act_as_organiser(
        tournament_id=tournament_id,
        actor=actor,
        act=Replace(EntryNo(entry)),
        reason=reason,
        command_id=command_id,
        check=check,
        follow=follow,
        about=str(player.pk),
    )


def entry_no_show(
    *, tournament_id: UUID, actor: Player, entry: int, bot: bool, reason: str, command_id: UUID | None = None
) -> Acted:
    """Nobody came to the table: a bot plays for the entry, or it forfeits the table. Needs a reason."""
    return act_as_organiser(
        tournament_id=tournament_id,
        actor=actor,
        act=NoShow(EntryNo(entry), bot),
        reason=reason,
        command_id=command_id,
    )


def entry_disqualify(
    *, tournament_id: UUID, actor: Player, entry: int, reason: str, command_id: UUID | None = None
) -> Acted:
    """The entry is out; in a running game its seat leaves. Needs a reason."""
    return act_as_organiser(
        tournament_id=tournament_id,
        actor=actor,
        act=Disqualify(EntryNo(entry)),
        reason=reason,
        command_id=command_id,
    )


def entry_reinstate(
    *, tournament_id: UUID, actor: Player, entry: int, reason: str, command_id: UUID | None = None
) -> Acted:
    """The disqualification or withdrawal was a mistake; what was played without the entry stays. Needs a reason."""
    return act_as_organiser(
        tournament_id=tournament_id,
        actor=actor,
        act=Reinstate(EntryNo(entry)),
        reason=reason,
        command_id=command_id,
    )


def _act_as_holder(
    tournament_id: UUID, actor: Player, entry: int, act: Act, reason: str, command_id: UUID | None
) -> Acted:
    command_id = command_id or new_id()
    key = digest_of(actor, act, reason)
    with transaction.atomic():
        locked = lock_for(tournament_id, actor, command_id)
        if not runs(actor, locked.tournament):
            _require_held(locked.tournament, actor, entry)
        if (before := told_again(locked, key, entry=entry)) is not None:
            return before
        if isinstance(act, CheckIn) and _is_here(locked, entry):
            return Acted(locked.tournament, locked.state, (), repeated=True, entry=entry)
        lines = carry_out(locked, act, actor, reason)
        commit(locked, command_id, key)
        return Acted(locked.tournament, locked.state, lines, entry=entry)


def _is_here(locked: Locked, entry: int) -> bool:
    """Two devices that check in at once check in once."""
    if locked.state.phase.value != Phase.CHECK_IN or not 1 <= entry <= len(locked.state.entries):
        return False
    known = locked.state.entry(EntryNo(entry))
    return known.checked_in and known.status in (EntryStatus.ENTERED, EntryStatus.WAITING)


def _require_held(tournament: Tournament, actor: Player, entry: int) -> None:
    if not Entry.objects.filter(tournament=tournament, number=entry, player_id=actor.pk).exists():
        raise NotEntered


def _require_admitted(tournament: Tournament, actor: Player, player: Player | None, invite_code: str | None) -> None:
    if player is None or player.pk != actor.pk:
        if not knows_of(actor, tournament):
            raise TournamentNotFound(tournament.pk)
        require_runs(actor, tournament)
    elif not knows_of(actor, tournament):
        if tournament.phase == Phase.DRAFT or invite_code is None:
            raise TournamentNotFound(tournament.pk)
        if not hmac.compare_digest(invite_code.encode(), tournament.invite_code.encode()):
            raise InviteCodeWrong


def _require_free(tournament: Tournament, player: Player, *, but: int | None = None) -> None:
    if not player.is_active:
        raise BadSettings("player", "not_a_choice")
    held = Entry.objects.filter(tournament=tournament, player_id=player.pk, counts=True)
    if but is not None:
        held = held.exclude(number=but)
    number = held.values_list("number", flat=True).first()
    if number is not None:
        raise AlreadyEntered(number)


def _require_unseeing(tournament: Tournament, player: Player) -> None:
    """Whoever has seen the cards of a table as its referee does not sit down there (it may be any: entries move)."""
    games = TournamentTable.objects.filter(tournament=tournament, settled=False).values_list("game_id", flat=True)
    if has_looked(player=player, games=games):
        raise BadSettings("player", "not_a_choice")


def _write_entry(locked: Locked, number: int, player: Player | None) -> None:
    state = locked.state.entry(EntryNo(number))
    entry = Entry.objects.create(
        tournament=locked.tournament, number=number, player=player, status=state.status.value, bot=state.bot
    )
    EntryHolder.objects.create(entry=entry, holder=1, player=player, from_version=locked.state.version)


def _write_holder(locked: Locked, number: int, player: Player) -> None:
    entry = Entry.objects.get(tournament=locked.tournament, number=number)
    version, holder = locked.state.version, locked.state.entry(EntryNo(number)).holder
    entry.holders.filter(until_version=None).update(until_version=version)
    EntryHolder.objects.create(entry=entry, holder=holder, player=player, from_version=version)
    entry.player = player
    entry.save(update_fields=["player"])
