"""Finished games for the pages: people and bots who take their time, on a clock that the test moves."""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from unittest.mock import patch
from uuid import uuid4

from games import services
from games.bots.registry import LEVELS
from games.bots.turn import turn_commands
from games.models import Phase, Visibility
from games.rules.cards import Seat
from games.rules.legal import may_act
from games.rules.refusals import Refused
from games.rules.ruleset import Mode, Ruleset
from games.services import GameSettings, PlayerActor
from players.models import Player
from tests.builders import QUICK, SERVER, Table, fixed_seed

LADDER = replace(QUICK, mode=Mode.LADDER, hand_size=3)
LONG = replace(QUICK, mode=Mode.LADDER, hand_size=5)
MOST_MOVES = 5_000


@contextmanager
def moving_clock(seed: int = 1) -> Iterator[random.Random]:
    """Time goes on only when `tick` is called on what is yielded: by half a second to four."""
    chance = random.Random(seed)
    now = [time.time_ns()]
    chance.tick = lambda: now.__setitem__(0, now[0] + chance.randrange(300, 3_000) * 1_000_000)  # type: ignore[attr-defined]
    with patch("time.time_ns", lambda: now[0]):
        yield chance


def finished(
    seating: Sequence[str] = ("Noa", "יעל", "greedy", "greedy"),
    *,
    rules: Ruleset = QUICK,
    name: str = "",
    visibility: Visibility = Visibility.PUBLIC,
    seed: int = 1,
    most: int = MOST_MOVES,
) -> Table:
    """A game played to its end (or for so many moves); a seat is a bot of this level, or a player of this name."""
    players = tuple(whom if whom in LEVELS else Player.objects.get_or_create(name=whom)[0] for whom in seating)
    settings = GameSettings(name=name, seats=len(seating), house_rules=rules, visibility=visibility, bank_seconds=60)
    server_seed = hashlib.sha256(f"evening {seed}".encode()).digest()
    with moving_clock(seed) as chance, fixed_seed(server_seed):
        game = services.game_open(settings=settings, seating=players)
        services.game_start(game_id=game.id, actor=SERVER)
        table = Table(game.id, tuple(player for player in players if isinstance(player, Player)))
        for _ in range(most):
            if table.game.phase != Phase.PLAYING:
                break
            chance.tick()  # type: ignore[attr-defined]
            _move(table, players, chance)
    return table


def _move(table: Table, seating: Sequence[Player | str], chance: random.Random) -> None:
    state = table.state
    able = [Seat(seat) for seat in range(len(seating)) if may_act(state, Seat(seat))]
    seat = chance.choice(able)
    player = seating[seat]
    if isinstance(player, str):
        services.bot_move(game_id=table.game_id, version=table.game.version)
        return
    try:
        commands = turn_commands(LEVELS["greedy"], state, seat, lambda n: chance.randbytes(32), within_grace=False)
        services.game_submit(
            game_id=table.game_id, actor=PlayerActor(player.pk), commands=commands, command_id=uuid4(), digest=b""
        )
    except Refused:
        return
