"""Mails about slow games and tournaments: to whom, when, once, and what a mail server that is away costs."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from smtplib import SMTPDataError, SMTPServerDisconnected
from typing import Any
from unittest.mock import patch
from uuid import UUID, uuid4

import pytest
from allauth.account.models import EmailAddress
from django.conf import LazySettings
from django.core import mail
from django.db import connection
from django.test import Client

from games import hooks, services
from games.models import FirstPlayer, GameNotice
from games.notices import sending, waiting
from games.notices.sending import Sent, notice_send, turns_notice
from games.notices.tasks import notice_sweep
from games.notices.writing import stop_address
from games.rules.cards import Card, Seat
from games.rules.commands import TIMEOUT
from games.services import GameSettings, SystemActor
from games.streaming import presence
from games.streaming.valkey import ask
from players.models import Player
from tests.builders import QUICK, Table, given_game, seed_where

pytestmark = pytest.mark.django_db(transaction=True)
DRAWING = replace(QUICK, voluntary_draw=True)
SLOW = GameSettings(seats=2, name="Friday", house_rules=DRAWING, first_player=FirstPlayer.HOST, turn_seconds=86_400)
LOCMEM = {"backend": "django.core.mail.backends.locmem.EmailBackend"}


@pytest.fixture(autouse=True)
def mails_in_memory(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mails are kept where a test can look; nobody counts as having just moved; no task leaves this process.

    The sweep comes right after each move.
    """
    settings.TAKI_MAIL_WAY = LOCMEM
    monkeypatch.setattr(waiting, "QUIET_SECONDS", 0)
    monkeypatch.setattr("games.notices.tasks.publish", lambda task, *arguments: task(*arguments))
    monkeypatch.setattr(hooks, "after_append", [*hooks.after_append, lambda appended: notice_sweep()])
    mail.outbox = []


def wants_mails(player: Player, *, verified: bool = True, **fields: Any) -> Player:
    """The player has an account, an address, and asked for mails."""
    Player.objects.filter(pk=player.pk).update(guest=False, notify_by_email=True, **fields)
    EmailAddress.objects.create(user=player, email=f"{player.pk}@example.org", verified=verified, primary=True)
    return player


def given_slow(**changes: Any) -> Table:
    """A slow game of two; the second player wants mails, and is not on turn."""
    table = given_game(players=2, settings=SLOW)
    wants_mails(table.players[1], **changes)
    return table


def pass_turn(table: Table) -> None:
    """Whoever is on turn draws, and the other one is."""
    table.submit(table.state.turn, "draw")


def mailed() -> list[str]:
    return [message.to[0] for message in mail.outbox]


def follows(table: Table, seat: int) -> None:
    """A stream process has the seat connected."""
    now = presence.now_ms()
    field = presence.presence_written(until=now + 30_000, spectators=0, seats={Seat(seat): now})
    ask(lambda valkey: valkey.hset(presence.presence_key(table.game_id), "a process", field))


def test_whoever_is_on_turn_in_a_slow_game_is_told_once() -> None:
    """With the game's name, its deadline, a link to it, and the way to stop further mails."""
    table = given_slow()
    pass_turn(table)
    assert mailed() == [f"{table.players[1].pk}@example.org"]
    (message,) = mail.outbox
    assert message.subject == "[TAKI] Your turn: Friday"
    assert f"/games/{table.game_id}/" in message.body
    assert "until" in message.body
    stop = stop_address(table.players[1].pk)
    assert stop in message.body
    assert message.extra_headers["List-Unsubscribe"] == f"<{stop}>"
    assert message.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    for _ in range(2):
        notice_sweep()
    assert len(mail.outbox) == 1


def test_the_next_notice_comes_after_a_move_of_ones_own() -> None:
    """A turn that the clock ends is no move: at most one notice is unread."""
    table = given_slow()
    pass_turn(table)
    services.game_submit(
        game_id=table.game_id, actor=SystemActor("clock"), commands=(TIMEOUT,), command_id=uuid4(), digest=b""
    )
    pass_turn(table)
    assert table.state.turn == 1
    assert len(mail.outbox) == 1
    pass_turn(table)
    pass_turn(table)
    assert len(mail.outbox) == 2


