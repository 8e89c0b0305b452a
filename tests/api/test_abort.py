"""Giving a table up: the host's in the lobby, staff's at any time."""

from collections.abc import Callable
from uuid import uuid4

import pytest

from games.models import AuditEntry
from players.models import Player
from tests.api.http import Caller, problem, wrong_fields
from tests.api.tables import Table

Come = Callable[[], Caller]
pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(guest: Come) -> Caller:
    """A caller of the staff."""
    caller = guest()
    Player.objects.filter(pk=caller.player["id"]).update(is_staff=True)
    return caller


def test_the_host_gives_up_the_lobby(lobby: Table, guest: Come) -> None:
    """Nobody joins any more; the reason is for those who sat there; twice is once."""
    other = guest()
    other.post(lobby.path("join/"))
    for reason in ({"reason": "nobody came"}, {}):
        answer = lobby.host.post(lobby.path("abort/"), reason)
        assert (answer.status_code, answer.json()["phase"]) == (200, "aborted")
        assert answer.json()["abort_reason"] == "nobody came"
    assert other.get(lobby.path()).json()["abort_reason"] == "nobody came"
    assert guest().get(lobby.path()).json()["abort_reason"] is None
    assert problem(guest().post(lobby.path("join/"))) == (409, "finished")


def test_a_running_game_is_staffs_to_end_and_with_a_reason(table: Table, staff: Caller, guest: Come) -> None:
    """It counts for nobody, and its log says by whom it was ended."""
    before = table.state()
    for caller, code in ((table.host, (409, "already_started")), (guest(), (403, "not_host"))):
        assert problem(caller.post(table.path("abort/"), {"reason": "enough"})) == code
    assert wrong_fields(staff.post(table.path("abort/"))) == {"reason": "required"}
    assert table.state() == before
    ended = staff.post(table.path("abort/"), {"reason": "a fault"}).json()
    assert (ended["phase"], ended["winner"], ended["abort_reason"]) == ("aborted", None, "a fault")
    entry = AuditEntry.objects.get(kind="desk")
    assert (entry.code, entry.reason, str(entry.player_id)) == ("game_abort", "a fault", staff.player["id"])
    again = staff.post(table.path("abort/"), {"reason": "a fault"})
    assert (again.status_code, AuditEntry.objects.filter(kind="desk").count()) == (200, 1)
    lines = table.host.get(table.path("export/"), accept="application/x-ndjson").getvalue().decode().splitlines()
    assert [line for line in lines if '"GameAborted"' in line and '"staff"' in line]


def test_who_may_not_changes_nothing(lobby: Table, guest: Come, nobody: Caller) -> None:
    """401, 403, 404, 412, 422 as anywhere."""
    before = lobby.state()
    assert problem(nobody.post(lobby.path("abort/"))) == (401, "not_authenticated")
    assert problem(guest().post(lobby.path("abort/"))) == (403, "not_host")
    assert problem(lobby.host.post(f"games/{uuid4()}/abort/")) == (404, "not_found")
    assert problem(lobby.host.post(lobby.path("abort/"), {}, if_match='"0-9"')) == (412, "precondition_failed")
    assert wrong_fields(lobby.host.post(lobby.path("abort/"), {"reason": "x" * 201})) == {"reason": "bad_text"}
    assert wrong_fields(lobby.host.post(lobby.path("abort/"), {"why": "x"})) == {"why": "unknown"}
    assert lobby.state() == before
    private = guest().post("games/", {"visibility": "private"}).json()["id"]
    assert problem(guest().post(f"games/{private}/abort/")) == (404, "not_found")


def test_a_game_that_is_over_is_not_given_up(table: Table, staff: Caller) -> None:
    """Its result stands."""
    table.host.post(table.path("leave/"))
    assert problem(staff.post(table.path("abort/"), {"reason": "late"})) == (409, "finished")
    assert problem(table.host.post(table.path("abort/"))) == (409, "finished")


def test_staff_gives_up_its_own_lobby_as_anybody_does(staff: Caller) -> None:
    """Without a reason, and without an entry in the audit log."""
    game = staff.post("games/", {}).json()["id"]
    assert staff.post(f"games/{game}/abort/").json()["phase"] == "aborted"
    assert not AuditEntry.objects.filter(kind="desk").exists()
