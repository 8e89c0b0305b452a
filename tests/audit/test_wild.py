"""Honest games are never called forged: whatever players, staff and the audit may do to a table, at any moment."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest

from games import services, store
from games.audit.check import game_check
from games.audit.export import export_lines, stored_lines
from games.audit.record import lines_of, parse_record
from games.audit.recording import record_text
from games.audit.verify import verify_export, verify_lines
from games.errors import GameError
from games.models import FirstPlayer, WhenAway
from games.models import Seat as SeatRow
from games.rules.cards import Seat
from games.services import GameSettings
from tests.audit.test_played import Evening
from tests.builders import given_game
from tests.db.later import later
from tests.rules.laws.random_games import random_house_rules

pytestmark = pytest.mark.django_db


class Wild(Evening):
    """An evening at which seats are also given up, erased, resigned and handed to bots, and the table is frozen."""

    def __init__(self, number: int) -> None:
        self.chance = chance = random.Random(number)
        settings = GameSettings(
            seats=4,
            house_rules=random_house_rules(chance),
            turn_seconds=chance.choice((None, 5, 10, 20)),
            bank_seconds=chance.choice((0, 15)),
            increment_seconds=chance.choice((0, 3)),
            reaction_seconds=chance.choice((3, 8, 20)),
            game_minutes=chance.choice((None, None, 5)),
            when_away=chance.choice((WhenAway.BOT, WhenAway.BOT, WhenAway.FORFEIT)),
            first_player=chance.choice((FirstPlayer.HOST, FirstPlayer.RANDOM)),
        )
        self.table = given_game(players=3, bots=["greedy"], settings=settings)
        self.at = 0.0

    def something(self) -> None:
        """What is refused now and then is as good as nothing."""
        acts = (self.accept_unasked, self.resign, self.bot_takes_over, self.erase, self.freeze, super().something)
        (act,) = self.chance.choices(acts, weights=(6, 0.5, 1, 1, 1.5, 90))
        with suppress(GameError):
            act()

    def accept_unasked(self) -> None:
        """From now on, or no more; also while a window is open, and by who is away."""
        player, wanted = self.chance.choice(self.table.players), self.chance.random() < 0.6
        services.seat_auto_accept(game_id=self.table.game_id, player=player, auto_accept=wanted)

    def resign(self) -> None:
        services.seat_resign(game_id=self.table.game_id, seat=Seat(self.chance.randrange(4)))

    def bot_takes_over(self) -> None:
        services.seat_replace(game_id=self.table.game_id, seat=Seat(self.chance.randrange(3)), bot="greedy")

    def erase(self) -> None:
        seat = self.chance.randrange(3)
        SeatRow.objects.filter(game_id=self.table.game_id, seat=seat, until_version=None).update(player=None)
        services.clock_sweep()

    def freeze(self) -> None:
        services.game_freeze(game_id=self.table.game_id, reason="to be looked at")
        self.at += self.chance.choice((0, 1, 30))
        with later(self.at):
            services.game_unfreeze(game_id=self.table.game_id, actor=self.table.players[0], reason="all is well")

    def end(self) -> None:
        """By staff, where nobody has won; it may be for good."""
        give_up = self.chance.random() < 0.3
        with later(self.at + 1):
            (services.game_give_up if give_up else services.game_stop)(game_id=self.table.game_id)

    def play(self, most: int = 60) -> None:
        """So many things, at times close together or far apart."""
        for _ in range(most):
            if self.over():
                return
            self.at += self.chance.choice((0, 0, 0.4, 2, 6, 13, 40))
            with later(self.at):
                self.something()
        self.end()


NUMBERS = [*range(3), *(pytest.param(number, marks=pytest.mark.deep) for number in range(3, 100))]


@pytest.mark.parametrize("number", NUMBERS)
def test_whatever_is_done_to_a_table_its_log_is_whole(number: int) -> None:
    """By the log alone, with the table's settings, for the server's own audit, and by way of the record."""
    wild = Wild(number)
    wild.play()
    game = wild.table.game
    assert verify_export(export_lines(game_id=game.pk)).version == game.version
    verify_lines(lambda: stored_lines(game_id=game.pk), limits=store.limits_of(game))
    checked = game_check(game_id=game.pk, freeze=False)
    assert (checked.ok, checked.problem, checked.differing) == (True, None, ())
    told = [line.hash for line in lines_of(parse_record(record_text(game=game)))]
    assert told == [line.hash for line in stored_lines(game_id=game.pk)]
