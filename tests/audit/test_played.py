"""What the server itself writes is whole: games played through its services, with every turn of fate that it knows."""

import io
import random
from pathlib import Path

import pytest
from django.core.management import call_command

from games import services, store
from games.audit.export import export_lines, stored_lines
from games.audit.record import lines_of, parse_record
from games.audit.recording import record_text
from games.audit.verify import verify_export, verify_lines
from games.audit.verify.program import WHOLE, main
from games.errors import GameError
from games.models import FirstPlayer, Game, Phase, WhenAway
from games.models import Seat as SeatRow
from games.rules.cards import Seat
from games.rules.legal import legal_commands, may_act
from games.rules.notation import format_command
from games.services import GameSettings
from players.services import player_create_guest
from tests.audit.games import Written, random_game
from tests.audit.stored import stored
from tests.builders import Table, given_game
from tests.db.later import later
from tests.rules.laws.random_games import random_house_rules

pytestmark = pytest.mark.django_db


class Evening:
    """A table of three players and a bot, at which everything happens that can."""

    def __init__(self, number: int) -> None:
        self.chance = random.Random(number)
        settings = GameSettings(
            seats=4,
            house_rules=random_house_rules(self.chance),
            turn_seconds=self.chance.choice((None, 10, 20)),
            bank_seconds=self.chance.choice((0, 15)),
            increment_seconds=self.chance.choice((0, 3)),
            when_away=self.chance.choice((WhenAway.BOT, WhenAway.FORFEIT)),
            first_player=self.chance.choice((FirstPlayer.HOST, FirstPlayer.RANDOM)),
        )
        self.table = given_game(players=3, bots=["greedy"], settings=settings)
        SeatRow.objects.filter(game_id=self.table.game_id, seat=1).update(auto_accept=True)
        self.at = 0.0

    def play(self, most: int = 60) -> None:
        """So many things happen; then whoever is left leaves, or staff ends it."""
        for _ in range(most):
            if self.over():
                return
            self.at += self.chance.choice((0, 0, 0.4, 2, 6, 13, 40))
            with later(self.at):
                self.something()
        with later(self.at + 1):
            services.game_stop(game_id=self.table.game_id)

    def over(self) -> bool:
        return self.table.game.phase != Phase.PLAYING

    def something(self) -> None:
        game_id = self.table.game_id
        luck = self.chance.random()
        if luck < 0.25:
            services.clock_sweep()
        elif luck < 0.45:
            services.bot_move(game_id=game_id, version=self.table.game.version)
        elif luck < 0.48:
            services.seat_return(game_id=game_id, player=self.chance.choice(self.table.players))
        elif luck < 0.49:
            self.replace(self.chance.randrange(3))
        else:
            self.move()

    def replace(self, seat: int) -> None:
        player, _ = player_create_guest()
        services.seat_replace(game_id=self.table.game_id, seat=Seat(seat), player=player)
        players = list(self.table.players)
        players[seat] = player
        self.table = Table(self.table.game_id, tuple(players))

    def move(self) -> None:
        state = self.table.state
        for seat in self.chance.sample(range(3), 3):
            if seat in state.left or not may_act(state, Seat(seat)):
                continue
            legal = [format_command((it,)) for it in legal_commands(state, Seat(seat))]
            text = self.chance.choice(legal[:-1] or legal)
            more = self.chance.choice(("", " last", " close", " end")) if text.startswith("play") else ""
            for words in (text + more, text):
                try:
                    self.table.submit(seat, words)
                except GameError:
                    continue
                return


NUMBERS = [*range(5), *(pytest.param(number, marks=pytest.mark.deep) for number in range(5, 60))]


@pytest.mark.parametrize("number", NUMBERS)
def test_games_played_through_the_services_are_whole(number: int) -> None:
    """With the table's settings and with what the log tells of them; and so are their records."""
    evening = Evening(number)
    evening.play()
    table: Table = evening.table
    verified = verify_export(export_lines(game_id=table.game_id))
    assert (verified.version, verified.head_hash) == (table.game.version, bytes(table.game.head_hash))
    assert verified.state == table.state
    limits = store.limits_of(table.game)
    verify_lines(lambda: stored_lines(game_id=table.game_id), limits=limits)
    told = [line.hash for line in lines_of(parse_record(record_text(game=table.game)))]
    assert told == [line.hash for line in stored_lines(game_id=table.game_id)]


@pytest.fixture
def many(request: pytest.FixtureRequest) -> list[Written]:
    """So many random games in the database."""
    games = [random_game(random.Random(5_000 + number)) for number in range(request.param)]
    for written in games:
        stored(written)
    return games


@pytest.mark.parametrize("many", [20, pytest.param(1_000, marks=pytest.mark.deep)], indirect=True)
def test_random_games_go_through_export_and_taki_verify(many: list[Written], tmp_path: Path) -> None:
    """Out of the database by the operators' command, into the program: each of them is whole."""
    path, out = tmp_path / "games.ndjson.gz", io.StringIO()
    call_command("games_export", out=path, stderr=io.StringIO())
    assert main([str(path), "--json"], out) == WHOLE
    assert f'"whole": {len(many)}, "forged": 0' in out.getvalue()
    assert Game.objects.count() == len(many)
