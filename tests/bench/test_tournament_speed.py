"""One advance of a tournament beside how many tables it has: it must grow no faster than they do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from statistics import median
from time import perf_counter
from unittest.mock import patch

import pytest

from games.services import game_stop
from tests.bench.measure import report
from tests.tournaments.given import KNOCKOUT, Given, given_tournament
from tournaments import hooks, services
from tournaments.models import TournamentTable
from tournaments.rules import TableStatus

TABLES = (16, 64, 256)
ENDS = 9

pytestmark = [pytest.mark.bench, pytest.mark.django_db(transaction=True)]


def seconds(work: Callable[[], object]) -> float:
    began = perf_counter()
    work()
    return perf_counter() - began


def one_end(given: Given) -> float:
    """Seconds of the advance that notes the end of one game among many."""
    row = TournamentTable.objects.filter(tournament_id=given.id, settled=False).order_by("number")[0]
    game_stop(game_id=row.game_id)
    took = seconds(lambda: services.tournament_advance(tournament_id=given.id))
    assert given.state.table(row.number).status is TableStatus.FINISHED  # type: ignore[arg-type]
    return took


def test_an_advance_grows_no_faster_than_the_number_of_tables() -> None:
    """Once for each game that ends, with all the others still being played; and once to open them all."""
    noting: dict[int, float] = {}
    opening: dict[int, float] = {}
    with patch.object(hooks, "after_change", []):
        for tables in TABLES:
            given = given_tournament(replace(KNOCKOUT, capacity=4 * tables), bots=4 * tables, start=False)
            given.act(services.tournament_start)
            opening[tables] = seconds(given.advance) / tables
            noting[tables] = median(one_end(given) for _ in range(ENDS))
    report("ms an advance that notes one end, by tables", {str(n): 1000 * took for n, took in noting.items()})
    report("ms a table to seat and open a round, by tables", {str(n): 1000 * took for n, took in opening.items()})
    least, most = TABLES[0], TABLES[-1]
    assert noting[most] / noting[least] <= most / least
    assert opening[most] / opening[least] <= 2  # per table: all together grow as the tables do
