"""`states/{version}/` over HTTP: whose eyes, from when, and how long an answer keeps."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.api.http import Caller, problem, wrong_fields
from tests.api.tables import Table

pytestmark = pytest.mark.django_db
FOR_EVER = "max-age=31536000, immutable"


def body(answer: Any) -> dict[str, Any]:
    assert answer.status_code == 200, answer.content
    told: dict[str, Any] = answer.json()
    return {name: value for name, value in told.items() if name != "now"}


def test_ones_own_seat_sees_what_its_view_was(table: Table, guest: Callable[[], Caller]) -> None:
    """Without `as` one's own seat; whoever has none is a spectator."""
    before = [body(caller.get(table.path("view/"))) for caller in table.seats]
    watching = guest()
    watched = body(watching.get(table.path("view/")))
    version = before[0]["version"]
    caller, command = table.move()
    assert caller.post(table.path("commands/"), {"command": command}).status_code == 201
    for seat, caller in enumerate(table.seats):
        for query in ("", f"?as={seat}"):
            assert body(caller.get(table.path(f"states/{version}/{query}"))) == before[seat]
        assert body(caller.get(table.path(f"states/{version}/?as=spectator"))) == watched
    assert body(watching.get(table.path(f"states/{version}/"))) == watched


def test_hidden_hands_are_shown_when_the_game_is_over(table: Table, guest: Callable[[], Caller]) -> None:
    """Before: 409 for everybody, whatever the seat; afterwards any seat and all hands."""
    watching, before = guest(), body(table.seats[1].get(table.path("view/")))
    for caller, looking in ((table.seats[0], "1"), (watching, "0"), (table.seats[0], "all"), (watching, "all")):
        assert problem(caller.get(table.path(f"states/3/?as={looking}"))) == (409, "not_finished")
    table.seats[0].post(table.path("leave/"))
    assert body(watching.get(table.path("states/3/?as=1"))) == before
    shown = body(watching.get(table.path("states/3/?as=all")))
    assert shown["hands"][1] == before["hand"]
    assert [len(hand) for hand in shown["hands"]] == shown["cards"]


def test_what_is_over_may_be_kept_and_what_runs_may_not(table: Table) -> None:
    """An entity tag always; kept by others only where everybody would be answered alike."""
    first = table.host.get(table.path("states/3/"))
    assert (first.headers["Cache-Control"], first.headers["ETag"]) == ("private, no-store", '"3-0"')
    same = table.host.get(table.path("states/3/"), if_none_match='"3-0"')
    assert (same.status_code, same.content) == (304, b"")
    table.host.post(table.path("leave/"))
    own = table.host.get(table.path("states/3/"))
    assert own.headers["Cache-Control"] == f"private, {FOR_EVER}"
    # Another account in the same browser has another seat.
    assert {"Authorization", "Cookie"} <= {name.strip() for name in own.headers["Vary"].split(",")}
    for looking in ("0", "spectator", "all"):
        shown = table.host.get(table.path(f"states/3/?as={looking}"))
        assert shown.headers["Cache-Control"] == f"public, {FOR_EVER}"
        again = table.host.get(table.path(f"states/3/?as={looking}"), if_none_match=shown.headers["ETag"])
        assert (again.status_code, again.headers["Cache-Control"]) == (304, f"public, {FOR_EVER}")


def test_a_private_game_is_looked_back_at_by_those_who_sit_there(guest: Callable[[], Caller]) -> None:
    """Nobody else's cache may keep it; to strangers it is not there, over or not."""
    host, stranger = guest(), guest()
    path = f"games/{host.post('games/', {'seats': 2, 'visibility': 'private'}).json()['id']}/"
    host.post(path + "seats/1/bot/", {"level": "greedy"})
    host.post(path + "start/")
    assert problem(stranger.get(path + "states/3/")) == (404, "not_found")
    host.post(path + "leave/")
    assert host.get(path + "states/3/?as=all").headers["Cache-Control"] == f"private, {FOR_EVER}"
    assert problem(stranger.get(path + "states/3/?as=all")) == (404, "not_found")


def test_there_is_no_state_where_there_is_no_version(table: Table, lobby: Table, nobody: Caller) -> None:
    """404 with the last version; 409 before the deal; wrong eyes are named."""
    missing = table.host.get(table.path("states/5000/"))
    assert problem(missing) == (404, "no_such_version")
    assert missing.json()["version"] == table.events()
    assert problem(table.host.get(table.path("states/2/"))) == (409, "not_started")
    assert problem(table.host.get(table.path("states/abc/"))) == (404, "not_found")
    assert problem(table.host.get(table.path("states/1234567890/"))) == (404, "not_found")
    assert wrong_fields(table.host.get(table.path("states/3/?as=2"))) == {"as": "out_of_range"}
    assert wrong_fields(table.host.get(table.path("states/3/?as=me"))) == {"as": "not_a_choice"}
    assert wrong_fields(table.host.get(table.path("states/3/?seat=0"))) == {"seat": "unknown"}
    assert problem(nobody.get(table.path("states/3/"))) == (401, "not_authenticated")


def test_a_table_in_the_lobby_has_no_states(lobby: Table) -> None:
    """Nothing has been dealt."""
    assert problem(lobby.host.get(lobby.path("states/1/"))) == (409, "not_started")
