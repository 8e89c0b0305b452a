"""The beginning of a game, and its end by an outsider's hand."""

from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from django.db import transaction

from games import chain, store
from games.errors import ReasonMissing, WrongPhase
from games.hooks import Appended
from games.models import AuditEntry, AuditKind, FirstPlayer, Game, Phase
from games.models import Seat as SeatRow
from games.rules.cards import Seat
from games.rules.commands import STOP
from games.rules.decide import advance
from games.rules.events import Event, GameAborted, SeedCommitted
from games.rules.evolve import replay
from games.rules.ruleset import Ruleset
from games.rules.setup import start
from games.services.actors import SystemActor, request_digest
from games.services.appending import CommandKey, commit_events, time_now
from games.services.seating import lock_game, require_host, rows, save_lobby
from games.store import Locked, NewEvent
from players.models import Player

MOST_REASON: Final = 200
HOST: Final = SystemActor("host")
STAFF: Final = SystemActor("staff")


def game_start(*, game_id: UUID, actor: Player | SystemActor) -> Appended:
    """Deal and begin. Only the host (or the server) may, with every seat taken; starting twice starts once.

    GameNotFound, NotHost, WrongPhase (seats_empty, finished).
    """
    with transaction.atomic():
        if isinstance(actor, Player):
            require_host(lock_game(game_id), actor)
        locked = _lock_for(game_id, "start")
        if locked.told is not None:
            state = locked.table.folded.state
            return Appended(locked.told.events[-1].version, locked.told.events, state, locked.game, repeated=True)
        _require_startable(locked.game)
        return _begin(locked, actor if isinstance(actor, SystemActor) else HOST)


def game_abort(*, game_id: UUID, actor: Player, reason: str = "") -> Game:
    """End a game that does not count: the host in the lobby, staff at any time; aborting twice aborts once.

    What staff ends is told in the audit log. GameNotFound, NotHost, WrongPhase (already_started for the host,
    finished); ReasonMissing for staff.
    """
    with transaction.atomic():
        game = lock_game(game_id)
        by_staff = actor.is_staff and not _hosts_lobby(game, actor)
        if not by_staff:
            require_host(game, actor)
        elif not reason:
            raise ReasonMissing
        if game.phase == Phase.ABORTED:
            return game
        if game.phase == Phase.PLAYING and not by_staff:
            raise WrongPhase("already_started", game.phase)
        if game.phase == Phase.FINISHED:
            raise WrongPhase("finished", game.phase)
        if by_staff:
            _note(game, actor, reason)
        return _abort(game, reason[:MOST_REASON])


def _hosts_lobby(game: Game, actor: Player) -> bool:
    """It is the actor's own table, and still in the lobby."""
    if game.phase != Phase.LOBBY or game.host_seat is None:
        return False
    return rows(game).filter(player_id=actor.pk, seat=game.host_seat).exists()


def _note(game: Game, actor: Player, reason: str) -> None:
    AuditEntry.objects.create(
        game=game,
        at=datetime.now(UTC),
        kind=AuditKind.DESK,
        code="game_abort",
        player=actor,
        version=game.version,
        reason=reason,
    )


def _abort(game: Game, reason: str) -> Game:
    game.abort_reason = reason
    if game.phase == Phase.LOBBY:
        game.phase = Phase.ABORTED
        save_lobby(game)
        return game
    save_lobby(game)
    locked = _lock_for(game.id, "abort")
    ended = advance(locked.table.folded.state, None, (STOP,))
    return commit_events(
        locked=locked,
        events=tuple(NewEvent(event, STAFF.name) for event in (*ended.events, GameAborted())),
        state=ended.state,
        key=_key(locked, STAFF, "abort"),
        now=time_now(locked),
    ).game


def _begin(locked: Locked, actor: SystemActor) -> Appended:
    game, seed = locked.game, locked.table.folded.state.seed
    first = chain.first_seat(seed, _candidates(game))
    rules = Ruleset.from_mapping(game.house_rules)
    started, dealt = start(rules=rules, seats=game.seats, first=first, seed=seed)
    events: tuple[Event, ...] = (started, _committed(game), dealt)
    return commit_events(
        locked=locked,
        events=tuple(NewEvent(event, actor.name if event is started else "server") for event in events),
        state=replay(events, seed=seed),
        key=_key(locked, actor, "start"),
        now=time_now(locked),
    )


def _committed(game: Game) -> SeedCommitted:
    digests = tuple(chain.entropy_digest(entropy).hex() for entropy in store.first_entropies(game))
    return SeedCommitted(game.commitment, digests)


def _candidates(game: Game) -> tuple[Seat, ...]:
    """Among whom the seed draws who begins (S4): the host, everybody, or the youngest if every age is known."""
    everybody = tuple(Seat(seat) for seat in range(game.seats))
    if game.first_player == FirstPlayer.HOST and game.host_seat is not None:
        return (Seat(game.host_seat),)
    if game.first_player == FirstPlayer.YOUNGEST:
        born = [(row.player.birth_year if row.player else None, row.seat) for row in _with_players(game)]
        years = [year for year, _seat in born if year is not None]
        if len(years) == game.seats:
            return tuple(Seat(seat) for year, seat in born if year == max(years))
    return everybody


def _with_players(game: Game) -> list[SeatRow]:
    return list(rows(game).select_related("player"))


def _require_startable(game: Game) -> None:
    if game.phase != Phase.LOBBY:
        raise WrongPhase("finished", game.phase)
    if game.seats_free:
        raise WrongPhase("seats_empty", game.phase)


def _lock_for(game_id: UUID, purpose: str) -> Locked:
    """The game and its table, locked, together with the server's own command of that purpose if it was given."""
    return store.lock(game_id=game_id, command_id=chain.private_uuid(store.server_seed_of(game_id), purpose))


def _key(locked: Locked, actor: SystemActor, purpose: str) -> CommandKey:
    command_id = chain.private_uuid(locked.table.server_seed, purpose)
    return CommandKey(command_id, request_digest(actor, purpose.encode("ascii")))
