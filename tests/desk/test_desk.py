"""The desk: every button is a legal act, pressed once however often, with one clear message."""

import json
import re
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Player
from tests.desk.people import LADDER, browser_of, messages_of, page, person, pressed, state_of, tournament_of
from tournaments import services
from tournaments.admin.context import whole_buttons
from tournaments.admin.patterns import PATTERNS
from tournaments.models import Tournament, TournamentEvent
from tournaments.rules import Phase

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> Player:
    """An organiser."""
    return person("Orna", "organiser")


@pytest.fixture
def client(owner: Player) -> Client:
    """The organiser's browser."""
    return browser_of(owner)


@pytest.fixture
def tournament(owner: Player) -> Tournament:
    """Two players and two bots have entered a ladder."""
    return tournament_of(owner, players=("Noa", "Dana"), bots=2)


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.key)
def test_every_template_makes_a_tournament_with_a_name_alone(client: Client, pattern: object) -> None:
    """What its form is filled with is sent back as it is, and the rules take it."""
    address = reverse("admin:tournaments_tournament_add") + f"?pattern={pattern.key}"  # type: ignore[attr-defined]
    form = client.get(address).context["form"]
    sent = {field.html_name: field.value() for field in form if field.value() not in (None, False)}
    answer = client.post(address, {**sent, "name": "Of a template", "visibility": "public", "when_away": "bot"})
    assert answer.status_code == 302, answer.context["form"].errors
    made = Tournament.objects.get(name="Of a template")
    assert (made.capacity, made.phase) == (pattern.capacity, "draft")  # type: ignore[attr-defined]
    assert client.get(answer.headers["Location"]).status_code == 200


def test_terms_that_contradict_each_other_are_refused_in_the_form(client: Client) -> None:
    """With the sentence of what is wrong, and no tournament."""
    form = {"name": "Impossible", "visibility": "public", "format": "ladder", "table_kind": "ladder"}
    form |= {"capacity": "10", "table_size": "4", "go_on": "1", "seeding": "random", "no_shows": "leave_out"}
    answer = client.post(reverse("admin:tournaments_tournament_add"), {**form, "when_away": "bot"})
    assert "A ladder is one table" in answer.content.decode()
    past = {**form, "table_size": "10", "starts_at": "2001-01-01T10:00", "when_away": "bot"}
    assert "lies in the past" in client.post(reverse("admin:tournaments_tournament_add"), past).content.decode()
    assert not Tournament.objects.exists()


def test_the_desk_shows_exactly_the_legal_buttons(client: Client, tournament: Tournament) -> None:
    """In each phase, those that the rules list, each in a form of its own."""
    for act in ("", "Pause", "Resume", "Cancel"):
        if act == "Pause":
            pressed(client, tournament, "Start")
        if act:
            pressed(client, tournament, act)
        content = client.get(page("change", tournament)).content.decode()
        shown = re.findall(r'name="act" value="(\w+)"', content.split('id="stages"')[0])
        assert shown == [button.name for button in whole_buttons(state_of(tournament))]
    assert state_of(tournament).phase is Phase.CANCELLED


def test_a_double_click_starts_once_and_says_so(client: Client, tournament: Tournament) -> None:
    """The second press of the same form, and another organiser's, write nothing."""
    form = {"act": "Start", "press": str(uuid4()), "reason": ""}
    client.post(page("press", tournament), form)
    assert messages_of(client, tournament) == ["Done."]
    version = state_of(tournament).version
    client.post(page("press", tournament), form)
    assert messages_of(client, tournament) == ["This has been done already."]
    referee = browser_of(person("Ruth", "referee"))
    pressed(referee, tournament, "Start", reason="")
    assert messages_of(referee, tournament) == ["This has been done already."]
    assert state_of(tournament).version == version


def test_an_intervention_without_a_reason_is_refused(client: Client, tournament: Tournament) -> None:
    """One sentence, and nothing is written."""
    before = state_of(tournament)
    pressed(client, tournament, "Disqualify", "entries", entry="1", reason=" ")
    assert messages_of(client, tournament) == ["Entry 1: This needs a reason."]
    assert state_of(tournament) == before


def test_a_bulk_act_names_those_it_does_not_fit(client: Client, tournament: Tournament) -> None:
    """The others are done; the reason stands in the log of each."""
    pressed(client, tournament, "Disqualify", "entries", entry=["2", "99", "2", "x"])
    assert messages_of(client, tournament) == [
        "Done for entry 2, 2.",
        "Entry 99: The tournament has no entry of this number.",
        "Entry x: A number is missing, or is none.",
    ]
    assert [entry.status.value for entry in state_of(tournament).entries][:2] == ["entered", "disqualified"]
    assert TournamentEvent.objects.filter(type="EntryDisqualified").count() == 1


