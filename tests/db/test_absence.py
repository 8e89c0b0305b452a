"""Who misses two turns in a row is away: a bot plays, or the seat leaves; coming back takes effect at once."""

from dataclasses import replace
from uuid import uuid4

import pytest

from games import projections, services
from games.errors import MoveRefused, NotSeated, StaleVersion, WrongPhase
from games.models import FirstPlayer, Phase, WhenAway
from games.models import Seat as SeatRow
from games.rules.cards import Seat
from games.rules.commands import DRAW
from games.services import BotActor, GameSettings
from players.services import player_create_guest
from tests.builders import QUICK, SEED, Table, given_game, given_lobby, legal_texts
from tests.db.later import later

pytestmark = pytest.mark.django_db(transaction=True)

SETTINGS = GameSettings(seats=3, house_rules=QUICK, first_player=FirstPlayer.HOST)


def missing(settings: GameSettings = SETTINGS, players: int = 3) -> Table:
    """A game in which everybody let two turns pass, one round after the other."""
    table = given_game(players=players, settings=settings, server_seed=SEED)
    for round_ in range(1, 2 * players + 1):
        with later(61 * round_):
            services.clock_sweep()
    return table


def types(table: Table, *wanted: str) -> list[tuple[str, int]]:
    return [(event.type, event.data["seat"]) for event in table.events() if event.type in wanted]


def test_one_missed_turn_is_no_absence_and_the_second_in_a_row_is() -> None:
    """Every seat's turns are counted by themselves; the events say how many in a row."""
    table = given_game(players=3, settings=SETTINGS, server_seed=SEED)
    for round_ in range(1, 4):
        with later(61 * round_):
            services.clock_sweep()
    assert types(table, "TurnMissed", "SeatAway") == [("TurnMissed", 0), ("TurnMissed", 1), ("TurnMissed", 2)]
    with later(61 * 4):
        services.clock_sweep()
    assert types(table, "SeatAway") == [("SeatAway", 0)]
    assert table.game.away == [0]
    missed = [event for event in table.events() if event.type == "TurnMissed"]
    assert [event.data["in_a_row"] for event in missed] == [1, 1, 1, 2]
    assert projections.rebuild(game_id=table.game_id, check=True) == ()


def test_a_move_of_ones_own_between_two_missed_turns_is_no_absence() -> None:
    """They are not in a row."""
    table = given_game(players=2, settings=replace(SETTINGS, seats=2), server_seed=SEED)
    with later(61):
        services.clock_sweep()
    with later(62):
        table.submit(1, legal_texts(table)[0])
        while table.game.turn == 1:
            table.submit(1, "end")
        table.submit(0, "draw" if "draw" in legal_texts(table) else legal_texts(table)[0])
        while table.game.turn == 0:
            table.submit(0, "end")
    for late in (130, 200):
        with later(late):
            services.clock_sweep()
    assert [event.data["in_a_row"] for event in table.events() if event.type == "TurnMissed"][:3] == [1, 1, 1]
    assert table.game.away == []


def test_a_bot_plays_for_who_is_away_and_in_its_own_time() -> None:
    """The stand-in is woken like any bot, and its moves are the bot's in the log."""
    table = missing()
    assert table.game.away == [0, 1, 2]
    version = table.game.version
    with later(61 * 6 + 3):
        claimed = dict(services.bots_claim())
        assert claimed[table.game_id] == version
        moved = services.bot_move(game_id=table.game_id, version=version)
    assert moved is not None
    assert {event.actor for event in moved.events} <= {f"bot:{seat}" for seat in range(3)} | {"server"}


def test_a_bot_only_plays_for_who_is_away() -> None:
    """Nobody can move for a seat whose player is there."""
    table = given_game(players=2, settings=replace(SETTINGS, seats=2))
    with pytest.raises(NotSeated):
        services.game_submit(
            game_id=table.game_id, actor=BotActor(Seat(0)), commands=(DRAW,), command_id=uuid4(), digest=b"d"
        )


