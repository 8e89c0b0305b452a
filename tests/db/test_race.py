"""A move at the last instant and its timeout, at the same moment, over and over: they never both count."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier

import pytest
from django.db import connection

from games import services
from games.errors import StaleVersion, WrongPhase
from games.models import FirstPlayer
from games.rules.ruleset import DEFAULT_RULES
from games.services import GameSettings
from tests.builders import Table, given_game, legal_texts
from tests.db.later import later

pytestmark = pytest.mark.django_db(transaction=True)

SETTINGS = GameSettings(seats=2, house_rules=DEFAULT_RULES, first_player=FirstPlayer.HOST, turn_seconds=5)


@pytest.mark.parametrize("races", [60, pytest.param(1_000, marks=pytest.mark.faults)])
def test_of_a_move_and_its_timeout_exactly_one_counts(races: int) -> None:
    """Whoever gets the lock first; the other is stale. Both happen in so many races, or this would prove nothing."""
    won = {"seat": 0, "clock": 0}
    with ThreadPoolExecutor(2) as pool:
        table = given_game(settings=SETTINGS)
        for race in range(races):
            if table.game.phase != "playing":
                table = given_game(settings=SETTINGS)
            with later(10 * (race + 1)):
                won[_race(table, pool, race)] += 1
    assert sum(won.values()) == races
    assert min(won.values()) > races // 50, won


def _race(table: Table, pool: ThreadPoolExecutor, race: int) -> str:
    """Who won; the log has grown by exactly one command, and the loser has left nothing."""
    game, state = table.game, table.state
    seat = state.answer[0] if state.answer else state.turn
    text = "accept" if state.answer else _quick(table)
    start = Barrier(2)

    def move() -> None:
        try:
            start.wait(10)
            with suppress(StaleVersion, WrongPhase):  # the timeout may have ended the game
                table.submit(seat, text, expected_version=game.version)
        finally:
            connection.close()

    def clock() -> None:
        try:
            start.wait(10)
            services.game_timeout(game_id=table.game_id, version=game.version)
        finally:
            connection.close()

    acts = (move, clock) if race % 2 else (clock, move)
    for done in [pool.submit(act) for act in acts]:
        done.result(20)
    told = [event for event in table.events() if event.version > game.version]
    assert len({event.command_id for event in told}) == 1
    return "clock" if told[0].actor == "clock" else "seat"


def _quick(table: Table) -> str:
    """A command that ends the turn, so that every race has a deadline of its own."""
    legal = legal_texts(table)
    return next((text for text in ("draw", "end", "close") if text in legal), legal[0])
