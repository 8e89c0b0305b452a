"""Tokens: made, used, revoked. Their texts are kept nowhere."""

import secrets
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils.crypto import salted_hmac

from players.errors import FieldRefused, PlayerNotFound, TokenNotFound, TooManyTokens
from players.models import Player, Scope, Token, today
from players.selectors import scopes_of, token_digest

TOKEN_PREFIX: Final = "taki_"  # noqa: S105  (so that a leaked token is known for what it is)
TOKEN_BYTES: Final = 32
MOST_TOKENS: Final = 50


def token_create(*, player: Player, text: str | None = None, name: str = "", expires_at: datetime | None = None) -> str:
    """A token's text, by default a new one, for whatever the player may do. Only its digest is stored."""
    text = text or _new_text()
    Token.objects.create(
        player=player, digest=token_digest(text), name=name, scopes=scopes_of(player), expires_at=expires_at
    )
    return text


def token_issue(
    *,
    player: Player,
    by: Token | None,
    name: str = "",
    scopes: Sequence[str] | None = None,
    expires_at: datetime | None = None,
    key: UUID | None = None,
) -> tuple[Token, str]:
    """A new token and its text. ``by``: the token that asks for it, None for whoever has logged in.

    It may do no more, and lasts no longer, than that. With a key the text is that of `token_text`.
    FieldRefused (scopes, expires_at), TooManyTokens.
    """
    given = _may_give(player, by)
    chosen = [scope for scope in Scope.values if scope in (given if scopes is None else scopes)]
    if set(scopes or ()) - set(given):
        raise FieldRefused("scopes", "scope_beyond", choices=", ".join(given))
    with transaction.atomic():
        _require_room(player)
        token = Token(player=player, name=name, scopes=chosen, expires_at=_expiry(expires_at, by))
        text = token_text(owner_id=token.pk, key=key) if key else _new_text()
        token.digest = token_digest(text)
        token.save(force_insert=True)
    return token, text


def _may_give(player: Player, by: Token | None) -> list[str]:
    """What a token made now may be allowed: what the player may do, and the asking token."""
    own = scopes_of(player)
    if by is None:
        return own
    # To play as a program is to play.
    held = {*by.scopes, *([Scope.BOT.value] if Scope.PLAY in by.scopes else ())}
    return [scope for scope in own if scope in held]


def _expiry(wanted: datetime | None, by: Token | None) -> datetime | None:
    last = by.expires_at if by else None
    if last is None or wanted is None:
        return wanted or last
    if wanted > last:
        raise FieldRefused("expires_at", "beyond_own_expiry", most=last.isoformat(timespec="seconds"))
    return wanted


def _require_room(player: Player) -> None:
    """TooManyTokens; tokens that ran out make room. Locks the player's row. PlayerNotFound."""
    if not Player.objects.select_for_update(no_key=True).filter(pk=player.pk).exists():
        raise PlayerNotFound
    Token.objects.filter(player_id=player.pk, expires_at__lte=datetime.now(UTC)).delete()
    if Token.objects.filter(player_id=player.pk).count() >= MOST_TOKENS:
        raise TooManyTokens(MOST_TOKENS)


def token_revoke(*, player_id: UUID, token_id: UUID) -> None:
    """From now on the token opens nothing. TokenNotFound."""
    if not Token.objects.filter(player_id=player_id, pk=token_id).delete()[0]:
        raise TokenNotFound(token_id)


def tokens_revoke(*, player_id: UUID) -> None:
    """All of a player's tokens and log-ins end: somebody else may have had them."""
    player = Player(pk=player_id)
    player.tokens.all().delete()
    player.sessions.all().delete()


def token_touch(token: Token) -> None:
    """Note the day of the token's last use: one UPDATE on its first use of a day, none on the others."""
    day = today()
    if token.last_used_on < day:
        Token.objects.filter(pk=token.pk, last_used_on__lt=day).update(last_used_on=day)


def token_text(*, owner_id: UUID, key: UUID) -> str:
    """The text of the token that was made under this idempotency key: known to who has the key.

    ``owner_id`` is the guest's that was made with it, or the token's own. It can be told again without having been
    kept, because it hangs on the server's secret key.
    """
    secret = salted_hmac("players.services.token_text", f"{owner_id}/{key}", algorithm="sha256").digest()
    return TOKEN_PREFIX + urlsafe_b64encode(secret).rstrip(b"=").decode()


def _new_text() -> str:
    return TOKEN_PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
