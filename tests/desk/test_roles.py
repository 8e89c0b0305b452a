"""Who may do what at the desk, as one table: role × act."""

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Player
from tests.desk.people import LADDER, browser_of, page, person, pressed, state_of, tournament_of
from tournaments.models import Tournament
from tournaments.rules import Phase

pytestmark = pytest.mark.django_db

ROLES = ("superuser", "organiser", "other organiser", "referee", "auditor", "staff", "player")
# For each act, who may: in the order of the roles above. The tournament is the organiser's.
TABLE = {
    "open the desk": "yes yes no yes yes no no",
    "see the list of tournaments": "yes yes yes yes yes no no",
    "see the tournament in it": "yes yes no yes yes no no",
    "create": "yes yes yes no no no no",
    "start": "yes yes no yes no no no",
    "register": "yes yes no yes no no no",
    "import": "yes yes no yes no no no",
    "disqualify": "yes yes no yes no no no",
    "change the terms": "yes yes no yes no no no",
    "cancel": "yes yes no yes no no no",
    "export": "yes yes no yes yes no no",
    "look at a game's log": "yes yes yes yes yes no no",
    "change a player": "yes no no no no no no",
}


@pytest.fixture
def people() -> dict[str, Player]:
    """One of each role."""
    return {
        "superuser": person("Chief", superuser=True),
        "organiser": person("Orna", "organiser"),
        "other organiser": person("Omer", "organiser"),
        "referee": person("Ruth", "referee"),
        "auditor": person("Avi", "auditor"),
        "staff": Player.objects.create_user("Sara", "a-long-password-1", is_staff=True),
        "player": person("Pnina"),
    }


@pytest.mark.parametrize("act", TABLE)
@pytest.mark.parametrize("role", ROLES)
def test_a_role_may_do_this_and_no_more(people: dict[str, Player], role: str, act: str) -> None:
    """What the table says; who may not do it has changed nothing."""
    tournament = tournament_of(people["organiser"], players=("Noa", "Dana"))
    before = state_of(tournament), Tournament.objects.count()
    done = _done(browser_of(people[role]), act, tournament, people["player"])
    expected = TABLE[act].split()[ROLES.index(role)] == "yes"
    assert done == expected
    if not expected:
        assert (state_of(tournament), Tournament.objects.count()) == before


def _done(client: Client, act: str, tournament: Tournament, player: Player) -> bool:  # noqa: C901  # one case an act
    match act:
        case "open the desk":
            return client.get(page("change", tournament)).status_code == 200
        case "see the list of tournaments":
            return client.get(reverse("admin:tournaments_tournament_changelist")).status_code == 200
        case "see the tournament in it":
            answer = client.get(reverse("admin:tournaments_tournament_changelist"))
            return answer.status_code == 200 and tournament.name.encode() in answer.content.replace(b"&#x27;", b"'")
        case "create":
            form = {"name": "Another", "visibility": "public", "format": "ladder", "table_kind": "ladder"}
            form |= {"capacity": "4", "table_size": "4", "go_on": "1", "seeding": "random", "no_shows": "leave_out"}
            client.post(reverse("admin:tournaments_tournament_add"), {**form, "when_away": "bot"})
            return Tournament.objects.filter(name="Another").exists()
        case "start":
            pressed(client, tournament, "Start")
            return state_of(tournament).phase is Phase.RUNNING
        case "register":
            pressed(client, tournament, "", "register", names="Pnina", bots="1")
            return len(state_of(tournament).entries) == 4
        case "import":
            from django.core.files.uploadedfile import SimpleUploadedFile

            client.post(page("import", tournament), {"file": SimpleUploadedFile("a.csv", b"name\nPnina\n")})
            return len(state_of(tournament).entries) == 3
        case "disqualify":
            pressed(client, tournament, "Disqualify", "entries", entry="1")
            return state_of(tournament).entries[0].status.value == "disqualified"
        case "change the terms":
            form = {"format": "ladder", "table_kind": "ladder", "capacity": "4", "table_size": "4", "go_on": "1"}
            form |= {"seeding": "random", "no_shows": "leave_out"}  # no waiting list any more
            client.post(page("terms", tournament), form)
            return state_of(tournament).terms != LADDER
        case "cancel":
            pressed(client, tournament, "Cancel")
            return state_of(tournament).phase is Phase.CANCELLED
        case "export":
            return client.get(page("export", tournament, "results", "csv")).status_code == 200
        case "look at a game's log":
            return client.get(reverse("admin:games_game_changelist")).status_code == 200
        case _:
            address = reverse("admin:players_player_change", args=[player.pk])
            return client.post(address, {"name": "Renamed", "is_active": "on"}).status_code == 302 and (
                Player.objects.filter(name="Renamed").exists()
            )


def test_who_may_only_look_sees_no_button(people: dict[str, Player]) -> None:
    """An auditor's desk has no form that changes anything, but the log-out."""
    tournament = tournament_of(people["organiser"], players=("Noa", "Dana"))
    content = browser_of(people["auditor"]).get(page("change", tournament)).content.decode()
    assert page("press", tournament) not in content
    assert page("register", tournament) not in content
    assert 'type="checkbox" name="entry"' not in content


def test_the_roles_are_there_after_every_migration() -> None:
    """Run again, the arrangement adds nothing, and takes nothing away that a superuser gave."""
    from django.apps import apps
    from django.contrib.auth.models import Group, Permission

    from tournaments.admin.staff import ROLES as ARRANGED
    from tournaments.admin.staff import arrange_roles

    given = Permission.objects.get(codename="view_token")
    Group.objects.get(name="referee").permissions.add(given)
    before = {group.name: set(group.permissions.all()) for group in Group.objects.all()}
    arrange_roles(sender=apps.get_app_config("tournaments"))
    assert {group.name: set(group.permissions.all()) for group in Group.objects.all()} == before
    assert set(ARRANGED) <= set(before)
    assert given in before["referee"]
