"""Tournaments for the tests that need a database: made, filled, begun and played through the services only."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import count
from typing import Any
from uuid import UUID

from games import services as games
from games.models import Game
from games.rules.ruleset import DEFAULT_RULES, Deck, Ruleset
from games.services import GameSettings
from players.models import Player
from tournaments import selectors, services, store
from tournaments.models import Tournament, TournamentTable
from tournaments.rules import Format, State, TableKind, Terms

_numbers = count(1)
WHY = "as the tests want it"

SHORT: Ruleset = replace(DEFAULT_RULES, hand_size=3, deck=Deck.CLASSIC_108, last_card_grace_seconds=0)
"""House rules of games that are over soon."""
TABLES = GameSettings(house_rules=SHORT, turn_seconds=None, first_player="random")  # type: ignore[arg-type]
KNOCKOUT = Terms(
    format=Format.KNOCKOUT, table_kind=TableKind.SINGLE, table_size=4, go_on=2, capacity=16, check_in=False
)
LADDER = Terms(format=Format.LADDER, table_kind=TableKind.LADDER, table_size=10, go_on=1, capacity=10, check_in=False)


def given_account(**fields: Any) -> Player:
    """A player with an account."""
    return Player.objects.create_user(f"Player {next(_numbers)}", None, **fields)


@dataclass(frozen=True)
class Given:
    """A tournament of the test, its organiser and the players of its first entries."""

    id: UUID
    organiser: Player
    players: tuple[Player, ...] = ()

    @property
    def row(self) -> Tournament:
        """The row as it is stored now."""
        return Tournament.objects.get(pk=self.id)

    @property
    def state(self) -> State:
        """The state as it is now."""
        return store.load(tournament_id=self.id)[1]

    def act(self, service: Callable[..., services.Acted], **arguments: Any) -> services.Acted:
        """An act of the organiser; a reason is given where the service wants one."""
        return service(tournament_id=self.id, actor=self.organiser, **{"reason": WHY, **arguments})

    def register(self, player: Player | None, **arguments: Any) -> int:
        """An entry of the player by itself, or of a bot by the organiser; its number."""
        actor = player or self.organiser
        acted = services.entry_register(
            tournament_id=self.id, actor=actor, player=player, bot=player is None, **arguments
        )
        assert acted.entry is not None
        return acted.entry

    def advance(self) -> int:
        """What follows by itself; how many steps that were."""
        steps = 0
        while True:
            advanced = services.tournament_advance(tournament_id=self.id)
            steps += advanced.steps
            if not advanced.more:
                return steps

    def games(self) -> list[Game]:
        """The games of all tables that are being played."""
        rows = TournamentTable.objects.filter(tournament_id=self.id, settled=False).select_related("game")
        return [row.game for row in rows]

    def play(self, most: int = 1_000_000) -> None:
        """Play every running game of bots to its end."""
        for game in self.games():
            play_out(game.pk)

    def play_to_the_end(self) -> None:
        """Games and what follows, until nothing does."""
        while self.advance() or any(game.phase == "playing" for game in self.games()):
            self.play()
        assert selectors.due_work() == ()


def play_out(game_id: UUID) -> None:
    """Let the bots move until the game is over."""
    while True:
        game = Game.objects.only("version", "phase").get(pk=game_id)
        if game.phase != "playing" or games.bot_move(game_id=game_id, version=game.version) is None:
            return


def given_tournament(
    terms: Terms = KNOCKOUT,
    *,
    bots: int = 0,
    players: int = 0,
    tables: GameSettings = TABLES,
    start: bool = True,
    organiser: Player | None = None,
    **settings: Any,
) -> Given:
    """A tournament with its entries, players first; started, unless the test wants to."""
    organiser = organiser or given_account()
    made = services.tournament_create(owner=organiser, name="Spring cup", terms=terms, tables=tables, **settings)
    given = Given(made.pk, organiser, tuple(given_account() for _ in range(players)))
    given.act(services.registration_open)
    entered: Iterable[Player | None] = (*given.players, *([None] * bots))
    for player in entered:
        given.register(player, invite_code=made.invite_code or None)
    if start:
        given.act(services.tournament_start)
        given.advance()
    return given
