"""Tournaments that a real worker and a real beat carry on: nobody calls a service but to start them."""

from dataclasses import replace
from functools import partial
from unittest.mock import patch

import pytest

from games import hooks as game_hooks
from tests.celery.conftest import Celery, eventually
from tests.tournaments.given import KNOCKOUT, Given, given_account, given_tournament
from tournaments import hooks, services, store
from tournaments.models import Phase, TournamentTable
from tournaments.rules import TableStatus

pytestmark = pytest.mark.django_db(transaction=True)


def finished(given: Given) -> bool:
    return given.row.phase == Phase.FINISHED


def went_on(given: Given, before: int) -> bool:
    return given.row.version > before or finished(given)


def begun(bots: int) -> Given:
    """A tournament of bots, started but not carried on by the test."""
    given = given_tournament(KNOCKOUT, bots=bots, start=False)
    given.act(services.tournament_start)
    return given


def test_a_knockout_is_played_to_its_end_by_the_worker(celery: Celery) -> None:
    """A move that ends a game wakes the tournament; each table has one game, and the log is whole."""
    given = begun(bots=10)
    celery.start("worker")
    celery.start("beat")
    eventually(lambda: finished(given), "the tournament never ended")
    state = given.state
    assert {table.status for table in state.tables} == {TableStatus.FINISHED}
    assert TournamentTable.objects.filter(tournament_id=given.id).count() == len(state.tables)
    assert "Traceback" not in celery.log("worker")


def test_the_sweep_finds_what_no_hook_told(celery: Celery) -> None:
    """Every hook is lost, in the tests' process and so for the start; the sweep carries the tournament on."""
    with patch.object(hooks, "after_change", []), patch.object(game_hooks, "after_append", []):
        given = begun(bots=4)
    celery.start("worker")
    celery.start("beat")
    eventually(lambda: finished(given), "nobody found the tournament")


def test_a_worker_killed_in_the_middle_loses_and_doubles_no_table(celery: Celery) -> None:
    """Killed as rounds are being seated and results come in; after its restart the tournament goes on to its end."""
    given = begun(bots=12)
    celery.start("beat")
    for _ in range(3):
        worker = celery.start("worker")
        before = given.row.version
        eventually(partial(went_on, given, before), "nothing went on")
        celery.kill(worker)
    celery.start("worker")
    eventually(lambda: finished(given), "the tournament never ended")
    state = given.state
    rows = TournamentTable.objects.filter(tournament_id=given.id)
    assert sorted(rows.values_list("number", flat=True)) == [table.number for table in state.tables]
    assert all(row.settled and row.game.phase == "finished" for row in rows.select_related("game"))


def test_registration_opens_and_closes_by_the_clock(celery: Celery) -> None:
    """Nobody presses a button: the sweep opens it, closes it, and cancels a start with too few."""
    organiser = given_account()
    made = services.tournament_create(
        owner=organiser, name="By the clock", terms=replace(KNOCKOUT, start_by_clock=True, starts_at=2**42)
    )
    soon = store.milliseconds(made.created_at) + 2_500
    services.tournament_edit(
        tournament_id=made.pk,
        actor=organiser,
        terms=replace(KNOCKOUT, opens_at=soon, starts_at=soon + 2_000, start_by_clock=True),
    )
    given = Given(made.pk, organiser)
    celery.start("worker")
    celery.start("beat")
    eventually(lambda: given.row.phase == Phase.CANCELLED, "the clock never came")
    events = [line.type for line in store.log(tournament_id=given.id)]
    assert events.index("RegistrationOpened") < events.index("RegistrationClosed") < events.index("TournamentCancelled")
