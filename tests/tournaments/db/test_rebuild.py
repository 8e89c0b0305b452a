"""Summaries of tournaments are what their logs say, and can be written anew from them."""

from io import StringIO
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tests.tournaments.given import KNOCKOUT, LADDER, Given, given_tournament
from tournaments import services, store
from tournaments.models import Entry, Tournament
from tournaments.rebuilding import tournament_rebuild
from tournaments.rules import Terms

pytestmark = pytest.mark.django_db


def stored(given: Given) -> tuple[object, ...]:
    rows = Entry.objects.filter(tournament_id=given.id).order_by("number").values()
    return Tournament.objects.filter(pk=given.id).values().get(), tuple(rows)


def changed_behind_the_back(given: Given) -> None:
    """As a careless person with a database client would."""
    Tournament.objects.filter(pk=given.id).update(phase="draft", taken=99, champion=None, ended_at=None, last_ordinal=7)
    Entry.objects.filter(tournament_id=given.id, number=2).update(status="withdrawn", holder=9)


@pytest.mark.parametrize("terms", [KNOCKOUT, LADDER])
def test_what_is_stored_is_what_the_log_says_and_what_was_altered_is_written_anew(terms: Terms) -> None:
    """A whole tournament: nothing differs; then exactly what was altered, which a check only names."""
    given = given_tournament(terms, bots=5)
    given.play_to_the_end()
    right = stored(given)
    assert tournament_rebuild(tournament_id=given.id) == ()
    assert stored(given) == right
    changed_behind_the_back(given)
    altered = stored(given)
    differing = ("phase", "taken", "champion", "ended_at", "last_ordinal", "entry-2")
    assert tournament_rebuild(tournament_id=given.id, check=True) == differing
    assert stored(given) == altered
    assert tournament_rebuild(tournament_id=given.id) == differing
    assert stored(given) == right
    store.forget_all()
    assert given.state.over


def test_a_running_tournament_and_a_draft_are_rebuilt_as_they_stand() -> None:
    """And go on afterwards."""
    running, draft = given_tournament(bots=6), given_tournament(bots=2, start=False)
    for given in (running, draft):
        assert tournament_rebuild(tournament_id=given.id) == ()
    running.act(services.tournament_pause)
    Tournament.objects.filter(pk=running.id).update(phase="running", wakes_at=None)
    assert "phase" in tournament_rebuild(tournament_id=running.id)
    running.act(services.tournament_resume)
    draft.advance()
    running.play_to_the_end()
    assert running.row.phase == "finished"


def test_the_command_names_what_differed() -> None:
    """All tournaments or those named; with --check it fails instead of writing; an id that is none is said."""
    given, other = given_tournament(bots=4), given_tournament(bots=4)
    Tournament.objects.filter(pk=given.id).update(rounds=5)
    out = StringIO()
    with pytest.raises(CommandError, match="do not agree"):
        call_command("tournaments_rebuild", "--check", stdout=out)
    assert out.getvalue().splitlines() == [f"{given.id} rounds", "2 tournaments, 1 differed"]
    call_command("tournaments_rebuild", str(other.id), str(given.id), stdout=out)
    assert given.row.rounds == 1
    with pytest.raises(CommandError, match="no such tournament"):
        call_command("tournaments_rebuild", str(uuid4()), stdout=out)
