"""Who may open the replay of a game."""

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from games import services
from games.models import Game, Visibility
from games.models import Seat as SeatRow
from players.models import Player
from tests.builders import Table, given_bots, given_game
from tests.pages.asking import PARTS, client_of, opened, text
from tests.pages.evenings import finished

pytestmark = pytest.mark.django_db


def staff_member() -> Player:
    return Player.objects.create_user("Referee", is_staff=True)


def test_anybody_replays_a_public_game_that_is_over(table: Table) -> None:
    """The page with a line for each event, who came where, and the chain's head; and each of its parts."""
    page = text(opened(table))
    game = table.game
    assert page.count('<li id="v=') == game.version
    for told in ("Friday night", "Noa", "יעל", game.commitment, bytes(game.head_hash).hex(), "Rank"):
        assert told in page
    assert {opened(table, part).status_code for part in PARTS} == {200}
    assert Client().post(reverse("replay-page", args=[table.game_id])).status_code == 405


def test_a_game_that_is_not_over_has_no_replay(db: None) -> None:
    """In the lobby, while it runs, and when it was ended before it began: 404, each part, staff included."""
    running = given_game(players=2)
    lobby = given_bots(("greedy", "greedy"), start=False)
    ended = given_bots(("greedy", "greedy"), start=False)
    services.game_abort(game_id=ended.game_id, actor=staff_member(), reason="rain")
    chief = Player.objects.create_superuser("Chief", "a-long-password-1")
    for one in (running, lobby, ended):
        for player in (None, chief, *one.players):
            assert {opened(one, part, player).status_code for part in PARTS} == {404}


def test_a_game_that_was_ended_for_good_is_replayed_with_a_word_about_it(db: None) -> None:
    """Up to where it came."""
    table = finished(("greedy", "greedy"), most=6)
    services.game_abort(game_id=table.game_id, actor=staff_member(), reason="rain")
    assert "ended by the staff, does not count" in text(opened(table))


def test_a_private_game_opens_to_those_who_sat_in_it(table: Table) -> None:
    """Also to who was replaced while it ran; not to who had gone before it began, nor to strangers or plain staff."""
    Game.objects.filter(pk=table.game_id).update(visibility=Visibility.PRIVATE, invite_code="ABCD2345")
    people = {name: Player.objects.create_user(name) for name in ("Stranger", "Replaced", "Gone early")}
    helper = Player.objects.create_user("Helper", is_staff=True)
    for name, first, until in (("Replaced", 1, 7), ("Gone early", 999, 0)):
        SeatRow.objects.create(
            game_id=table.game_id, seat=0, player=people[name], from_version=first, until_version=until
        )
    for part in PARTS:
        for player in (None, people["Stranger"], people["Gone early"], helper):
            assert opened(table, part, player).status_code == 404
        for player in (*table.players, people["Replaced"]):
            answer = opened(table, part, player)
            assert answer.status_code == 200
            assert "public" not in answer.headers["Cache-Control"]
            assert "private" in answer.headers["Cache-Control"]
    helper.user_permissions.add(Permission.objects.get(codename="view_game"))
    assert opened(table, player=Player.objects.get(pk=helper.pk)).status_code == 200


def test_the_admin_replays_any_game_that_is_over(table: Table) -> None:
    """Private ones too, for those who may see games; the way leads from the game's page."""
    Game.objects.filter(pk=table.game_id).update(visibility=Visibility.PRIVATE, invite_code="ABCD2345")
    chief = client_of(Player.objects.create_superuser("Chief", "a-long-password-1"))
    address = reverse("admin:games_game_replay_page", args=[table.game_id])
    assert address in text(chief.get(reverse("admin:games_game_change", args=[table.game_id])))
    page = chief.get(address)
    assert page.status_code == 200
    assert reverse("admin:games_game_replay_film", args=[table.game_id]) in text(page)
    for name in ("film", "moves", "log"):
        assert chief.get(reverse(f"admin:games_game_replay_{name}", args=[table.game_id])).status_code == 200
    helper = Player.objects.create_user("Helper", is_staff=True)
    assert client_of(helper).get(address).status_code == 403
    assert Client().get(address).status_code == 302
    running = given_game(players=2)
    assert chief.get(address.replace(str(table.game_id), str(running.game_id))).status_code == 404
