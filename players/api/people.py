"""What is told of players and tokens: plain dicts."""

from typing import Final

from django.conf import settings

from players.api.answers import address, instant
from players.models import Player, Token
from players.names import DELETED
from players.selectors import emails_of

Json = dict[str, object]
ME: Final = "/api/v1/players/me/"


def player_json(player: Player) -> Json:
    """A player as everybody may see it."""
    return {"id": str(player.pk), "name": player.name, "guest": player.guest, "bot": player.bot}


def seated_json(player: Player | None) -> Json:
    """A player by its name, where it sat or stood; None: it was erased."""
    return {"id": str(player.pk), "name": player.name} if player else {"id": None, "name": DELETED}


def profile_json(player: Player) -> Json:
    """A player, and since when."""
    return {**player_json(player), "created_at": instant(player.created_at)}


def me_json(player: Player) -> Json:
    """The player as it may see itself. One SELECT for an account, none for a guest."""
    primary = next(iter(emails_of(player)), None)
    return {
        **profile_json(player),
        "email": primary.email if primary else None,
        "email_verified": bool(primary and primary.verified),
        "birth_year": player.birth_year,
        "language": player.language or None,
        "notify_by_email": player.notify_by_email,
        "links": {
            "self": address(ME),
            "export": address(f"{ME}export/"),
            "stream": f"{settings.TAKI_STREAM_URL}{ME}stream/",
        },
    }


def token_json(token: Token, *, current: object) -> Json:
    """A token, without its text. ``current``: what the request came with."""
    return {
        "id": str(token.pk),
        "name": token.name or None,
        "scopes": token.scopes,
        "created_at": instant(token.created_at),
        "expires_at": instant(token.expires_at) if token.expires_at else None,
        "last_used_on": token.last_used_on.isoformat(),
        "current": isinstance(current, Token) and current.pk == token.pk,
    }
