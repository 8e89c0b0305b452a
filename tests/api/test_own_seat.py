"""One's own seat over HTTP: accepting unasked, being away and coming back, the bank."""

import uuid

import pytest

from games.models import Game, GameEvent
from games.models import Seat as SeatRow
from tests.api.http import problem, wrong_fields
from tests.api.tables import Table

pytestmark = pytest.mark.django_db(transaction=True)


def patch(table: Table, seat: int, body: object, **headers: str) -> object:
    import json

    caller = table.seats[seat]
    return caller.send("PATCH", table.path("me/"), json.dumps(body).encode(), "application/json", headers)


def test_auto_accept_is_ones_own_and_nobody_else_is_told(table: Table) -> None:
    """It is answered, kept, and neither an event nor a new version; another player's answers are what they were."""
    before = table.seats[1].get(table.path()).json()
    for wanted in (True, True, False):
        answer = patch(table, 0, {"auto_accept": wanted})
        assert (answer.status_code, answer.json()) == (200, {"seat": 0, "auto_accept": wanted, "entropy": None})  # type: ignore[attr-defined]  # a response
        assert SeatRow.objects.get(game_id=table.id, seat=0).auto_accept is wanted
    after = table.seats[1].get(table.path()).json()
    assert {**before, "now": ""} == {**after, "now": ""}
    assert not SeatRow.objects.get(game_id=table.id, seat=1).auto_accept


def test_auto_accept_takes_a_truth_value_from_who_sits_there(table: Table, guest: object) -> None:
    """Anything else is named; strangers have no seat."""
    assert patch(table, 0, {}).json() == {"seat": 0, "auto_accept": False, "entropy": None}  # type: ignore[attr-defined]  # a response
    assert wrong_fields(patch(table, 0, {"auto_accept": 1})) == {"auto_accept": "not_a_boolean"}
    assert wrong_fields(patch(table, 0, {"auto_accept": True, "cards": 1})) == {"cards": "unknown"}
    stranger = guest()  # type: ignore[operator]  # a fixture that makes one
    refused = stranger.send("PATCH", table.path("me/"), b'{"auto_accept": true}', "application/json", {})
    assert problem(refused) == (403, "not_seated")
    assert problem(stranger.post(table.path("return/"))) == (403, "not_seated")
    nowhere = table.seats[0].post(f"games/{uuid.uuid4()}/return/")
    assert problem(nowhere) == (404, "not_found")


def test_coming_back_is_an_event_and_twice_is_once(table: Table) -> None:
    """`away` is told of the seat and in everybody's view, until it returns."""
    from games import services
    from games.rules.cards import Seat

    SeatRow.objects.filter(game_id=table.id, seat=0).update(player=None)
    services.seat_abandon(game_id=uuid.UUID(table.id), seat=Seat(0))
    SeatRow.objects.filter(game_id=table.id, seat=0).update(player=table.seats[0].player["id"])
    Game.objects.filter(pk=table.id).update(seating_revision=99)
    seen = table.seats[1].get(table.path()).json()
    assert [seat["away"] for seat in seen["seats"]] == [True, False]
    assert table.seats[1].get(table.path("view/")).json()["away"] == [0]
    for _ in range(2):
        back = table.seats[0].post(table.path("return/"))
        assert back.status_code == 200
        assert [seat["away"] for seat in back.json()["seats"]] == [False, False]
    assert GameEvent.objects.filter(game_id=table.id, type="SeatReturned").count() == 1
    assert table.seats[1].get(table.path("view/")).json()["away"] == []


def test_the_bank_is_seen_in_the_game_and_in_the_view(guest: object) -> None:
    """Whole seconds by seat; null where there is no turn clock, and in the lobby."""
    for clocks, bank in (
        ({"turn_seconds": 30, "bank_seconds": 90, "increment_seconds": 5}, 90),
        ({"turn_seconds": 30}, 0),
        ({"turn_seconds": None, "bank_seconds": 90}, None),
    ):
        host = guest()  # type: ignore[operator]  # a fixture that makes one
        made = host.post("games/", {"seats": 2, "when_away": "forfeit", **clocks}).json()
        assert (made["seats"][0]["bank"], made["when_away"]) == (None, "forfeit")
        host.post(f"games/{made['id']}/seats/1/bot/", {"level": "greedy"})
        begun = host.post(f"games/{made['id']}/start/").json()
        assert [seat["bank"] for seat in begun["seats"]] == [bank, bank]
        view = host.get(f"games/{made['id']}/view/").json()
        assert view["bank"] == (None if bank is None else [bank, bank])


def test_what_becomes_of_an_absent_seat_is_one_of_two(guest: object) -> None:
    """Anything else is refused by name."""
    host = guest()  # type: ignore[operator]  # a fixture that makes one
    assert wrong_fields(host.post("games/", {"when_away": "kick"})) == {"when_away": "not_a_choice"}
