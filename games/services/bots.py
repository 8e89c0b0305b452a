"""The built-in bots' moves: look, choose, submit like anybody else."""

import logging
import time
from uuid import UUID

from games import clock, store
from games.bots.registry import LEVELS
from games.bots.turn import turn_commands
from games.chain import private_bytes, private_uuid
from games.errors import ChainBroken, GameNotFound, LogUnreadable, MoveRefused, StaleVersion, WrongPhase
from games.hooks import Appended
from games.models import Phase
from games.rules.cards import Seat
from games.rules.commands import Command
from games.services.actors import BotActor
from games.services.freezing import game_freeze_broken
from games.services.play import game_submit
from games.table import Table

logger = logging.getLogger(__name__)


def bot_move(*, game_id: UUID, version: int) -> Appended | None:
    """Let the bot move that is due at this version of the game; None if none is, or the game has gone on.

    Done twice it moves once: its command id hangs on game, version and seat.
    """
    try:
        return _due_move(game_id, version)
    except ChainBroken as broken:
        game_freeze_broken(broken=broken)
        return None


def _due_move(game_id: UUID, version: int) -> Appended | None:
    try:
        game, table = store.load(game_id=game_id)
    except (GameNotFound, LogUnreadable):  # a worker of a newer release may be able to read it
        return None
    if game.version != version or game.phase != Phase.PLAYING or game.frozen_at is not None:
        return None
    now = max(time.time_ns() // 1_000_000, table.folded.clock.last_at)
    due = clock.bots_due(table.folded.clock, table.folded.state, table.bots, store.limits_of(game), paced=table.paced)
    if not due or due[0][0] > now:
        return None
    return _move(game_id, table, due[0][1], now)


def bot_awaited(appended: Appended) -> bool:
    """A bot is to move now; one that takes its time first is the sweep's to wake."""
    due_at = appended.game.bot_due_at
    if due_at is None:
        return False
    return not appended.paced or clock.milliseconds(due_at) <= time.time_ns() // 1_000_000


def _move(game_id: UUID, table: Table, seat: Seat, now: int) -> Appended | None:
    commands = _chosen(table, seat, now)
    try:
        return _submit(game_id, table, seat, commands)
    except (StaleVersion, WrongPhase):
        return None
    except MoveRefused:
        # A penalty fell due between looking and moving, so that cards drawn within the turn were others.
        # Whether the first part is legal is judged before penalties (L3).
        logger.info("bot %s of game %s moves in parts at version %s", seat, game_id, table.folded.version)
        return _submit(game_id, table, seat, commands[:1])


def _submit(game_id: UUID, table: Table, seat: Seat, commands: tuple[Command, ...]) -> Appended | None:
    version = table.folded.version
    purpose = f"bot/{version}/{seat}"
    appended = game_submit(
        game_id=game_id,
        actor=BotActor(seat),
        commands=commands,
        command_id=private_uuid(table.server_seed, purpose),
        digest=purpose.encode("ascii"),
        expected_version=version,
    )
    return None if appended.repeated else appended


def _chosen(table: Table, seat: Seat, now: int) -> tuple[Command, ...]:
    folded = table.folded
    return turn_commands(
        LEVELS[table.level_of(seat)],
        folded.state,
        seat,
        lambda part: private_bytes(table.server_seed, f"bot/{folded.version}/{seat}/{part}"),
        within_grace=clock.within_grace(folded.clock, folded.state, now),
    )