@pytest.mark.parametrize(
    "change",
    [{"notify_by_email": False}, {"is_active": False}, {"bot": True, "notify_by_email": False}],
)
def test_who_did_not_ask_is_not_told(change: dict[str, Any]) -> None:
    """Nor who was blocked."""
    table = given_slow()
    Player.objects.filter(pk=table.players[1].pk).update(**change)
    pass_turn(table)
    assert mail.outbox == []
    assert not GameNotice.objects.exists()


def test_an_address_that_was_not_verified_gets_nothing() -> None:
    """It may be a stranger's."""
    table = given_slow(verified=False)
    pass_turn(table)
    assert mail.outbox == []


def test_a_quick_game_sends_no_mails(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor a task: its players sit there."""
    table = given_game(players=2, settings=replace(SLOW, turn_seconds=3_599))
    wants_mails(table.players[1])
    told: list[object] = []
    monkeypatch.setattr("games.notices.tasks.publish", lambda *task: told.append(task))
    pass_turn(table)
    notice_sweep()
    assert (told, mail.outbox) == ([], [])


def test_who_follows_the_game_or_has_just_moved_is_not_told_until_it_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sweep tells a player that has gone without moving."""
    table = given_slow()
    follows(table, 1)
    pass_turn(table)
    notice_sweep()
    assert mail.outbox == []
    ask(lambda valkey: valkey.delete(presence.presence_key(table.game_id)))
    monkeypatch.setattr(waiting, "QUIET_SECONDS", 120)
    notice_sweep()
    assert mail.outbox == []  # the game has only just begun
    monkeypatch.setattr(waiting, "QUIET_SECONDS", 0)
    notice_sweep()
    assert len(mail.outbox) == 1


def test_a_notice_that_no_longer_holds_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """The player moved, left, follows the game or wants no mails any more, between writing and sending."""
    table = given_slow()
    monkeypatch.setattr(hooks, "after_append", [])
    pass_turn(table)
    (notice,) = turns_notice(game_id=table.game_id)
    pass_turn(table)
    assert notice_send(notice_id=notice) is Sent.DROPPED
    pass_turn(table)
    (notice,) = turns_notice(game_id=table.game_id)
    follows(table, 1)
    assert notice_send(notice_id=notice) is Sent.DROPPED
    ask(lambda valkey: valkey.delete(presence.presence_key(table.game_id)))
    (notice,) = turns_notice(game_id=table.game_id)
    Player.objects.filter(pk=table.players[1].pk).update(notify_by_email=False)
    assert notice_send(notice_id=notice) is Sent.DROPPED
    assert (mail.outbox, GameNotice.objects.count()) == ([], 0)


def test_two_who_send_the_same_notice_at_once_send_it_once() -> None:
    """As two workers with the same task do; and two who write it at once write one."""
    table = given_slow()
    with patch.object(hooks, "after_append", []):
        pass_turn(table)

    def once(_: int) -> object:
        try:
            found = turns_notice(game_id=table.game_id)
            return [notice_send(notice_id=notice) for notice in found]
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(once, range(4)))
    assert (len(mail.outbox), GameNotice.objects.count()) == (1, 1)


