"""Two at once: one after the other, and one winner. Each thread has a connection of its own."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction

from games import services, store
from games.errors import CommandIdReused, GameError, MoveRefused, StaleVersion, TooManyOpenGames, WrongPhase
from games.hooks import Appended
from games.models import Game, GameEvent, Phase
from games.rules.cards import Seat
from games.services import GameSettings
from players.models import Player
from players.services import player_create_guest
from tests.builders import Table, given_bots, given_game, given_lobby, legal_texts

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*acts: Callable[[], object]) -> list[object]:
    """Each act in a thread of its own, all let go together; their results, or the game's errors they raised."""
    gate = threading.Barrier(len(acts))

    def run(act: Callable[[], object]) -> object:
        try:
            gate.wait(10)
            return act()
        except GameError as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


def while_locked(game_id: UUID, *acts: Callable[[], object]) -> list[object]:
    """Each act in a thread of its own, all of which wait for the game's lock together before any gets it."""
    with ThreadPoolExecutor(len(acts)) as pool:
        with transaction.atomic():
            Game.objects.select_for_update().get(pk=game_id)
            running = [pool.submit(at_once, act) for act in acts]
            _wait_until_waiting(len(acts))
        return [result for done in running for result in done.result(20)]


def _wait_until_waiting(number: int) -> None:
    pause = threading.Event()
    for _ in range(1000):
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted")
            if cursor.fetchone() == (number,):
                return
        pause.wait(0.01)
    raise AssertionError("the threads never came to wait for the lock")


def log_is_whole(table: Table) -> bool:
    """The log has no gap, follows its chain from the first event on, and is what the row says."""
    with transaction.atomic():
        game, reread = store.reread(game_id=table.game_id)
    return (game.version, bytes(game.head_hash)) == (reread.folded.version, reread.folded.hash)


def test_of_two_commands_for_one_turn_one_wins() -> None:
    """Both saw the same version; the other is told that it has moved on."""
    table = given_game()
    texts = legal_texts(table)
    results = while_locked(
        table.game_id,
        lambda: table.submit(0, texts[0], expected_version=4),
        lambda: table.submit(0, texts[0], expected_version=4),
    )
    assert sorted(type(result).__name__ for result in results) == ["Appended", "StaleVersion"]
    assert len({event.command_id for event in table.events() if event.version > 4}) == 1
    assert log_is_whole(table)


def test_without_an_expected_version_the_lock_decides() -> None:
    """The second is judged by the rules in the position after the first."""
    table = given_game(players=3)
    text = legal_texts(table)[0]
    results = while_locked(table.game_id, lambda: table.submit(0, text), lambda: table.submit(1, "draw"))
    assert any(isinstance(result, Appended) for result in results)
    assert all(isinstance(result, Appended | MoveRefused) for result in results)
    assert log_is_whole(table)


def test_the_same_command_id_at_the_same_instant_is_carried_out_once() -> None:
    """From several connections while the first is still running: all get the same events."""
    table, command_id = given_game(), uuid4()
    text = legal_texts(table)[0]
    results = while_locked(
        table.game_id,
        *[lambda: table.submit(0, text, command_id=command_id, expected_version=4) for _ in range(4)],
    )
    appended = [result for result in results if isinstance(result, Appended)]
    assert len(appended) == 4
    assert len({(result.version, result.events[0].hash, len(result.events)) for result in appended}) == 1
    assert sorted(result.repeated for result in appended) == [False, True, True, True]
    assert GameEvent.objects.filter(game_id=table.game_id, command_id=command_id, ordinal=0).count() == 1
    assert log_is_whole(table)


def test_one_command_id_with_two_bodies_at_the_same_instant_is_carried_out_once() -> None:
    """The other one is told that the id is taken."""
    table, command_id = given_game(), uuid4()
    text = legal_texts(table)[0]
    results = while_locked(
        table.game_id,
        lambda: table.submit(0, text, command_id=command_id, digest=b"one"),
        lambda: table.submit(0, text, command_id=command_id, digest=b"two"),
    )
    assert sorted(type(result).__name__ for result in results) == ["Appended", "CommandIdReused"]
    assert any(isinstance(result, CommandIdReused) for result in results)


def test_starting_twice_at_once_starts_once() -> None:
    """Both are told the same first events."""
    table = given_lobby()
    start = lambda: services.game_start(game_id=table.game_id, actor=table.players[0])  # noqa: E731
    results = while_locked(table.game_id, start, start)
    appended = [result for result in results if isinstance(result, Appended)]
    assert len(appended) == 2
    assert appended[0].events == appended[1].events
    assert [event.version for event in table.events()] == [1, 2, 3, 4]


def test_two_players_cannot_both_take_the_last_seat() -> None:
    """One sits, the other is told that the table is full."""
    table = given_lobby(players=1, settings=GameSettings(seats=2))
    guests = [player_create_guest()[0] for _ in range(2)]
    results = at_once(*[lambda who=who: services.game_join(game_id=table.game_id, player=who) for who in guests])
    assert sorted(type(result).__name__ for result in results) == ["Game", "WrongPhase"]
    assert table.game.seats_free == 0


def test_a_player_cannot_open_more_games_than_allowed_by_opening_them_at_once() -> None:
    """A guest may have three."""
    guest, _ = player_create_guest()
    results = at_once(*[lambda: services.game_create(host=guest, settings=GameSettings()) for _ in range(5)])
    assert sum(isinstance(result, Game) for result in results) == 3
    assert sum(isinstance(result, TooManyOpenGames) for result in results) == 2
    assert Game.objects.count() == 3


def test_a_bots_move_asked_for_twice_at_once_is_made_once() -> None:
    """Two workers got the same task."""
    table = given_bots(("greedy", "greedy"))
    move = lambda: services.bot_move(game_id=table.game_id, version=4)  # noqa: E731
    results = at_once(move, move, move)
    assert sum(isinstance(result, Appended) for result in results) == 1
    assert results.count(None) == 2
    assert len({event.command_id for event in table.events() if event.version > 4}) == 1


def test_many_writers_leave_one_whole_log() -> None:
    """Four workers play a game of bots against one another, each as fast as it can."""
    table = given_bots(("random",) * 4)

    def play_on() -> None:
        while (game := Game.objects.get(pk=table.game_id)).phase == Phase.PLAYING:
            services.bot_move(game_id=table.game_id, version=game.version)

    assert at_once(play_on, play_on, play_on, play_on) == [None] * 4
    assert log_is_whole(table)
    assert table.game.phase == Phase.FINISHED


def test_a_player_cannot_take_two_seats_at_once() -> None:
    """The second is told that it sits there already."""
    table = given_lobby(players=1, settings=GameSettings(seats=3))
    guest: Player = player_create_guest()[0]
    results = at_once(
        *[lambda seat=seat: services.game_join(game_id=table.game_id, player=guest, seat=Seat(seat)) for seat in (1, 2)]
    )
    assert sorted(type(result).__name__ for result in results) == ["Game", "WrongPhase"]


def test_stale_and_wrong_phase_are_told_apart_under_the_lock() -> None:
    """A command that waited while the game ended is told that it is over, not that it is stale."""
    table = given_game()
    results = while_locked(table.game_id, lambda: table.submit(0, "leave"), lambda: table.submit(0, "leave"))
    kinds = sorted(type(result).__name__ for result in results)
    assert kinds == ["Appended", "WrongPhase"]
    assert not any(isinstance(result, StaleVersion) for result in results)
    assert any(isinstance(result, WrongPhase) and result.code == "finished" for result in results)
