"""A look at hidden hands: only with the right, a reason, and no seat; noted for good before anything is shown."""

from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from games import store
from games.errors import GameNotFound, WrongPhase
from games.models import AuditEntry, AuditKind
from games.models import Seat as SeatRow
from games.services.looking import hands_look
from players.models import Player
from tests.builders import Table, given_bots, given_game, given_lobby
from tests.desk.people import browser_of, person
from tests.tournaments.given import given_tournament
from tournaments.errors import BadSettings
from tournaments.services import entry_replace

pytestmark = pytest.mark.django_db(transaction=True)
REASON = "a player says that seat 1 sees its cards"


def looks() -> list[AuditEntry]:
    return list(AuditEntry.objects.filter(kind=AuditKind.LOOKED))


def page(table: Table) -> str:
    return reverse("admin:games_game_hands", args=[table.game_id])


def hand_of(table: Table, seat: int) -> str:
    return " ".join(card.code for card in table.state.hands[seat])


def test_a_referee_looks_and_the_log_has_it_with_the_reason() -> None:
    """The form first, without a card; then every hand, and neither pile nor seed."""
    table, referee = given_game(), person("Ruth", "referee")
    browser = browser_of(referee)
    form = browser.get(page(table))
    assert form.status_code == 200
    assert hand_of(table, 0) not in form.content.decode()
    assert looks() == []
    shown = browser.post(page(table), {"reason": REASON})
    content = shown.content.decode()
    assert all(hand_of(table, seat) in content for seat in (0, 1))
    assert " ".join(card.code for card in table.state.draw[:3]) not in content
    assert table.server_seed.hex() not in content
    assert "no-store" in shown.headers["Cache-Control"]
    (entry,) = looks()
    assert (entry.player, entry.game_id, entry.reason) == (referee, table.game_id, REASON)
    assert (entry.version, entry.expires_at) == (table.game.version, None)


@pytest.mark.parametrize("reason", ["", "   ", "because", "x" * 501])
def test_without_a_real_reason_nothing_is_shown(reason: str) -> None:
    """The form again, with what is missing."""
    table = given_game()
    answer = browser_of(person("Ruth", "referee")).post(page(table), {"reason": reason})
    assert "Give a reason of 10 to 500 characters." in answer.content.decode()
    assert hand_of(table, 0) not in answer.content.decode()
    assert looks() == []


def test_only_staff_with_the_right_may_look() -> None:
    """An organiser, staff without it, a player, and nobody at all may not; a superuser and an auditor may."""
    table = given_game()
    for who in (person("Orna", "organiser"), person("Pnina"), Player.objects.create_user("Sam", is_staff=True)):
        assert browser_of(who).post(page(table), {"reason": REASON}).status_code in (302, 403)
        with pytest.raises(PermissionDenied):
            hands_look(game_id=table.game_id, actor=who, reason=REASON)
    assert Client().post(page(table), {"reason": REASON}).status_code == 302
    assert looks() == []
    for who in (person("Chief", superuser=True), person("Avi", "auditor")):
        assert browser_of(who).post(page(table), {"reason": REASON}).status_code == 200
    assert len(looks()) == 2


def test_whoever_sits_or_ever_sat_in_the_game_may_not_look() -> None:
    """Also after another took the seat over."""
    from games.rules.cards import Seat
    from games.services import seat_replace

    table, chief = given_bots(("random", "random")), person("Chief", superuser=True)
    seat_replace(game_id=table.game_id, seat=Seat(0), player=chief)
    assert browser_of(chief).post(page(table), {"reason": REASON}).status_code == 403
    if table.game.version > 4:
        table.bot_moves(1)
    seat_replace(game_id=table.game_id, seat=Seat(1), bot="greedy")
    with pytest.raises(PermissionDenied):
        hands_look(game_id=table.game_id, actor=chief, reason=REASON)
    assert looks() == []


def test_the_hands_are_read_only_when_the_entry_is_committed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another connection sees it by then; and inside a transaction, which could take it back, nobody looks."""
    table, chief = given_game(), person("Chief", superuser=True)
    load, seen = store.load, []

    def loading(**which: object) -> object:
        import psycopg

        with psycopg.connect(**connection.get_connection_params()) as other:
            row = other.execute("SELECT count(*) FROM games_auditentry WHERE kind = 'looked'").fetchone()
        seen.append(row)
        return load(**which)  # type: ignore[arg-type]

    monkeypatch.setattr(store, "load", loading)
    assert len(hands_look(game_id=table.game_id, actor=chief, reason=REASON).hands) == 2
    assert seen == [(1,)]
    with pytest.raises(RuntimeError), transaction.atomic():
        hands_look(game_id=table.game_id, actor=chief, reason=REASON)
    assert (len(seen), len(looks())) == (1, 1)


def test_there_are_hidden_hands_only_while_a_game_runs() -> None:
    """In the lobby nobody has any, and afterwards the replay shows them to everybody."""
    chief, lobby, over = person("Chief", superuser=True), given_lobby(), given_game()
    over.submit(0, "leave")
    for table, code in ((lobby, "not_started"), (over, "finished")):
        with pytest.raises(WrongPhase) as refused:
            hands_look(game_id=table.game_id, actor=chief, reason=REASON)
        assert refused.value.code == code
        assert browser_of(chief).post(page(table), {"reason": REASON}).status_code == 200
    with pytest.raises(GameNotFound):
        hands_look(game_id=uuid4(), actor=chief, reason=REASON)
    assert looks() == []


def test_the_players_are_told_afterwards_that_somebody_looked() -> None:
    """When, not who; and not while they play."""
    table, chief = given_game(), person("Chief", superuser=True)
    hands_look(game_id=table.game_id, actor=chief, reason=REASON)
    viewer = Client()
    token = viewer.post("/api/v1/players/guest/", {}, content_type="application/json").json()["token"]
    address, asked = f"/api/v1/games/{table.game_id}/audit/", {"authorization": f"Bearer {token}"}
    assert viewer.get(address, headers=asked).json()["looks"] is None
    table.submit(0, "leave")
    told = viewer.get(address, headers=asked)
    assert len(told.json()["looks"]) == 1
    assert "Chief" not in told.content.decode()


def test_whoever_has_looked_is_not_seated_there_afterwards() -> None:
    """A tournament's desk may put anybody into an entry, but not its referee who has seen the cards, before the end."""
    given = given_tournament(players=4)
    (game,) = given.games()
    referee, other = person("Ruth", "referee"), person("Uri", "referee")
    hands_look(game_id=game.pk, actor=referee, reason=REASON)
    with pytest.raises(BadSettings) as refused:
        given.act(entry_replace, entry=1, player=referee)
    assert (refused.value.field, refused.value.code) == ("player", "not_a_choice")
    given.act(entry_replace, entry=1, player=other)
    given.advance()
    assert SeatRow.objects.filter(game=game, player=other, until_version=None).exists()
    with pytest.raises(PermissionDenied):
        hands_look(game_id=game.pk, actor=other, reason=REASON)
