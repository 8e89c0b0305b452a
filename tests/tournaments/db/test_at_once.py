"""Two at once: one after the other, and one of each thing. Each thread has a connection of its own."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction

from players.models import Player
from tests.tournaments.given import KNOCKOUT, WHY, given_account, given_tournament
from tournaments import services
from tournaments.errors import ActRefused, AlreadyEntered, TournamentError
from tournaments.models import Entry, Tournament, TournamentEvent, TournamentTable
from tournaments.rules import Phase, Refusal

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(tournament_id: UUID, *acts: Callable[[], object]) -> list[object]:
    """Each act on a connection of its own; all come to wait for the tournament's lock before any gets it."""

    def run(act: Callable[[], object]) -> object:
        try:
            return act()
        except TournamentError as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        with transaction.atomic():
            Tournament.objects.select_for_update().get(pk=tournament_id)
            running = [pool.submit(run, act) for act in acts]
            _wait_until_waiting(len(acts))
        return [done.result(30) for done in running]


def _wait_until_waiting(number: int) -> None:
    pause = threading.Event()
    for _ in range(1000):
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted")
            if cursor.fetchone() == (number,):
                return
        pause.wait(0.01)
    raise AssertionError("the threads never came to wait for the lock")


def _register(tournament_id: UUID, player: Player) -> Callable[[], object]:
    return lambda: services.entry_register(tournament_id=tournament_id, actor=player, player=player)


def test_a_player_who_registers_from_two_devices_at_once_has_one_entry() -> None:
    """One gets it, the other is told its number."""
    given, player = given_tournament(KNOCKOUT, start=False), given_account()
    told = at_once(given.id, *[_register(given.id, player)] * 2)
    assert [error.entry for error in told if isinstance(error, AlreadyEntered)] == [1]
    assert Entry.objects.count() == 1


def test_the_last_place_is_given_once() -> None:
    """Of three who want it at once one gets it, without a waiting list; no entry is left of the others."""
    given = given_tournament(replace(KNOCKOUT, capacity=2, waiting_list=False), bots=1, start=False)
    told = at_once(given.id, *(_register(given.id, given_account()) for _ in range(3)))
    refused = [error.refusal for error in told if isinstance(error, ActRefused)]
    assert refused == [Refusal.FULL, Refusal.FULL]
    assert Entry.objects.count() == 2


def test_two_organisers_who_press_the_same_button_press_it_once() -> None:
    """Both are told that it is running; there is one start, and its tables are opened once, whoever carries it on."""
    given = given_tournament(KNOCKOUT, bots=8, start=False)
    other = given_account(is_staff=True, is_superuser=True)

    def start(actor: Player) -> Callable[[], object]:
        return lambda: services.tournament_start(tournament_id=given.id, actor=actor, reason=WHY)

    told = at_once(given.id, start(given.organiser), start(other))
    assert [isinstance(acted, services.Acted) and acted.state.phase for acted in told] == [Phase.RUNNING] * 2
    assert TournamentEvent.objects.filter(type="TournamentStarted").count() == 1
    at_once(given.id, *[lambda: services.tournament_advance(tournament_id=given.id)] * 3)
    rows = TournamentTable.objects.filter(tournament_id=given.id)
    assert sorted(rows.values_list("number", "attempt")) == [(1, 1), (2, 1)]
    assert TournamentEvent.objects.filter(type="TableOpened").count() == 2


def test_the_same_command_sent_twice_at_once_is_carried_out_once() -> None:
    """Same id, same request: both get its lines."""
    given, player, key = given_tournament(KNOCKOUT, start=False), given_account(), uuid4()

    def register() -> object:
        return services.entry_register(tournament_id=given.id, actor=player, player=player, command_id=key)

    told = at_once(given.id, register, register)
    assert [isinstance(acted, services.Acted) and acted.entry for acted in told] == [1, 1]
    assert sorted(isinstance(acted, services.Acted) and acted.repeated for acted in told) == [False, True]
    assert TournamentEvent.objects.filter(command_id=key).count() == 1


def test_a_disqualification_and_the_end_of_the_game_at_once_agree() -> None:
    """Whichever comes first, the disqualified entry goes on nowhere and the tournament ends."""
    given = given_tournament(KNOCKOUT, bots=4)
    given.play()
    at_once(
        given.id,
        lambda: services.tournament_advance(tournament_id=given.id),
        lambda: given.act(services.entry_disqualify, entry=1),
    )
    given.play_to_the_end()
    state = given.state
    assert state.phase is Phase.FINISHED
    assert state.ranking[-1] == 1
    assert given.row.champion != 1
