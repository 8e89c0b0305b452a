"""Acts on a tournament that are tied to what the caller saw of it."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from tests.api.http import Caller, problem, wrong_fields
from tests.tournaments.api.callers import send
from tests.tournaments.api.test_tournaments import made, number_of, opened
from tournaments.models import Entry, TournamentEvent

pytestmark = pytest.mark.django_db
Account = Callable[..., Caller]


def tag_of(caller: Caller, path: str) -> str:
    tag: str = caller.get(path).headers["ETag"]
    return tag


def test_an_act_on_what_is_no_longer_so_is_refused_and_changes_nothing(account: Account) -> None:
    """412 with the present version; with the present tag it is carried out."""
    organiser, player = account(), account()
    path = opened(organiser)
    seen = tag_of(organiser, path)
    entered = player.post(path + "entries/", {}, if_match=seen)
    assert entered.status_code == 201
    number = entered.json()["number"]
    before = TournamentEvent.objects.filter(tournament_id=number_of(path)).count()
    acts: tuple[tuple[Caller, str, str, dict[str, Any]], ...] = (
        (organiser, "POST", "close/", {}),
        (organiser, "POST", f"entries/{number}/disqualify/", {"reason": "late"}),
        (organiser, "PATCH", "", {"name": "Another cup"}),
        (account(), "POST", "entries/", {}),
        (player, "DELETE", "entries/", {}),
        (player, "POST", f"entries/{number}/check-in/", {}),
    )
    for caller, method, below, body in acts:
        for header in (seen, f"W/{tag_of(organiser, path)}"):
            failed = send(caller, method, path + below, body, if_match=header)
            assert problem(failed) == (412, "precondition_failed"), (method, below)
            assert failed.json()["version"] == organiser.get(path).json()["version"]
        assert wrong_fields(send(caller, method, path + below, body, if_match="x")) == {"If-Match": "bad_etag"}
    assert TournamentEvent.objects.filter(tournament_id=number_of(path)).count() == before
    assert Entry.objects.filter(tournament_id=number_of(path)).count() == 1
    closed = organiser.post(path + "close/", {}, if_match=tag_of(organiser, path))
    assert (closed.status_code, closed.json()["phase"]) == (200, "check_in")
    assert closed.headers["ETag"] == tag_of(organiser, path)


def test_what_was_done_is_answered_again_though_its_tag_is_old(account: Account) -> None:
    """The key is looked up before the precondition."""
    organiser, key = account(), str(uuid4())
    path = made(organiser)
    seen = tag_of(organiser, path)
    first = organiser.post(path + "open/", {}, if_match=seen, idempotency_key=key)
    again = organiser.post(path + "open/", {}, if_match=seen, idempotency_key=key)
    assert (again.status_code, again.content) == (200, first.content)


def test_a_tag_tells_a_stranger_nothing_of_a_draft(account: Account) -> None:
    """404, whatever the tag."""
    path = made(account())
    assert problem(account().post(path + "open/", {}, if_match='"1-0"')) == (404, "not_found")
