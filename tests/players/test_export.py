"""The export of one's data: whole, private, and written while it is read."""

import json
from collections.abc import Callable
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Seat
from players.models import Player
from tests.api import contract
from tests.api.http import Caller, problem
from tests.api.tables import Table
from tests.players.people import PASSWORD, Person

SignUp = Callable[..., Person]
pytestmark = pytest.mark.django_db


def export(caller: Caller) -> dict[str, object]:
    """The whole file."""
    answer = caller.get("players/me/export/")
    assert answer.status_code == 200
    assert answer.headers["Content-Disposition"] == 'attachment; filename="taki.json"'
    told: dict[str, object] = json.loads(answer.getvalue())
    contract.matches("Export", told)
    return told


def test_everything_that_is_known_is_there(person: SignUp) -> None:
    """Profile, addresses, tokens, sessions, seats, tournaments; no password, no token's text, no other's data."""
    dana = person("Dana", "dana@example.org")
    token = Caller(token=dana.api("POST", "tokens/", {"name": "phone"}).json()["token"])
    game = token.post("games/", {"seats": 2, "entropy": "c0ffee"}).json()["id"]
    token.post("tournaments/", {"name": "Cup", "format": "ladder"})
    told = export(token)
    assert told["player"] == token.get("players/me/").json()
    assert told["emails"] == [{"email": "dana@example.org", "verified": False, "primary": True}]
    assert [each["name"] for each in told["tokens"]] == ["phone"]  # type: ignore[attr-defined]
    assert len(told["sessions"]) == 1  # type: ignore[arg-type]
    (seat,) = told["games"]  # type: ignore[misc]
    assert (seat["game"], seat["seat"], seat["entropy"]) == (game, 0, "c0ffee")  # type: ignore[has-type]
    assert [each["role"] for each in told["tournaments"]] == ["organiser"]  # type: ignore[attr-defined]
    text = json.dumps(told)
    assert token.token not in text
    assert PASSWORD not in text
    assert Player.objects.get(name="Dana").password not in text


def test_a_guest_gets_its_seats_and_nobody_elses(table: Table) -> None:
    """One entry for each seat that it had."""
    told = export(table.host)
    assert [each["game"] for each in told["games"]] == [table.id]  # type: ignore[attr-defined]
    assert table.seats[1].player["id"] not in json.dumps(told)
    assert told["emails"] == []


def test_its_cost_in_statements_does_not_grow_with_the_games(table: Table) -> None:
    """Ten more games are read by the same statements."""

    def statements() -> int:
        with CaptureQueriesContext(connection) as queries:
            export(table.host)
        return len(queries)

    before = statements()
    seat = Seat.objects.get(game_id=UUID(table.id), seat=0)
    for _ in range(10):
        game = table.seats[1].post("games/", {"seats": 2}).json()["id"]
        Seat.objects.create(game_id=UUID(game), seat=1, player=seat.player)
        table.seats[1].post(f"games/{game}/leave/")
    assert len(export(table.host)["games"]) == 11  # type: ignore[arg-type]
    assert statements() == before


def test_nobody_exports_without_saying_who(nobody: Caller) -> None:
    """401, as for everything private."""
    assert problem(nobody.get("players/me/export/")) == (401, "not_authenticated")
