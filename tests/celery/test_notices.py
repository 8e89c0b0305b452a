"""Mails about games with a real broker and a real worker, in the application's role."""

from dataclasses import replace

from allauth.account.models import EmailAddress

from games.models import FirstPlayer, GameNotice
from games.notices.tasks import notice_send, notice_sweep
from games.services import GameSettings
from players.models import Player
from players.publishing import publish
from tests.builders import QUICK, given_game
from tests.celery.conftest import Celery, eventually
from tests.celery.test_worker import TimesShifted

SLOW = GameSettings(
    seats=2,
    name="Friday",
    house_rules=replace(QUICK, voluntary_draw=True),
    first_player=FirstPlayer.HOST,
    turn_seconds=None,
)


def test_a_sweep_after_a_move_in_a_slow_game_writes_to_whoever_is_next(celery: Celery) -> None:
    """And what does not hold any more is taken away, unsent."""
    with TimesShifted(600):
        table = given_game(players=2, settings=SLOW)
    player = table.players[1]
    Player.objects.filter(pk=player.pk).update(notify_by_email=True)
    EmailAddress.objects.create(user=player, email="dana@example.org", verified=True, primary=True)
    untrue = GameNotice.objects.create(game=table.game, player=player, kind="window", version=1)
    celery.start("worker")
    publish(notice_send, untrue.pk)
    eventually(lambda: not GameNotice.objects.exists(), "what does not hold was never taken away")
    table.submit(0, "draw")
    publish(notice_sweep)
    eventually(lambda: GameNotice.objects.filter(sent_at__isnull=False).exists(), "no notice was sent")
    eventually(lambda: "Your turn: Friday" in celery.log("worker"), "the mail was not printed")
    assert "To: dana@example.org" in celery.log("worker")
