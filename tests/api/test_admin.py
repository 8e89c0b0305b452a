"""The admin: games are looked at and never edited; a running game is seen as by a spectator; no seed, no digest."""

import re
from collections.abc import Callable

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from games.admin import PAGE
from games.models import Game, GameEvent, GameSecret, Seat
from players.models import KeptAnswer, Player, Token
from tests.api.http import Caller
from tests.api.tables import Table

pytestmark = pytest.mark.django_db


@pytest.fixture
def chief() -> Client:
    """A superuser's browser."""
    client = Client()
    client.force_login(Player.objects.create_superuser("Chief", "a-long-password-1"))
    return client


def log_page(client: Client, table: Table, query: str = "") -> str:
    answer = client.get(reverse("admin:games_game_log", args=[table.id]) + query)
    assert answer.status_code == 200
    return answer.content.decode()


def test_staff_log_in_by_name_without_regard_to_case() -> None:
    """With the password, and only staff."""
    Player.objects.create_superuser("Chief", "a-long-password-1")
    Player.objects.create_user("Dana", "a-long-password-2")
    address = reverse("admin:login")
    for name, password, expected in (
        ("CHIEF", "a-long-password-1", 302),
        ("Chief", "wrong", 200),
        ("Dana", "a-long-password-2", 200),
    ):
        assert Client().post(address, {"username": name, "password": password}).status_code == expected


def test_the_pages_of_a_game_show_its_seats_and_its_log(chief: Client, table: Table) -> None:
    """List, game and log open; the game page names who sits there."""
    assert chief.get(reverse("admin:games_game_changelist"), {"q": table.id}).status_code == 200
    page = chief.get(reverse("admin:games_game_change", args=[table.id])).content.decode()
    for caller in table.seats:
        assert caller.player["name"] in page
    assert reverse("admin:games_game_log", args=[table.id]) in page
    assert "CardsDealt" in log_page(chief, table)


def test_nothing_of_a_game_can_be_added_changed_or_deleted(chief: Client, table: Table) -> None:
    """Not by a superuser either: every way to write answers 403 and leaves all as it was."""
    before = table.state()
    change = reverse("admin:games_game_change", args=[table.id])
    assert chief.get(reverse("admin:games_game_add")).status_code == 403
    assert chief.post(reverse("admin:games_game_add"), {"name": "x"}).status_code == 403
    assert chief.post(change, {"name": "x", "phase": "finished"}).status_code == 403
    assert chief.post(reverse("admin:games_game_delete", args=[table.id]), {"post": "yes"}).status_code == 403
    action = {"action": "delete_selected", "_selected_action": [table.id], "post": "yes"}
    chief.post(reverse("admin:games_game_changelist"), action)
    assert table.state() == before
    assert not re.search(r"<input[^>]+name=\"(name|phase|turn|version)\"", chief.get(change).content.decode())


def test_the_log_of_a_running_game_shows_staff_what_a_spectator_sees(chief: Client, table: Table) -> None:
    """Not one hand, also when staff itself sits at the table."""
    Player.objects.filter(pk=table.host.player["id"]).update(is_staff=True, is_superuser=True)
    client = Client()
    client.force_login(Player.objects.get(pk=table.host.player["id"]))
    (deal,) = GameEvent.objects.filter(game_id=table.id, type="CardsDealt").values_list("data", flat=True)
    hands = [", ".join(f"&quot;{card}&quot;" for card in hand) for hand in deal["hands"]]
    for browser in (chief, client):
        page = log_page(browser, table)
        assert not [hand for hand in hands if hand in page]
        assert "what a spectator may know" in page


def test_the_log_of_a_finished_game_is_full_but_for_the_seed(chief: Client, table: Table) -> None:
    """Hands are shown; the seed is on no page of the admin, before or after."""
    seed = bytes(GameSecret.objects.get(game_id=table.id).server_seed).hex()
    pages = [log_page(chief, table), chief.get(reverse("admin:games_game_change", args=[table.id])).content.decode()]
    table.seats[0].post(table.path("leave/"))
    full = log_page(chief, table)
    (deal,) = GameEvent.objects.filter(game_id=table.id, type="CardsDealt").values_list("data", flat=True)
    assert ", ".join(f"&quot;{card}&quot;" for card in deal["hands"][1]) in full
    pages += [full, chief.get(reverse("admin:games_game_change", args=[table.id])).content.decode()]
    assert "SeedRevealed" in full
    assert not [page for page in pages if seed in page]


