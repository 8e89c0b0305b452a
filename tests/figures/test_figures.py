"""Figures in the database: each finished game once, whoever counts; filters, command, task and page."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import services, store, tasks
from games.errors import GameNotFound
from games.figures.counting import EDITION, count
from games.figures.selectors import Filter, FilterWrong, figures_list, filter_from
from games.figures.services import figures_catch_up, figures_outstanding, figures_write
from games.figures.summing import summary
from games.models import Game, GameFigures
from games.rules.ruleset import Mode
from players.models import Player
from tests.builders import QUICK, Table, given_bots, given_game
from tests.pages.evenings import finished

pytestmark = pytest.mark.django_db
PAGE = "admin:games_gamefigures_changelist"


@pytest.fixture
def games(db: None) -> list[Table]:
    """Three that are over (bots; mixed; a short ladder of people), one that runs, one that was ended for good."""
    over = [
        finished(("greedy", "greedy"), rules=replace(QUICK, hand_size=4), seed=3),
        finished(("Noa", "greedy", "greedy"), rules=replace(QUICK, hand_size=3), seed=5),
        finished(("Noa", "Dana"), rules=replace(QUICK, mode=Mode.LADDER, hand_size=3), seed=1),
    ]
    given_game(players=2)
    gone = given_bots(("greedy", "greedy"))
    referee = Player.objects.create_user("Referee", is_staff=True)
    services.game_abort(game_id=gone.game_id, actor=referee, reason="rain")
    return over


def rows() -> list[dict[str, Any]]:
    return [dict(row) for row in GameFigures.objects.order_by("pk").values()]


def test_each_finished_game_is_counted_once(games: list[Table]) -> None:
    """From its log; running and aborted ones are not, and a second round finds nothing to do."""
    assert figures_outstanding() == 3
    assert figures_catch_up() == 3
    assert {row.game_id for row in GameFigures.objects.all()} == {table.game_id for table in games}
    for table in games:
        row, counted = GameFigures.objects.get(pk=table.game_id), count(store.log(game_id=table.game_id))
        assert (row.turns, row.drawn, row.played) == (counted.turns, counted.drawn, dict(counted.played))
        assert row.people == len({player.pk for player in table.players})
        assert row.winner == table.game.winner
    assert (figures_outstanding(), figures_catch_up()) == (0, 0)


def test_counting_goes_on_where_it_was_interrupted(games: list[Table]) -> None:
    """One at a time, then killed after one, then to the end; the same as in one go."""
    assert figures_catch_up(most=1) == 1
    with pytest.raises(KeyboardInterrupt):
        figures_catch_up(told=lambda: (_ for _ in ()).throw(KeyboardInterrupt))
    assert figures_outstanding() == 1
    assert figures_catch_up(seconds=0) == 0
    tasks.figures_sweep()
    assert figures_outstanding() == 0


def test_counting_twice_changes_nothing(games: list[Table]) -> None:
    """The same row again, whoever came second."""
    figures_catch_up()
    before = rows()
    for table in games:
        assert figures_write(game_id=table.game_id)
    after = rows()
    for row in (*before, *after):
        row.pop("counted_at")
    assert before == after


def test_an_older_edition_is_counted_anew(games: list[Table]) -> None:
    """And `--rebuild` counts everything anew, to the same end."""
    figures_catch_up()
    GameFigures.objects.filter(pk=games[0].game_id).update(edition=EDITION - 1, turns=1, played={"R1": 9})
    assert figures_catch_up() == 1
    GameFigures.objects.update(turns=1)
    call_command("games_statistics", "--rebuild", "--count-only", stdout=(said := StringIO()))
    assert said.getvalue() == "3 games counted\n"
    for table in games:
        assert GameFigures.objects.get(pk=table.game_id).turns == count(store.log(game_id=table.game_id)).turns


def test_only_finished_games_are_counted(games: list[Table]) -> None:
    """A frozen one counts for nothing; one that is not over is not found."""
    figures_catch_up()
    with pytest.raises(GameNotFound):
        figures_write(game_id=Game.objects.get(phase="playing").pk)
    Game.objects.filter(pk=games[0].game_id).update(frozen_at=timezone.now())
    assert len(figures_list(Filter())) == 2
    GameFigures.objects.all().delete()
    assert figures_catch_up() == 2


def test_filters_let_through_what_they_say(games: list[Table]) -> None:
    """By mode, seats, days, house rule (a default is what nobody chose) and who sat there."""
    figures_catch_up()
    long_ago = datetime(2026, 1, 2, 23, 59, tzinfo=UTC)
    GameFigures.objects.filter(pk=games[0].game_id).update(ended_at=long_ago)
    for texts, seats in (
        ({}, [2, 2, 3]),
        ({"mode": "ladder"}, [2]),
        ({"seats": "3"}, [3]),
        ({"rule": "hand_size=3"}, [2, 3]),
        ({"rule": "hand_size=8"}, []),
        ({"rule": "taki_all=false", "mode": "single"}, [2, 3]),
        ({"rule": "taki_all=true"}, []),
        ({"who": "bots"}, [2]),
        ({"who": "mixed"}, [3]),
        ({"who": "people"}, [2]),
        ({"until": "2026-01-02"}, [2]),
        ({"until": "2026-01-01"}, []),
        ({"since": "2026-01-03"}, [2, 3]),
        ({"since": "2026-01-02", "seats": " 2 "}, [2, 2]),
    ):
        assert sorted(one.seats for one in figures_list(filter_from(texts))) == seats, texts


@pytest.mark.parametrize(
    "texts",
    [
        {"mode": "double"}, {"seats": "1"}, {"seats": "eleven"}, {"seats": "99999"}, {"since": "yesterday"},
        {"until": "2026-13-01"}, {"rule": "hand_size"}, {"rule": "hand_size=99"}, {"rule": "nothing=1"},
        {"rule": "mode=ladder"}, {"who": "cats"}, {"rule": "\0=\0"}, {"seats": "٣"},
    ],
)  # fmt: skip
def test_a_filter_that_cannot_be_meant_is_one_sentence(texts: dict[str, str]) -> None:
    """In the service, on the page and by the command."""
    with pytest.raises(FilterWrong) as wrong:
        filter_from(texts)
    assert str(wrong.value).endswith(".")
    client = Client()
    client.force_login(Player.objects.create_superuser("Chief", "a-long-password-1"))
    page = client.get(reverse(PAGE), texts)
    assert page.status_code == 200
    assert 'role="alert"' in page.content.decode()
    (name, text) = next(iter(texts.items()))
    with pytest.raises(CommandError):
        call_command("games_statistics", f"--{name}={text}")


def test_the_command_prints_tables_or_files(games: list[Table]) -> None:
    """Text for people, CSV and JSON for programs; a filter without a game says so."""
    for form, first in (("text", "Modes and seats"), ("csv", "section,row,column"), ("json", "[")):
        call_command("games_statistics", f"--format={form}", stdout=(said := StringIO()))
        assert said.getvalue().startswith(first)
    cells = json.loads(said.getvalue())
    assert {cell["section"] for cell in cells} == {one.key for one in summary(figures_list(Filter()))}
    call_command("games_statistics", "--seats=9", stdout=(said := StringIO()))
    assert said.getvalue() == "No finished game matches.\n"


def test_the_page_shows_tables_and_plots_and_gives_files(games: list[Table]) -> None:
    """For who may see games; every plot has its words and its table."""
    figures_catch_up()
    GameFigures.objects.filter(pk=games[2].game_id).delete()
    staff = Player.objects.create_user("Helper", is_staff=True)
    client = Client()
    assert client.get(reverse(PAGE)).status_code == 302
    client.force_login(staff)
    assert client.get(reverse(PAGE)).status_code == 403
    staff.user_permissions.add(Permission.objects.get(codename="view_game"))
    page = client.get(reverse(PAGE)).content.decode()
    assert "2 finished games; 1 more are not counted yet" in page
    assert page.count('class="figures-plot"') == page.count('role="img"') == 4
    assert page.count("<caption") == 10
    assert "nan" not in page.lower().replace("finance", "")
    narrowed = {"seats": "3", "who": "mixed"}
    assert "1 finished game" in client.get(reverse(PAGE), narrowed).content.decode()
    answer = client.get(reverse(PAGE), {**narrowed, "export": "csv"})
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert "single, 3 seats" in answer.content.decode()
    told = client.get(reverse(PAGE), {**narrowed, "export": "json"}).json()
    assert told["filter"]["seats"] == "3"
    assert told["figures"]
    assert client.post(reverse(PAGE), {"action": "delete_selected"}).status_code in (200, 403, 405)
    assert GameFigures.objects.count() == 2


def test_the_page_sums_the_newest_of_very_many(games: list[Table], monkeypatch: pytest.MonkeyPatch) -> None:
    """And says so; the command sums all."""
    figures_catch_up()
    monkeypatch.setattr("games.admin.figures.MOST_GAMES", 2)
    client = Client()
    client.force_login(Player.objects.create_superuser("Chief", "a-long-password-1"))
    assert "The newest 2 finished games" in client.get(reverse(PAGE)).content.decode()
    newest = max(games, key=lambda table: table.game.ended_at or datetime.min.replace(tzinfo=UTC)).game
    (one,) = figures_list(Filter(), most=1)
    assert (one.turns, one.events) == (newest.figures.turns, newest.version)


def test_reading_many_games_costs_one_statement(games: list[Table], django_assert_num_queries: object) -> None:
    """However many there are: no log is read for a page."""
    figures_catch_up()
    with django_assert_num_queries(1):  # type: ignore[operator]
        summary(figures_list(Filter(since=datetime.now(UTC).date() - timedelta(days=400))))
