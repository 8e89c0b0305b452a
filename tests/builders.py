"""Tables for the tests that need a database: made, seated, started and played through the services only."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count
from unittest.mock import patch
from uuid import UUID, uuid4

from games import chain, services, store
from games.hooks import Appended
from games.models import FirstPlayer, Game, GameEvent, GameSecret, Phase
from games.rules.cards import Seat
from games.rules.evolve import replay
from games.rules.legal import legal_commands
from games.rules.notation import format_command, parse_command
from games.rules.ruleset import DEFAULT_RULES, Ruleset
from games.rules.setup import start
from games.rules.state import State
from games.services import Actor, BotActor, GameSettings, PlayerActor, SystemActor
from players.models import Player
from players.services import player_create_guest

SEED = hashlib.sha256(b"a server seed of the tests").digest()
SERVER = SystemActor("server")
QUICK = replace(DEFAULT_RULES, last_card_grace_seconds=0)
"""The default rules without a grace, so that no test hangs on the time that passes between two moves."""


@dataclass(frozen=True)
class Table:
    """A table of the test: its game's id and the players on its first seats; bots sit on the rest."""

    game_id: UUID
    players: tuple[Player, ...]

    @property
    def game(self) -> Game:
        """The game's row as it is stored now."""
        return Game.objects.get(pk=self.game_id)

    @property
    def state(self) -> State:
        """The position as it is now."""
        return store.load(game_id=self.game_id)[1].folded.state

    @property
    def server_seed(self) -> bytes:
        """The secret."""
        return bytes(GameSecret.objects.get(game_id=self.game_id).server_seed)

    def events(self) -> list[GameEvent]:
        """The rows of the log, in order."""
        return list(GameEvent.objects.filter(game_id=self.game_id).order_by("version"))

    def actor(self, seat: int) -> Actor:
        """Who acts for the seat."""
        return PlayerActor(self.players[seat].id) if seat < len(self.players) else BotActor(Seat(seat))

    def submit(
        self,
        seat: int,
        text: str,
        *,
        command_id: UUID | None = None,
        expected_version: int | None = None,
        digest: bytes | None = None,
    ) -> Appended:
        """A command of the seat, in the words of section 15."""
        return services.game_submit(
            game_id=self.game_id,
            actor=self.actor(seat),
            commands=parse_command(text),
            command_id=command_id or uuid4(),
            digest=text.encode() if digest is None else digest,
            expected_version=expected_version,
        )

    def bot_moves(self, most: int = 100_000) -> int:
        """Let the bots move until none is due or the game is over; how many moves they made."""
        for moves in range(most):
            game = self.game
            if game.phase != Phase.PLAYING:
                return moves
            if services.bot_move(game_id=self.game_id, version=game.version) is None:
                return moves
        return most


def given_lobby(*, players: int = 2, settings: GameSettings | None = None, server_seed: bytes | None = None) -> Table:
    """A table in the lobby with players on its first seats, each of whom gave some entropy."""
    guests = tuple(player_create_guest()[0] for _ in range(players))
    with fixed_seed(server_seed):
        game = services.game_create(
            host=guests[0], settings=settings or GameSettings(seats=max(players, 2)), entropy=b"entropy 0"
        )
    for seat, guest in enumerate(guests[1:], start=1):
        services.game_join(
            game_id=game.id,
            player=guest,
            seat=Seat(seat),
            invite_code=game.invite_code or None,
            entropy=b"entropy %d" % seat,
        )
    return Table(game.id, guests)


def given_game(
    *,
    players: int = 2,
    bots: Iterable[str] = (),
    settings: GameSettings | None = None,
    rules: Ruleset = QUICK,
    server_seed: bytes | None = None,
) -> Table:
    """A started game; the host begins unless the settings say otherwise."""
    levels = tuple(bots)
    chosen = settings or GameSettings(seats=players + len(levels), house_rules=rules, first_player=FirstPlayer.HOST)
    table = given_lobby(players=players, settings=chosen, server_seed=server_seed)
    for seat, level in enumerate(levels, start=players):
        services.game_seat_bot(game_id=table.game_id, actor=table.players[0], seat=Seat(seat), level=level)
    services.game_start(game_id=table.game_id, actor=table.players[0])
    return table


def given_bots(
    levels: Iterable[str], *, rules: Ruleset = QUICK, server_seed: bytes | None = None, start: bool = True
) -> Table:
    """A game of bots only, at a table without a host."""
    seating = tuple(levels)
    with fixed_seed(server_seed):
        game = services.game_open(settings=GameSettings(seats=len(seating), house_rules=rules), seating=seating)
    if start:
        services.game_start(game_id=game.id, actor=SERVER)
    return Table(game.id, ())


def seed_where(
    holds: Callable[[State], bool], *, seats: int = 2, entropies: Iterable[bytes] | None = None, rules: Ruleset = QUICK
) -> bytes:
    """The first of a fixed row of server seeds whose deal, with seat 0 beginning, is as wanted.

    ``entropies`` are those of the seats; by default what `given_game` gives for players on every seat.
    """
    given = [b"entropy %d" % seat for seat in range(seats)] if entropies is None else list(entropies)
    digests = [chain.entropy_digest(entropy) for entropy in given]
    for number in count():
        server_seed = hashlib.sha256(b"test seed %d" % number).digest()
        seed = chain.game_seed(server_seed, digests)
        if holds(replay(start(rules=rules, seats=seats, first=Seat(0), seed=seed), seed=seed)):
            return server_seed
    raise AssertionError


@contextmanager
def fixed_seed(server_seed: bytes | None) -> Iterator[None]:
    """Within it, new games get this server seed."""
    if server_seed is None:
        yield
        return
    with patch("games.services.lobby.secrets.token_bytes", return_value=server_seed):
        yield


def legal_texts(table: Table) -> list[str]:
    """What the seat on turn may do now, in the words of section 15; leaving comes last."""
    state = table.state
    return [format_command((command,)) for command in legal_commands(state, state.turn)]