def test_the_log_is_paged(chief: Client, guest: Callable[[], Caller]) -> None:
    """A page has a hundred events, whatever the length; each event is on one page."""
    host, other = guest(), guest()
    game = host.post("games/", {"seats": 2, "house_rules": {"mode": "ladder"}}).json()
    table = Table(game["id"], host, [host, other])
    other.post(table.path("join/"))
    host.post(table.path("start/"))
    while table.events() <= PAGE + 20:
        mover, command = table.move()
        mover.post(table.path("commands/"), {"command": command})
    versions: list[int] = []
    for after in range(0, table.events(), PAGE):
        shown = re.findall(r"<tr><td>(\d+)</td>", log_page(chief, table, f"?after={after}"))
        assert len(shown) <= PAGE
        versions += map(int, shown)
    assert versions == list(range(1, table.events() + 1))
    for query in ("?after=x", "?after=-5", "?after=99999999", "?after=%00", "?after=" + "9" * 999):
        log_page(chief, table, query)


def test_a_log_needs_the_right_to_see_games(table: Table) -> None:
    """Staff without it get 403, strangers the log-in page, and an unknown game is 404."""
    address = reverse("admin:games_game_log", args=[table.id])
    staff = Player.objects.create_user("Helper", "a-long-password-3", is_staff=True)
    client = Client()
    assert client.get(address).status_code == 302
    client.force_login(staff)
    assert client.get(address).status_code == 403
    staff.user_permissions.add(Permission.objects.get(codename="view_game"))
    assert client.get(address).status_code == 200
    assert client.get(address.replace(table.id, str(staff.pk))).status_code == 404


def test_what_is_secret_or_has_a_composite_key_has_no_page() -> None:
    """Neither events nor seats nor seeds nor kept answers are registered."""
    registered = set(admin.site._registry)
    assert registered >= {Game, Player, Token}
    assert not registered & {GameEvent, Seat, GameSecret, KeptAnswer}


def test_tokens_are_revoked_here_but_never_shown_or_made(chief: Client, table: Table) -> None:
    """No digest on any page; deleting a token ends its use."""
    token = Token.objects.get(player_id=table.host.player["id"])
    change = reverse("admin:players_token_change", args=[token.pk])
    page = chief.get(change).content.decode() + chief.get(reverse("admin:players_token_changelist")).content.decode()
    assert bytes(token.digest).hex() not in page
    assert table.host.token not in page
    assert chief.get(reverse("admin:players_token_add")).status_code == 403
    assert chief.post(change, {"name": "x"}).status_code == 403
    assert chief.post(reverse("admin:players_token_delete", args=[token.pk]), {"post": "yes"}).status_code == 302
    assert table.host.get("players/me/").status_code == 401


def test_rights_are_handed_out_by_superusers_only(chief: Client) -> None:
    """Staff that may change players cannot make itself or others superuser, nor touch one."""
    helper = Player.objects.create_user("Helper", "a-long-password-3", is_staff=True)
    for code in ("view_player", "change_player"):
        helper.user_permissions.add(Permission.objects.get(codename=code))
    client = Client()
    client.force_login(helper)
    form = {"name": "Helper", "email": "", "is_active": "on", "is_staff": "on", "is_superuser": "on"}
    assert client.post(reverse("admin:players_player_change", args=[helper.pk]), form).status_code == 302
    helper.refresh_from_db()
    assert not helper.is_superuser
    boss = Player.objects.get(name="Chief")
    assert client.post(reverse("admin:players_player_change", args=[boss.pk]), {"name": "x y"}).status_code == 403
    assert chief.post(reverse("admin:players_player_change", args=[helper.pk]), form).status_code == 302
    assert Player.objects.get(pk=helper.pk).is_superuser
    assert chief.post(reverse("admin:players_player_delete", args=[helper.pk]), {"post": "yes"}).status_code == 403


def test_a_name_changed_in_the_admin_is_still_a_name(chief: Client) -> None:
    """The form refuses what no player could have taken, and a name that differs in case only."""
    dana = Player.objects.create_user("Dana")
    Player.objects.create_user("Dina")
    address = reverse("admin:players_player_change", args=[dana.pk])
    for name in ("x", "a  b", "a\u200bb", "DINA"):
        answer = chief.post(address, {"name": name, "is_active": "on"})
        assert answer.status_code == 200, name
        assert "errorlist" in answer.content.decode()
    dana.refresh_from_db()
    assert dana.name == "Dana"
