"""Erasing a player: every personal datum goes, the games stay, and their logs hold as before."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from allauth.account.models import EmailAddress
from django.contrib.admin.models import LogEntry
from django.contrib.auth.hashers import make_password
from django.contrib.contenttypes.models import ContentType
from django.db import OperationalError, connection, transaction

from players import hooks
from players.models import KeptAnswer, Mail, Player, Token
from players.names import DELETED

_TRIES: Final = 5
_AT_ONCE: Final = 2_000
_NOBODY: Final = {"name": DELETED, "guest": True, "is_active": False, "password": make_password(None)}


def player_erase(*, player_id: UUID) -> bool:
    """The player is gone: name, addresses, birth year, password, tokens, log-ins, answers that were kept for it.

    Its seats and entries stay without a player; running games go on without it. False when there was none any more.
    Twice at once erases once; a process that dies half-way leaves a player who can be erased. OperationalError when
    it sits down anew as often as it is led away.
    """
    for _ in range(_TRIES):
        player = Player.objects.filter(pk=player_id).first()
        if player is None:
            return False
        for hook in tuple(hooks.before_erase):
            hook(player)
        if _erase(player):
            hooks.tell_erased(player_id)
            return True
    raise OperationalError("a player that is being erased sits down again and again")  # 503: to be tried again


def _erase(player: Player) -> bool:
    """Whether nothing held the player any more; then it is erased."""
    with transaction.atomic():
        locked = Player.objects.select_for_update().filter(pk=player.pk).first()
        if locked is None:
            return True
        if any(held(locked) for held in hooks.holds):
            return False
        for hook in tuple(hooks.erasing):
            hook(locked)
        _forget_mails(locked)
        _forget_answers(locked)
        _forget_log(locked)
        locked.delete()
        return True


def _forget_mails(player: Player) -> None:
    known = {player.email, *EmailAddress.objects.filter(user_id=player.pk).values_list("email", flat=True)}
    Mail.objects.filter(to__in=[email for email in known if email]).delete()


def _forget_answers(player: Player) -> None:
    """The player's own answers go; in those of others, which they may ask for again, its name does."""
    KeptAnswer.objects.filter(caller=str(player.pk)).delete()
    told, untold = (f'"name":{json.dumps(name, ensure_ascii=False)}'.encode() for name in (player.name, DELETED))
    for kept in KeptAnswer.objects.filter(pk__in=list(_answers_about(player))).select_for_update():
        kept.body = bytes(kept.body).replace(told, untold)
        kept.save(update_fields=["body"])


def _answers_about(player: Player) -> Iterator[UUID]:
    """Kept answers that name the player, looked for in portions: a day's answers may be many."""
    time, last = datetime.min.replace(tzinfo=UTC), UUID(int=0)
    while True:
        with connection.cursor() as cursor:
            cursor.execute(_ANSWERS, [str(player.pk).encode(), time, last, _AT_ONCE])
            rows = cursor.fetchall()
        yield from (pk for pk, _, found in rows if found)
        if len(rows) < _AT_ONCE:
            return
        last, time, _ = rows[-1]


_ANSWERS: Final = """
    SELECT id, created_at, position(%s IN body) > 0 FROM players_keptanswer
    WHERE (created_at, id) > (%s, %s) ORDER BY created_at, id LIMIT %s
"""


def _forget_log(player: Player) -> None:
    """The admin's log goes on, without the name: of what was done to the player, and by it."""
    of = {Player: [str(player.pk)], Token: [str(pk) for pk in player.tokens.values_list("pk", flat=True)]}
    for model, ids in of.items():
        kind = ContentType.objects.get_for_model(model)
        LogEntry.objects.filter(content_type=kind, object_id__in=ids).update(object_repr=DELETED, change_message="")
    if LogEntry.objects.filter(user_id=player.pk).exists():
        LogEntry.objects.filter(user_id=player.pk).update(user=_nobody())


def _nobody() -> Player:
    """Who did what somebody did who was erased: a player that nobody can be, log in as, or be called like."""
    found, _ = Player.objects.get_or_create(key=DELETED, defaults=_NOBODY)
    return found
