"""What a replay and the statistics cost: the film, sentences and bytes of a long ladder; ten thousand games summed."""

from __future__ import annotations

import gzip
import json
from dataclasses import fields, replace
from uuid import uuid4

import pytest
from django.template.loader import render_to_string
from django.utils import timezone

from games.clock import Limits
from games.figures.counting import EDITION, Counted, count
from games.figures.selectors import Filter, figures_list
from games.figures.summing import summary
from games.models import Game, GameFigures
from games.pages.film import film
from games.pages.moves import lines
from games.rules.ruleset import DEFAULT_RULES, Mode
from tests.bench.measure import rates, report
from tests.pages.logs import random_log

pytestmark = pytest.mark.bench
GAMES = 10_000


def test_a_long_ladder_is_filmed_told_and_counted() -> None:
    """Events a second for each, and how large they are on the wire."""
    log = random_log(1, rules=replace(DEFAULT_RULES, mode=Mode.LADDER))
    limits, game_id = Limits(60, 8, bank_seconds=60), uuid4()

    def filmed() -> int:
        return len(film(game_id, log, "all", limits)["steps"])

    def told() -> int:
        return len(render_to_string("games/moves.html", {"lines": lines(log, "all", (), 4)})) and len(log)

    found = rates({"film": filmed, "moves": told, "figures": lambda: count(log).events}, rounds=3)
    report(f"events a second, of a ladder of {len(log):,}", found)
    made = json.dumps(film(game_id, log, "all", limits), separators=(",", ":")).encode()
    moves = render_to_string("games/moves.html", {"lines": lines(log, "all", (), 4)}).encode()
    report("kB on the wire", {"film": len(gzip.compress(made)) / 1e3, "moves": len(gzip.compress(moves)) / 1e3})


@pytest.mark.django_db
def test_ten_thousand_games_are_summed() -> None:
    """From their rows to every table of the page."""
    counted = [count(random_log(number)) for number in range(20)]
    now = timezone.now()
    games = Game.objects.bulk_create(
        [Game(phase="finished", commitment="", head_hash=b"") for _ in range(GAMES)], 1_000
    )
    values = [{one.name: getattr(each, one.name) for one in fields(each)} for each in counted]
    rows = [
        GameFigures(game=game, edition=EDITION, ended_at=now, **values[number % 20])
        for number, game in enumerate(games)
    ]
    GameFigures.objects.bulk_create(rows, 1_000)
    found: list[Counted] = figures_list(Filter())
    assert len(found) == GAMES

    def read() -> int:
        return len(figures_list(Filter()))

    def summed() -> int:
        return len(found) if summary(found) else 0

    report("games a second", rates({"read": read, "summed": summed}, rounds=3))
