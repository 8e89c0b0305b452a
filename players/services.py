"""Writing players and tokens."""

import secrets
from collections.abc import Iterator
from datetime import datetime
from typing import Final

from django.db import IntegrityError, transaction

from players.errors import NameTaken
from players.models import Player, Token, player_scopes
from players.selectors import token_digest

TOKEN_PREFIX: Final = "taki_"  # noqa: S105  (so that a leaked token is known for what it is)


def player_create_guest(*, name: str | None = None) -> tuple[Player, str]:
    """A guest and the text of a token for it, which is kept nowhere.

    Without a name the server finds one. BadName; NameTaken.
    """
    with transaction.atomic():
        player = _guest_named(name) if name is not None else _guest_numbered()
        return player, token_create(player=player)


def token_create(*, player: Player, name: str = "", expires_at: datetime | None = None) -> str:
    """A new token's text. Only its digest is stored."""
    text = TOKEN_PREFIX + secrets.token_urlsafe(32)
    Token.objects.create(
        player=player, digest=token_digest(text), name=name, scopes=player_scopes(), expires_at=expires_at
    )
    return text


def _guest_named(name: str) -> Player:
    try:
        with transaction.atomic():
            return Player.objects.create_user(name, guest=True)
    except IntegrityError as taken:
        raise NameTaken(name) from taken


def _guest_numbered() -> Player:
    for name in _numbered_names():
        try:
            return _guest_named(name)
        except NameTaken:
            continue
    raise NameTaken  # a hundred tries, the last among 10^12 names: not by chance


def _numbered_names() -> Iterator[str]:
    for attempt in range(100):
        digits = min(4 + attempt // 3, 12)
        yield f"Guest {10 ** (digits - 1) + secrets.randbelow(9 * 10 ** (digits - 1))}"
