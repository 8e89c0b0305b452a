"""Reading players and tokens."""

import re
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final

from players.models import Player, Token

_TOKEN: Final = re.compile(r"taki_[A-Za-z0-9_-]{43}")


def token_digest(text: str) -> bytes:
    """What is stored in a token's stead. Its 256 random bits need no slow hash."""
    return sha256(text.encode()).digest()


def token_load(text: str) -> Token | None:
    """The token of this text with its player, in one SELECT; None when it is unknown, expired or blocked."""
    if not _TOKEN.fullmatch(text):
        return None
    token = Token.objects.select_related("player").filter(digest=token_digest(text)).first()
    if token is None or not token.player.is_active:
        return None
    if token.expires_at is not None and token.expires_at <= datetime.now(UTC):
        return None
    return token


def token_authenticate(text: str) -> Player | None:
    """The player whose valid token this is, in one SELECT."""
    token = token_load(text)
    return token.player if token else None
