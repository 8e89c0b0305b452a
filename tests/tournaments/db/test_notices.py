"""What a tournament tells its players by mail: the table that is ready, who goes on, who is out, who has won."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from allauth.account.models import EmailAddress
from django.conf import LazySettings
from django.core import mail

from games import services as games
from games.models import Game, GameNotice
from games.models import Seat as SeatRow
from games.notices.sending import Sent, notice_send
from games.rules.commands import LEAVE
from games.services import PlayerActor
from players.models import Player
from tests.tournaments.given import KNOCKOUT, Given, given_account, given_tournament
from tournaments import services
from tournaments.models import TournamentTable
from tournaments.notices import tournament_notices
from tournaments.tasks import tournament_advance

pytestmark = pytest.mark.django_db
PAIRS = replace(KNOCKOUT, table_size=2, go_on=1, capacity=4)


@pytest.fixture(autouse=True)
def mails_in_memory(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mails are kept where a test can look, and tasks run here."""
    settings.TAKI_MAIL_WAY = {"backend": "django.core.mail.backends.locmem.EmailBackend"}
    monkeypatch.setattr("tournaments.tasks.publish_once", lambda task, *arguments: task(*arguments))
    mail.outbox = []


def given_pairs(mails: int = 4) -> Given:
    """A knockout of two tables of two, begun; so many of its players want mails."""
    given = given_tournament(PAIRS, players=4, start=False)
    for player in given.players[:mails]:
        Player.objects.filter(pk=player.pk).update(notify_by_email=True)
        EmailAddress.objects.create(user=player, email=f"{player.name.split()[1]}@x.example", verified=True)
    given.act(services.tournament_start)
    tournament_advance(str(given.id))
    return given


def subjects() -> list[tuple[str, str]]:
    """To whom (a player's number) and about what, in order of players."""
    told = sorted((message.to[0].split("@")[0], message.subject.split(":")[0]) for message in mail.outbox)
    mail.outbox.clear()
    return told


def leave(game_id: UUID) -> tuple[Player, Player]:
    """The player on seat 0 leaves: the other one wins. The winner, and the loser."""
    loser, winner = (
        row.player for row in SeatRow.objects.filter(game_id=game_id).select_related("player").order_by("seat")
    )
    assert loser is not None
    assert winner is not None
    games.game_submit(game_id=game_id, actor=PlayerActor(loser.pk), commands=(LEAVE,), command_id=uuid4(), digest=b"")
    return winner, loser


def number(player: Player) -> str:
    return player.name.split()[1]


def running(given: Given) -> list[UUID]:
    rows = TournamentTable.objects.filter(tournament_id=given.id, settled=False).order_by("number")
    return list(rows.values_list("game_id", flat=True))


def test_players_are_told_of_their_table_of_going_on_of_being_out_and_of_winning() -> None:
    """Each once, however often the task runs."""
    given = given_pairs()
    assert subjects() == sorted((number(player), "[TAKI] Your table is ready") for player in given.players)
    tournament_advance(str(given.id))
    assert subjects() == []
    first, second = (leave(game) for game in running(given))
    tournament_advance(str(given.id))
    on, out = (first[0], second[0]), (first[1], second[1])
    expected = [(number(player), "[TAKI] You go on") for player in on]
    expected += [(number(player), "[TAKI] It is decided") for player in out]
    told = subjects()
    tournament_advance(str(given.id))
    told += subjects()
    assert sorted(told) == sorted([*expected, *((number(player), "[TAKI] Your table is ready") for player in on)])
    (final,) = running(given)
    winner, loser = leave(final)
    for _ in range(3):
        tournament_advance(str(given.id))
    assert subjects() == sorted([(number(winner), "[TAKI] You have won"), (number(loser), "[TAKI] It is decided")])


def test_only_who_asked_is_told() -> None:
    """A tournament of people of whom one wants mails writes one notice."""
    given = given_pairs(mails=1)
    assert subjects() == [(number(given.players[0]), "[TAKI] Your table is ready")]
    assert GameNotice.objects.count() == 1


def test_what_is_old_is_told_nobody() -> None:
    """Who asks for mails in the middle of a tournament hears of what comes, not of what was."""
    given = given_pairs(mails=0)
    Player.objects.filter(pk=given.players[0].pk).update(notify_by_email=True)
    later = datetime.now(UTC) + timedelta(hours=2)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("tournaments.notices.datetime", type("Later", (), {"now": staticmethod(lambda _zone: later)}))
        assert tournament_notices(tournament_id=given.id) == ()


def test_a_table_that_is_over_before_its_mail_leaves_is_not_told_of() -> None:
    """The notice is dropped."""
    given = given_pairs(mails=0)
    player = given_account(notify_by_email=True, email="one@x.example")
    EmailAddress.objects.create(user=player, email="one@x.example", verified=True)
    game = Game.objects.get(pk=running(given)[0])
    SeatRow.objects.filter(game=game, seat=0).update(player=player)
    notice = GameNotice.objects.create(game=game, player=player, kind="table")
    leave(game.pk)
    assert notice_send(notice_id=notice.pk) is Sent.DROPPED
    assert mail.outbox == []
