"""Writing players and tokens."""

import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.crypto import salted_hmac

from players.errors import NameTaken
from players.models import Player, Scope, Token, player_scopes
from players.selectors import token_digest

TOKEN_PREFIX: Final = "taki_"  # noqa: S105  (so that a leaked token is known for what it is)
TOKEN_BYTES: Final = 32


def player_create_guest(*, name: str | None = None, key: UUID | None = None) -> tuple[Player, str]:
    """A guest and the text of a token for it, which is kept nowhere.

    Without a name the server finds one; with a key the text is that of `token_text`. BadName; NameTaken.
    """
    with transaction.atomic():
        player = _guest_named(name) if name is not None else _guest_numbered()
        text = token_text(player_id=player.pk, key=key) if key else None
        return player, token_create(player=player, text=text)


def token_create(*, player: Player, text: str | None = None, name: str = "", expires_at: datetime | None = None) -> str:
    """A token's text, by default a new one. Only its digest is stored."""
    text = text or TOKEN_PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
    Token.objects.create(
        player=player, digest=token_digest(text), name=name, scopes=_scopes(player), expires_at=expires_at
    )
    return text


def _scopes(player: Player) -> list[str]:
    """Who has an account may run tournaments."""
    return player_scopes() if player.guest else [*player_scopes(), Scope.ORGANISE.value]


def token_text(*, player_id: UUID, key: UUID) -> str:
    """The text of the token that a guest's creation under this idempotency key gave: known to who has the key.

    It can be told again without having been kept, because it hangs on the server's secret key.
    """
    secret = salted_hmac("players.services.token_text", f"{player_id}/{key}", algorithm="sha256").digest()
    return TOKEN_PREFIX + urlsafe_b64encode(secret).rstrip(b"=").decode()


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
