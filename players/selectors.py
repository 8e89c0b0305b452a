"""Reading players and tokens."""

import re
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final
from uuid import UUID

from allauth.account.models import EmailAddress
from django.db import connection

from players.errors import PlayerNotFound, TokenNotFound
from players.models import Player, Scope, Token, player_scopes
from players.names import BadName, name_key, name_normal

_TOKEN_FIELDS: Final = [field.attname for field in Token._meta.concrete_fields if field.name != "digest"]
_PLAYER_FIELDS: Final = [field.attname for field in Player._meta.concrete_fields]
_WITH_PLAYER: Final = (
    "SELECT "  # noqa: S608  (our own column names)
    + ", ".join([f"t.{name}" for name in _TOKEN_FIELDS] + [f"p.{name}" for name in _PLAYER_FIELDS])
    + " FROM players_token t JOIN players_player p ON p.id = t.player_id WHERE t.digest = %s"
)
_TOKEN: Final = re.compile(r"taki_[A-Za-z0-9_-]{43}")


def token_digest(text: str) -> bytes:
    """What is stored in a token's stead. Its 256 random bits need no slow hash."""
    return sha256(text.encode()).digest()


def token_load(text: str) -> Token | None:
    """The token of this text with its player, in one SELECT; None when it is unknown, expired or blocked."""
    if not _TOKEN.fullmatch(text):
        return None
    token = _token_with_player(token_digest(text))
    if token is None or not token.player.is_active:
        return None
    if token.expires_at is not None and token.expires_at <= datetime.now(UTC):
        return None
    return token


def _token_with_player(digest: bytes) -> Token | None:
    """What `select_related` would give; its SQL is written once, as each request pays for it (tests/bench)."""
    with connection.cursor() as cursor:
        cursor.execute(_WITH_PLAYER, [digest])
        row = cursor.fetchone()
    if row is None:
        return None
    token = Token.from_db(connection.alias, _TOKEN_FIELDS, row[: len(_TOKEN_FIELDS)])
    token.player = Player.from_db(connection.alias, _PLAYER_FIELDS, row[len(_TOKEN_FIELDS) :])
    return token


def token_authenticate(text: str) -> Player | None:
    """The player whose valid token this is, in one SELECT."""
    token = token_load(text)
    return token.player if token else None


def scopes_of(player: Player) -> list[str]:
    """Whatever a token of this player may be allowed: programs play as such, accounts may run tournaments."""
    bot = [Scope.BOT.value] if player.bot else []
    return [*player_scopes(), *bot, *([] if player.guest else [Scope.ORGANISE.value])]


def tokens_of(player: Player) -> list[Token]:
    """The player's tokens, newest first; without their digests."""
    return list(Token.objects.filter(player_id=player.pk).defer("digest").order_by("-id"))


def token_get(*, player: Player, token_id: UUID) -> Token:
    """One of them. TokenNotFound."""
    found = Token.objects.filter(player_id=player.pk, pk=token_id).defer("digest").first()
    if found is None:
        raise TokenNotFound(token_id)
    return found


def player_named(name: str) -> Player:
    """The player of this name, in any case and normal form. PlayerNotFound: nobody, or somebody who was blocked."""
    try:
        found = Player.objects.filter(key=name_key(name_normal(name)), is_active=True).first()
    except BadName:
        found = None
    if found is None:
        raise PlayerNotFound(name)
    return found


def emails_of(player: Player) -> list[EmailAddress]:
    """The account's address, and the one that it is changing to, if any. A guest has none."""
    return [] if player.guest else list(EmailAddress.objects.filter(user_id=player.pk).order_by("-primary", "pk"))


def mail_address(player: Player) -> str | None:
    """Where the player may be written to: its verified address."""
    found = EmailAddress.objects.filter(user_id=player.pk, verified=True).order_by("-primary", "pk").first()
    return found.email if found else None
