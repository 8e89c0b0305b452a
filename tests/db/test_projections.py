"""The summary in a game's row says what its log says."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from games import projections
from games.models import Game, Phase
from games.projections import Summary
from games.rules.cards import PLUS_THREE
from tests.builders import Table, given_bots, given_game, given_lobby, legal_texts, seed_where

pytestmark = pytest.mark.django_db(transaction=True)


def test_rebuilt_is_stored_after_every_move() -> None:
    """Through whole games of bots, with windows, stages and penalties, nothing ever differs."""
    for levels in (("greedy",) * 3, ("random",) * 4):
        table = given_bots(levels)
        while table.game.phase == Phase.PLAYING:
            assert projections.rebuild(game_id=table.game_id, check=True) == ()
            assert table.bot_moves(1) == 1
        assert projections.rebuild(game_id=table.game_id, check=True) == ()


def test_rebuilt_is_stored_with_people_a_window_and_leavers() -> None:
    """Also when a bot's answer to the window is awaited at a time of its own."""
    seed = seed_where(
        lambda state: PLUS_THREE in state.hands[0], seats=4, entropies=[b"entropy 0", b"entropy 1", b"", b""]
    )
    table = given_game(players=2, bots=("greedy", "random"), server_seed=seed)
    table.submit(0, "play +3")
    assert table.game.bot_due_at is not None
    assert projections.rebuild(game_id=table.game_id, check=True) == ()
    table.submit(1, "accept")
    table.submit(1, "leave")
    assert table.game.left == [1]
    assert projections.rebuild(game_id=table.game_id, check=True) == ()


def test_the_summary_says_what_the_position_says() -> None:
    """Cards, turn, direction, stage and who began, from the log's fold."""
    table = given_game(players=3)
    table.submit(0, legal_texts(table)[0])
    game, state = table.game, table.state
    assert (game.cards, game.turn, game.direction) == ([len(hand) for hand in state.hands], state.turn, state.direction)
    assert (game.first_seat, game.phase, game.stages, game.winner) == (0, Phase.PLAYING, [], None)
    assert game.started_at == table.events()[0].recorded_at


def damage(table: Table) -> None:
    """Write nonsense into every derived column."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE games_game SET phase = 'aborted', version = 2, head_hash = '', turn = 9, cards = '{1}',"
            " stages = '{7}', \"left\" = '{0}', deadline = now(), stop_at = now(), bot_due_at = NULL, winner = 3,"
            " away = '{1}', banks = '{1}', clock_from = now(),"
            " ranking = '[]', started_at = NULL, ended_at = now(), first_seat = NULL, direction = -7 WHERE id = %s",
            (table.game_id,),
        )


def test_a_damaged_summary_is_written_anew() -> None:
    """Every derived column comes back; play goes on."""
    table = given_game(players=2, bots=("greedy",))
    table.submit(0, legal_texts(table)[0])
    table.bot_moves()
    before = Game.objects.filter(pk=table.game_id).values().get()
    damage(table)
    differed = projections.rebuild(game_id=table.game_id)
    assert set(differed) | {"bot_due_at"} == set(Summary._fields)
    assert Game.objects.filter(pk=table.game_id).values().get() == before
    assert projections.rebuild(game_id=table.game_id) == ()
    assert table.submit(table.state.turn, legal_texts(table)[0]).version > before["version"]


def test_the_command_names_what_differs_and_mends_it() -> None:
    """With --check it writes nothing and exits with an error; without, the next check is clean."""
    sound, damaged, lobby = given_game(), given_game(), given_lobby()
    damage(damaged)
    out = StringIO()
    with pytest.raises(CommandError):
        call_command("games_rebuild", check=True, stdout=out)
    assert f"{damaged.game_id} phase version head_hash" in out.getvalue()
    assert str(sound.game_id) not in out.getvalue()
    assert str(lobby.game_id) not in out.getvalue()
    call_command("games_rebuild", str(damaged.game_id), stdout=StringIO())
    out = StringIO()
    call_command("games_rebuild", check=True, stdout=out)
    assert out.getvalue() == "2 games, 0 differed, 0 broken\n"


def test_the_command_says_which_game_does_not_exist() -> None:
    """One clear sentence."""
    with pytest.raises(CommandError, match="no such game"):
        call_command("games_rebuild", "01890a5d-ac96-774b-bcce-b302099a8057", stdout=StringIO())
