"""Reading players and tokens."""

import re
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final

from django.db import connection

from players.models import Player, Token

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
