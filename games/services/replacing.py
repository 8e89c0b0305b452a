"""What the server does at a table without a host: another sits down, a seat leaves, the game is stopped or given up."""

from typing import Final
from uuid import UUID

from django.db import transaction

from games import projections, store
from games.chain import private_uuid
from games.errors import NotSeated, WrongPhase
from games.hooks import Appended
from games.models import Game, Phase
from games.models import Seat as SeatRow
from games.rules.cards import Seat
from games.rules.commands import LEAVE, STOP
from games.rules.decide import advance
from games.rules.events import Event, GameAborted, SeatReturned
from games.rules.state import State
from games.services.actors import SystemActor, request_digest
from games.services.appending import CommandKey, commit_events, time_now
from games.services.lobby import level_named
from games.services.seating import lock_game, rows, save_lobby, seat_at, tell_seated
from games.store import Locked, NewEvent
from games.table import remember
from players.models import Player

SERVER: Final = SystemActor("server")
MOST_REASON: Final = 200


def seat_replace(*, game_id: UUID, seat: Seat, player: Player | None = None, bot: str = "") -> Game:
    """From now on this player, or a bot of this level, plays the seat; cards, clock and log stay. Twice is once.

    GameNotFound, NoSuchSeat, NoSuchLevel, NotSeated (nobody ever sat there), WrongPhase (not_started, finished;
    already_seated: the player has another seat); ValueError unless one of the two is given.
    """
    if (player is None) == (not bot):
        raise ValueError("either a player or a bot")
    with transaction.atomic():
        game = lock_game(game_id)
        row = rows(game).filter(seat=seat_at(game, seat)).first()
        _require_replaceable(game, row, player)
        if row is None or (row.player_id, row.bot) == (player.pk if player else None, bot and level_named(bot)):
            return game
        _change_hands(game, row, player, bot)
        tell_seated(game, row.player_id)
        game.seating_revision += 1
        game.save(update_fields=["seating_revision"])
        return _projected(game.pk, seat)


def seat_resign(*, game_id: UUID, seat: Seat) -> Appended | None:
    """The seat leaves the game (Z4) by the server's word; None if it has left or the game is over.

    GameNotFound, NoSuchSeat, WrongPhase (not_started).
    """
    with transaction.atomic():
        locked = store.lock(game_id=game_id)
        seat_at(locked.game, seat)
        if not _playing(locked.game) or seat in locked.table.folded.state.left:
            return None
        decided = advance(locked.table.folded.state, seat, (LEAVE,))
        return _tell(locked, decided.events, decided.state, f"resign/{seat}")


def game_stop(*, game_id: UUID) -> Appended | None:
    """End the game now, ranked as it stands (Z7); None if it is over. GameNotFound, WrongPhase (not_started)."""
    with transaction.atomic():
        locked = store.lock(game_id=game_id)
        if not _playing(locked.game):
            return None
        decided = advance(locked.table.folded.state, None, (STOP,))
        return _tell(locked, decided.events, decided.state, "stop")


def game_give_up(*, game_id: UUID, reason: str = "") -> Game:
    """End a game that shall not count; one that is over stays as it is. GameNotFound."""
    with transaction.atomic():
        game = lock_game(game_id)
        if game.phase not in (Phase.LOBBY, Phase.PLAYING):
            return game
        game.abort_reason = reason[:MOST_REASON]
        if game.phase == Phase.LOBBY:
            game.phase = Phase.ABORTED
            save_lobby(game)
            return game
        save_lobby(game)
        locked = store.lock(game_id=game_id)
        decided = advance(locked.table.folded.state, None, (STOP,))
        return _tell(locked, (*decided.events, GameAborted()), decided.state, "give-up").game


def _playing(game: Game) -> bool:
    if game.phase == Phase.LOBBY:
        raise WrongPhase("not_started", game.phase)
    return game.phase == Phase.PLAYING


def _require_replaceable(game: Game, row: SeatRow | None, player: Player | None) -> None:
    if not _playing(game):
        raise WrongPhase("finished", game.phase)
    if row is None:
        raise NotSeated
    if player is not None and rows(game).filter(player_id=player.pk).exclude(seat=row.seat).exists():
        raise WrongPhase("already_seated", game.phase)


def _change_hands(game: Game, row: SeatRow, player: Player | None, bot: str) -> None:
    """The row ends at this version and another begins; who came at this very version has not played and is changed."""
    if row.from_version == game.version:
        rows(game).filter(seat=row.seat).update(player=player, bot=bot, auto_accept=False)
        return
    rows(game).filter(seat=row.seat).update(until_version=game.version)
    SeatRow.objects.create(game=game, seat=row.seat, from_version=game.version, player=player, bot=bot)


def _projected(game_id: UUID, seat: Seat) -> Game:
    """The row after a change of who sits there; whoever has come is not away, and a bot's move may now be awaited."""
    locked = store.lock(game_id=game_id)
    state, away = locked.table.folded.state, seat in locked.table.folded.clock.away
    if away and seat not in state.left:
        return _tell(locked, (SeatReturned(seat),), state, f"return/{seat}").game
    projections.project(game=locked.game, table=locked.table)
    game, table = locked.game, locked.table
    transaction.on_commit(lambda: remember(game.pk, table))
    return game


def _tell(locked: Locked, events: tuple[Event, ...], state: State, what: str) -> Appended:
    purpose = f"{what}/{locked.game.version}"
    key = CommandKey(private_uuid(locked.table.server_seed, purpose), request_digest(SERVER, purpose.encode("ascii")))
    told = tuple(NewEvent(event, SERVER.name) for event in events)
    return commit_events(locked=locked, events=told, state=state, key=key, now=time_now(locked))
