"""Two acts on a lobby at once: one after the other, and never half of each."""

import pytest

from games import services
from games.errors import GameError, Kicked, WrongPhase
from games.models import Game, Phase
from games.models import Seat as SeatRow
from games.rules.cards import Seat
from games.services import GameSettings
from players.models import Player
from players.services import player_create_guest
from tests.builders import Table, given_game, given_lobby
from tests.db.test_concurrency import at_once, while_locked

pytestmark = pytest.mark.django_db(transaction=True)


def seats(table: Table) -> dict[int, Player]:
    rows = SeatRow.objects.filter(game_id=table.game_id, until_version=None).select_related("player")
    return {row.seat: row.player for row in rows if row.player is not None}


def given_over(players: int = 2) -> Table:
    table = given_game(players=players)
    for seat in range(players - 1):
        table.submit(seat, "leave")
    return table


def test_a_rematch_that_all_ask_for_at_once_is_one_table() -> None:
    """One makes it, the others sit down at it, each on its own seat."""
    over = given_over(players=4)
    results = at_once(
        *(lambda p=player: services.game_rematch(game_id=over.game_id, player=p) for player in over.players)
    )
    rematches = [result for result in results if isinstance(result, services.Rematch)]
    assert len(rematches) == 4
    assert sum(made.created for made in rematches) == 1
    (game,) = Game.objects.filter(rematch_of_id=over.game_id)
    assert seats(Table(game.pk, ())) == {(seat + 1) % 4: player for seat, player in enumerate(over.players)}
    assert (game.phase, game.seats_free) == (Phase.LOBBY, 0)


def test_one_player_who_asks_for_a_rematch_twice_at_once_sits_there_once() -> None:
    """As a double click does."""
    over = given_over()
    player = over.players[0]
    results = while_locked(over.game_id, *[lambda: services.game_rematch(game_id=over.game_id, player=player)] * 2)
    assert {type(result) for result in results} == {services.Rematch}
    assert Game.objects.filter(rematch_of_id=over.game_id).count() == 1


def test_a_kick_and_a_start_at_once_leave_a_whole_table() -> None:
    """Either the game is on with both, or the seat is free and nothing was dealt."""
    table = given_lobby(players=2, settings=GameSettings(seats=2))
    host, other = table.players
    kicked, started = while_locked(
        table.game_id,
        lambda: services.game_kick(game_id=table.game_id, actor=host, seat=Seat(1)),
        lambda: services.game_start(game_id=table.game_id, actor=host),
    )
    assert sum(isinstance(result, WrongPhase) for result in (kicked, started)) == 1
    if isinstance(started, WrongPhase):
        assert (started.code, table.events(), seats(table)) == ("seats_empty", [], {0: host})
    else:
        assert seats(table) == {0: host, 1: other}


def test_two_kicks_of_one_seat_at_once_free_it_once() -> None:
    """The second finds nobody; the player is out either way."""
    table = given_lobby(players=2, settings=GameSettings(seats=3))
    host, other = table.players
    results = while_locked(
        table.game_id, *[lambda: services.game_kick(game_id=table.game_id, actor=host, seat=Seat(1))] * 2
    )
    assert [result.code for result in results if isinstance(result, WrongPhase)] == ["seat_free"]
    assert (table.game.seats_free, seats(table)) == (2, {0: host})
    with pytest.raises(Kicked):
        services.game_join(game_id=table.game_id, player=other)


def test_two_who_move_to_the_same_seat_at_once_do_not_share_it() -> None:
    """One has it, the other stays where it was."""
    table = given_lobby(players=2, settings=GameSettings(seats=3))
    results = while_locked(
        table.game_id,
        *(
            lambda p=player: services.seat_change(game_id=table.game_id, player=p, seat=Seat(2))
            for player in table.players
        ),
    )
    assert [result.code for result in results if isinstance(result, GameError)] == ["seat_taken"]  # type: ignore[attr-defined]  # a WrongPhase
    assert (len(seats(table)), 2 in seats(table), table.game.seats_free) == (2, True, 1)
    host_seat = table.game.host_seat
    assert seats(table)[host_seat] == table.players[0]  # type: ignore[index]  # a lobby has a host


def test_an_abort_and_a_join_at_once_end_in_one_of_two_ways() -> None:
    """Nobody sits down at a table that was given up."""
    table = given_lobby(players=1, settings=GameSettings(seats=2))
    host, other = table.players[0], player_create_guest()[0]
    joined, aborted = while_locked(
        table.game_id,
        lambda: services.game_join(game_id=table.game_id, player=other),
        lambda: services.game_abort(game_id=table.game_id, actor=host),
    )
    assert isinstance(aborted, Game)
    assert table.game.phase == Phase.ABORTED
    if isinstance(joined, WrongPhase):
        assert (joined.code, seats(table)) == ("finished", {0: host})