class _Away:
    """A mail server that does not answer, or answers like this."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __call__(self, **_: object) -> "_Away":
        return self

    def send_messages(self, messages: object) -> int:
        raise self.error


def test_a_mail_server_that_is_away_costs_no_move_and_no_notice() -> None:
    """It is tried again by the sweep, a few at a time, and given up after a day."""
    table = given_slow()
    with patch.object(sending, "get_connection", _Away(SMTPServerDisconnected("gone"))):
        pass_turn(table)
        notice_sweep()
    (notice,) = GameNotice.objects.all()
    assert (notice.sent_at, table.state.turn) == (None, 1)
    GameNotice.objects.update(created_at=datetime.now(UTC) - timedelta(minutes=2))
    notice_sweep()
    assert len(mail.outbox) == 1
    GameNotice.objects.update(sent_at=None, created_at=datetime.now(UTC) - timedelta(hours=25))
    with patch.object(sending, "get_connection", _Away(SMTPServerDisconnected("gone"))):
        sending.notices_send_overdue()
    assert not GameNotice.objects.exists()


def test_a_mailbox_that_is_refused_for_good_is_not_tried_again() -> None:
    """It would be refused again."""
    table = given_slow()
    with patch.object(sending, "get_connection", _Away(SMTPDataError(550, b"no such user"))):
        pass_turn(table)
    assert not GameNotice.objects.filter(sent_at=None).exists()


def test_a_move_does_not_hang_on_notices() -> None:
    """Whatever fails in telling, the move is made and its maker hears so."""
    table = given_slow()
    with patch("games.notices.tasks.publish", side_effect=RuntimeError("broken")):
        pass_turn(table)
    assert table.state.turn == 1


def test_an_open_window_asks_those_who_have_long_to_answer() -> None:
    """And not who laid the +3; whoever has answered is not asked again."""
    seed = seed_where(lambda state: Card.parse("+3") in state.hands[0], seats=3, rules=QUICK)
    long = GameSettings(
        seats=3, house_rules=QUICK, first_player=FirstPlayer.HOST, turn_seconds=None, reaction_seconds=86_400
    )
    table = given_game(players=3, settings=long, server_seed=seed)
    for player in table.players:
        wants_mails(player)
    with patch.object(hooks, "after_append", []):
        table.submit(0, "play +3")
        table.submit(1, "accept")
    notice_sweep()
    assert mailed() == [f"{table.players[2].pk}@example.org"]
    assert mail.outbox[0].subject == "[TAKI] A +3 awaits your answer: a game of TAKI"


def test_mails_are_in_the_players_language() -> None:
    """Hebrew, whoever moved."""
    table = given_slow(language="he")
    pass_turn(table)
    assert mail.outbox[0].subject == "[TAKI] התור שלכם: Friday"


def test_the_link_in_a_mail_stops_mails_when_it_is_confirmed(client: Client) -> None:
    """Looking changes nothing, as scanners follow links; the button and a mail program's POST do; twice is once."""
    table = given_slow()
    player = table.players[1]
    path = "/" + stop_address(player.pk).split("/", 3)[3]
    page = client.get(path, headers={"accept-language": "he"})
    assert (page.status_code, b'dir="rtl"' in page.content, b"<form" in page.content) == (200, True, True)
    assert "form-action 'self'" in page.headers["Content-Security-Policy"]
    assert Player.objects.get(pk=player.pk).notify_by_email
    for _ in range(2):
        stopped = client.post(path, {"List-Unsubscribe": "One-Click"})
        assert stopped.status_code == 200
    assert not Player.objects.get(pk=player.pk).notify_by_email
    pass_turn(table)
    assert mail.outbox == []


def test_another_address_stops_nobodys_mails(client: Client) -> None:
    """A changed signature, another's id, or one that is gone."""
    table = given_slow()
    own = "/" + stop_address(table.players[1].pk).split("/", 3)[3]
    for path in (own[:-3] + "xx/", own.replace(str(table.players[1].pk), str(table.players[0].pk)), "/mails/stop/x/"):
        assert client.post(path).status_code == 404
    assert client.post("/" + stop_address(UUID(int=7)).split("/", 3)[3]).status_code == 200
    assert Player.objects.get(pk=table.players[1].pk).notify_by_email


def test_a_game_that_is_over_waits_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sweep finds nobody to be told."""
    table = given_slow()
    monkeypatch.setattr(hooks, "after_append", [])
    pass_turn(table)
    table.submit(1, "leave")
    assert turns_notice() == ()
    assert not GameNotice.objects.exists()