def test_entries_are_found_by_name_and_number(client: Client, tournament: Tournament) -> None:
    """Part of a name, in any case; what matches nothing finds nobody."""
    for words, expected in (("no", [1]), ("DANA", [2]), ("3", [3]), ("zz", []), ("%", []), ("\0", [1, 2, 3, 4])):
        found = client.get(page("change", tournament), {"q": words}).context["entries"]
        assert [line.number for line in found] == expected, words


def test_a_player_is_replaced_by_name(client: Client, tournament: Tournament) -> None:
    """The new holder has the entry; a name that nobody has changes nothing."""
    Player.objects.create_user("Itamar")
    pressed(client, tournament, "Replace", "entries", entry="1", player="Nobody")
    assert messages_of(client, tournament) == ["Entry 1: There is no player called “Nobody”."]
    pressed(client, tournament, "Replace", "entries", entry="1", player="itamar")
    assert tournament.entries.get(number=1).player.name == "Itamar"  # type: ignore[union-attr]


def test_a_table_is_ended_once_and_its_result_corrected(client: Client, tournament: Tournament) -> None:
    """End early, correct, export: the log keeps the old result; a stale press is told so."""
    pressed(client, tournament, "Start")
    services.tournament_advance(tournament_id=tournament.pk)
    pressed(client, tournament, "EndTable", "tables", table="1", attempt="1")
    services.tournament_advance(tournament_id=tournament.pk)
    assert state_of(tournament).phase is Phase.FINISHED
    first = [line["name"] for line in _results(client, tournament)]
    table = state_of(tournament).tables[0]
    assert messages_of(client, tournament) == ["Done.", "Done."]
    ranks = {f"rank-{entry}": rank for rank, entry in enumerate(reversed(_order(tournament)), start=1)}
    pressed(client, tournament, "CorrectResult", "tables", table="1", attempt="2", **ranks)
    assert messages_of(client, tournament) == ["The table has been set up anew since; look at it again."]
    pressed(client, tournament, "CorrectResult", "tables", table="1", attempt="1", **{**ranks, "rank-1": 7})
    assert "no result" in messages_of(client, tournament)[0]
    assert client.get(page("table", tournament, 1)).context["may_correct"]
    pressed(client, tournament, "CorrectResult", "tables", table="1", attempt="1", **ranks)
    services.tournament_advance(tournament_id=tournament.pk)
    assert [line["name"] for line in _results(client, tournament)] == first[::-1]
    kept = TournamentEvent.objects.filter(type="TableFinished").get()
    assert [place["entry"] for place in kept.data["result"]] == [place.entry for place in table.result]


def _order(tournament: Tournament) -> list[int]:
    return list(state_of(tournament).ranking)


def _results(client: Client, tournament: Tournament) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = json.loads(client.get(page("export", tournament, "results", "json")).content)
    return rows


def test_nonsense_in_a_form_is_one_sentence(client: Client, tournament: Tournament) -> None:
    """No such button, no press, no number: told, and nothing changed."""
    before = state_of(tournament)
    for where, form in (
        ("press", {"act": "Explode"}),
        ("press", {"act": "Start", "press": "x"}),
        ("press", {"act": "ListSeeding", "order": "1 two"}),
        ("press", {"act": "ReopenRound", "round": ""}),
        ("tables", {"act": "EndTable", "table": "9" * 99, "attempt": "1"}),
        ("tables", {"act": "CorrectResult", "table": "77", "attempt": "1"}),
        ("entries", {"act": "Explode", "entry": "1"}),
    ):
        pressed(client, tournament, form.pop("act"), where, **form)
        (told,) = messages_of(client, tournament)
        assert told.endswith("."), told
    assert state_of(tournament) == before
    assert client.get(page("press", tournament)).status_code == 405


def test_a_private_tournaments_code_is_for_those_who_run_it(client: Client, owner: Player) -> None:
    """An auditor does not see it."""
    made = services.tournament_create(owner=owner, name="Behind doors", terms=LADDER, visibility="private")
    assert made.invite_code in client.get(page("change", made)).content.decode()
    auditor = browser_of(person("Avi", "auditor"))
    assert made.invite_code not in auditor.get(page("change", made)).content.decode()


def test_the_dashboard_has_figures_and_todays_tournaments(client: Client, tournament: Tournament) -> None:
    """One's own; games running are counted, and no clock is overdue."""
    pressed(client, tournament, "Start")
    services.tournament_advance(tournament_id=tournament.pk)
    context = client.get(reverse("admin:index")).context
    assert context["counts"] == {"lobby": 0, "playing": 1}
    assert [line["tournament"] for line in context["today"]] == [tournament]
    assert browser_of(person("Omer", "organiser")).get(reverse("admin:index")).context["today"] == []
    bare = browser_of(Player.objects.create_user("Sara", "a-long-password-1", is_staff=True))
    assert "today" not in bare.get(reverse("admin:index")).context
