"""Coming in without any form."""

import secrets
from collections.abc import Iterator
from uuid import UUID

from django.db import IntegrityError, transaction

from players.errors import NameTaken
from players.models import Player
from players.names import is_reserved
from players.services.tokens import token_create, token_text


def player_create_guest(*, name: str | None = None, key: UUID | None = None, bot: bool = False) -> tuple[Player, str]:
    """A guest and the text of a token for it, which is kept nowhere. ``bot``: it is a program.

    Without a name the server finds one; with a key the text is that of `token_text`. BadName; NameTaken.
    """
    with transaction.atomic():
        player = _guest_named(name, bot=bot) if name is not None else _guest_numbered(bot=bot)
        text = token_text(owner_id=player.pk, key=key) if key else None
        return player, token_create(player=player, text=text)


def _guest_named(name: str, *, bot: bool) -> Player:
    if is_reserved(name):
        raise NameTaken(name)
    try:
        with transaction.atomic():
            return Player.objects.create_user(name, guest=True, bot=bot)
    except IntegrityError as taken:
        raise NameTaken(name) from taken


def _guest_numbered(*, bot: bool) -> Player:
    for name in _numbered_names():
        try:
            return _guest_named(name, bot=bot)
        except NameTaken:
            continue
    raise NameTaken  # a hundred tries, the last among 10^12 names: not by chance


def _numbered_names() -> Iterator[str]:
    for attempt in range(100):
        digits = min(4 + attempt // 3, 12)
        yield f"Guest {10 ** (digits - 1) + secrets.randbelow(9 * 10 ** (digits - 1))}"
