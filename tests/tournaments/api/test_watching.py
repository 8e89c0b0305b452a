"""Who may watch the tables of a tournament, and the ticket for its stream."""

from collections.abc import Callable

import pytest

from games.streaming.tickets import ticket_key, ticket_read
from games.streaming.valkey import ask
from tests.api.http import Caller, problem
from tests.tournaments.api.test_tournaments import number_of, opened
from tournaments import services

pytestmark = pytest.mark.django_db
Account = Callable[..., Caller]


@pytest.fixture
def private(account: Account) -> tuple[str, Caller, list[Caller]]:
    """A running private tournament of two tables: its path, its organiser, and its players."""
    organiser = account()
    path = opened(organiser, visibility="private", table_size=2, go_on=1)
    players = [account() for _ in range(4)]
    code = {"invite_code": organiser.get(path).json()["invite_code"]}
    for player in players:
        assert player.post(path + "entries/", code).status_code == 201
    organiser.post(path + "start/")
    services.tournament_advance(tournament_id=number_of(path))
    return path, organiser, players


def test_who_knows_of_a_private_tournament_watches_its_tables(
    private: tuple[str, Caller, list[Caller]], account: Account
) -> None:
    """The organiser and the players of other tables, as spectators; to strangers the games are not there."""
    path, organiser, players = private
    for table in organiser.get(path + "tables/").json()["tables"]:
        game = f"games/{table['game']}/"
        seats = [organiser.get(game + "view/").json()["seat"]]
        seats += [player.get(game + "view/").json()["seat"] for player in players]
        assert sorted(seats, key=str) == [0, 1, None, None, None]
        assert organiser.get(game).json()["visibility"] == "private"
        assert problem(organiser.get(game + "legal/")) == (403, "not_seated")
        assert organiser.get(game + "states/3/?as=spectator").status_code == 200
        assert problem(organiser.get(game + "states/3/?as=0")) == (409, "not_finished")
        assert organiser.post(game + "stream-ticket/").status_code == 201
        for what in ("", "view/", "events/", "audit/"):
            assert problem(account().get(game + what)) == (404, "not_found")


def test_nobody_changes_a_tournaments_table_by_the_tables_own_acts(
    private: tuple[str, Caller, list[Caller]],
) -> None:
    """Kick, rematch, abort and moving are the tournament's business, also once the game is over."""
    path, organiser, players = private
    game = f"games/{organiser.get(path + 'tables/').json()['tables'][0]['game']}/"
    seated = next(player for player in players if player.get(game + "view/").json()["seat"] == 0)
    assert problem(seated.post(game + "seats/1/kick/")) == (403, "no_host")
    assert problem(seated.post(game + "abort/")) == (403, "no_host")
    assert problem(organiser.post(game + "abort/")) == (403, "no_host")
    seated.post(game + "leave/")
    assert problem(seated.post(game + "rematch/")) == (403, "no_host")


def test_a_ticket_for_a_tournaments_stream(private: tuple[str, Caller, list[Caller]], account: Account) -> None:
    """For who knows of it."""
    path, organiser, players = private
    for caller in (organiser, players[0]):
        made = caller.post(path + "stream-ticket/")
        assert made.status_code == 201
        ticket = ticket_read(ask(lambda valkey, made=made: valkey.get(ticket_key(made.json()["ticket"]))))  # type: ignore[misc]  # bound now
        assert ticket.subject == f"/api/v1/{path}stream/"
        stream = caller.get(path).json()["links"]["stream"]
        assert made.json()["url"] == f"{stream}?ticket={made.json()['ticket']}"
    assert problem(account().post(path + "stream-ticket/")) == (404, "not_found")