def test_the_players_own_move_brings_it_back_and_the_bot_comes_too_late() -> None:
    """At once: the log says so before the move, and what the stand-in saw is stale."""
    table = missing()
    seat, version = table.game.turn, table.game.version
    assert seat is not None
    with later(61 * 6 + 3):
        appended = table.submit(seat, legal_texts(table)[0])
        assert [appended.events[0].type, appended.events[0].actor] == ["SeatReturned", f"seat:{seat}"]
        assert seat not in table.game.away
        assert services.bot_move(game_id=table.game_id, version=version) is None


def test_a_refused_command_brings_nobody_back() -> None:
    """A refusal changes nothing, as ever."""
    table = missing()
    seat, version = table.game.turn, table.game.version
    assert seat is not None
    with later(61 * 6 + 1):
        with pytest.raises(MoveRefused):
            table.submit(seat, "accept")
        with pytest.raises(StaleVersion):
            table.submit(seat, legal_texts(table)[0], expected_version=version - 1)
    assert (table.game.version, table.game.away) == (version, [0, 1, 2])


def test_return_brings_a_player_back_out_of_turn_and_twice_is_once() -> None:
    """One event; harmless for who was not away; missed turns are counted from the beginning again."""
    table = missing()
    waiting = next(seat for seat in range(3) if seat != table.game.turn)
    version = table.game.version
    for _ in range(2):
        game = services.seat_return(game_id=table.game_id, player=table.players[waiting])
        assert (game.version, waiting in game.away) == (version + 1, False)
    assert types(table, "SeatReturned") == [("SeatReturned", waiting)]
    with pytest.raises(NotSeated):
        services.seat_return(game_id=table.game_id, player=player_create_guest()[0])
    lobby = given_lobby()
    with pytest.raises(WrongPhase):
        services.seat_return(game_id=lobby.game_id, player=lobby.players[0])
    assert projections.rebuild(game_id=table.game_id, check=True) == ()


def test_who_leaves_need_not_come_back_for_it() -> None:
    """The seat is out, and away no more."""
    table = missing()
    table.submit(1, "leave")
    assert types(table, "SeatReturned") == []
    assert (table.game.away, table.game.left) == ([0, 2], [1])


def test_at_a_table_that_says_so_who_is_away_forfeits() -> None:
    """The seat leaves by the rules' own leave; of two the other wins."""
    table = given_game(players=2, settings=replace(SETTINGS, seats=2, when_away=WhenAway.FORFEIT), server_seed=SEED)
    for round_ in range(1, 4):
        with later(61 * round_):
            services.clock_sweep()
    game = table.game
    assert (game.phase, game.winner, game.left, game.away) == (Phase.FINISHED, 1, [0], [])
    told = [event.type for event in table.events()]
    assert told.index("TurnMissed") < told.index("SeatAway") < told.index("SeatLeft") < told.index("GameEnded")
    assert projections.rebuild(game_id=table.game_id, check=True) == ()


def test_a_built_in_bot_is_never_away() -> None:
    """Its worker may be down for a while; the clock moves for it, and it moves again when it can."""
    table = given_game(players=1, bots=("greedy",), settings=replace(SETTINGS, seats=2), server_seed=SEED)
    for round_ in range(1, 5):
        with later(61 * round_):
            services.clock_sweep()
    assert {seat for _, seat in types(table, "TurnMissed", "SeatAway")} == {0}


@pytest.mark.parametrize("when_away", list(WhenAway))
def test_a_player_who_is_erased_does_not_stall_a_game_without_a_clock(when_away: WhenAway) -> None:
    """The sweep finds the empty seat, and a bot plays it from then on, or it leaves."""
    settings = replace(SETTINGS, turn_seconds=None, when_away=when_away)
    table = given_game(players=3, settings=settings, server_seed=SEED)
    SeatRow.objects.filter(game_id=table.game_id, seat=0).update(player=None)
    assert services.clock_sweep() == 1
    assert services.clock_sweep() == 0
    if when_away == WhenAway.FORFEIT:
        assert (table.game.left, table.game.turn != 0) == ([0], True)
    else:
        assert table.game.away == [0]
        with later(5):
            assert services.bot_move(game_id=table.game_id, version=table.game.version) is not None
    assert projections.rebuild(game_id=table.game_id, check=True) == ()
