"""Whose stream it is: by bearer token, ticket, session token or the session's cookie. The same people as the API's."""

import re
from collections.abc import Iterable
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.utils.crypto import constant_time_compare
from redis.asyncio import Redis
from redis.exceptions import RedisError
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated

from games.streaming.asgi import Request
from games.streaming.reading import Reader
from games.streaming.tickets import Ticket, session_digest, ticket_key, ticket_read
from games.streaming.valkey import ValkeyAway
from players.api.errors import ScopeMissing
from players.models import Player, Scope
from players.selectors import token_digest
from players.sessions import SessionStore

SESSION_HEADER: Final = "x-session-token"
CHALLENGE: Final = 'Bearer realm="taki"'


class Credential(NamedTuple):
    """By what somebody was let in, and with what the stream ends: a token, a session's digest, or the player alone."""

    player_id: UUID
    token_id: UUID | None = None
    session: str = ""


class Caller:
    """Who follows. ``player`` has what decides what they may see; it is renewed while the stream lasts."""

    __slots__ = ("credential", "player")

    def __init__(self, player: Player, credential: Credential) -> None:
        self.player = player
        self.credential = credential

    @property
    def player_id(self) -> UUID:
        """The player's id."""
        return self.credential.player_id

    def renewed(self, player: Player | None) -> "Caller":
        """The same caller with its player as it is now. AuthenticationFailed without one: it may no longer look."""
        if player is None:
            raise _no_good(AuthenticationFailed())
        return Caller(player, self.credential)


async def caller_of(request: Request, reader: Reader, valkey: Redis) -> Caller:
    """Who asks. NotAuthenticated; AuthenticationFailed for a token or ticket that is no good; ScopeMissing."""
    header = request.headers.get("authorization", "")
    text = request.parameter("ticket")
    if header:
        return await _by_token(header, reader)
    if text is not None:
        return await _by_ticket(text, request.path, reader, valkey)
    key = request.headers.get(SESSION_HEADER, "")
    found = await _by_session(key or request.cookie(settings.SESSION_COOKIE_NAME), reader)
    if found is None:
        raise _no_good(AuthenticationFailed() if key else NotAuthenticated())
    return found


def secret_of(request: Request) -> str:
    """What somebody comes with that may be one of ours; empty without it. (A cookie is sent by itself.)"""
    token = request.headers.get("authorization", "").partition(" ")[2].strip()
    return token or request.parameter("ticket") or request.headers.get(SESSION_HEADER, "")


async def _by_token(header: str, reader: Reader) -> Caller:
    scheme, _, text = header.partition(" ")
    if scheme.lower() != "bearer" or not _TOKEN.fullmatch(text.strip()):
        raise _no_good(AuthenticationFailed())
    found = await reader.rows(_BY_TOKEN, (token_digest(text.strip()),))
    if not found:
        raise _no_good(AuthenticationFailed())
    token_id, scopes, *columns = found[0]
    if Scope.READ not in scopes:
        raise ScopeMissing
    player = _player(columns)
    return Caller(player, Credential(player.pk, token_id=token_id))


async def _by_ticket(text: str, path: str, reader: Reader, valkey: Redis) -> Caller:
    ticket = await _taken(text, valkey)
    if ticket is None or ticket.subject != path:
        raise _no_good(AuthenticationFailed())
    credential = Credential(ticket.player_id, token_id=ticket.token_id, session=ticket.session)
    players = await players_valid([credential], reader)
    if credential not in players:
        raise _no_good(AuthenticationFailed())
    return Caller(players[credential], credential)


async def _taken(text: str, valkey: Redis) -> Ticket | None:
    """The ticket, which is no more from now on. ValkeyAway."""
    try:
        kept = await valkey.getdel(ticket_key(text[:200]))
    except (RedisError, OSError) as away:
        raise ValkeyAway from away
    return ticket_read(kept) if isinstance(kept, bytes) else None


async def _by_session(key: str, reader: Reader) -> Caller | None:
    if not _SESSION_KEY.fullmatch(key):
        return None
    found = await reader.rows(_SESSION, (key,))
    try:
        player_id = UUID(SessionStore().decode(found[0][0])[SESSION_KEY])
    except (IndexError, KeyError, ValueError):
        return None
    credential = Credential(player_id, session=session_digest(key))
    players = await players_valid([credential], reader)
    return Caller(players[credential], credential) if credential in players else None


async def players_valid(credentials: Iterable[Credential], reader: Reader) -> dict[Credential, Player]:
    """Those of the credentials that still let in, each with its player as it is now; three statements for them all."""
    asked = set(credentials)
    if not asked:
        return {}
    rows = await reader.rows(f"{_PLAYERS} WHERE id = ANY(%s) AND is_active", ([each.player_id for each in asked],))
    players = {player.pk: player for player in map(_player, rows)}
    tokens, sessions = await _tokens_alive(asked, reader), await _sessions(asked, reader)

    def lasts(credential: Credential) -> bool:
        if credential.token_id is not None:
            return credential.token_id in tokens
        return not credential.session or _logged_in(players[credential.player_id], sessions.get(credential.session, {}))

    return {each: players[each.player_id] for each in asked if each.player_id in players and lasts(each)}


async def _tokens_alive(credentials: Iterable[Credential], reader: Reader) -> set[UUID]:
    wanted = [each.token_id for each in credentials if each.token_id is not None]
    return {row[0] for row in await reader.rows(_ALIVE, (wanted,))} if wanted else set()


async def _sessions(credentials: Iterable[Credential], reader: Reader) -> dict[str, dict[str, Any]]:
    """What is in the sessions of these players, by digest: a session's key is known to its owner alone."""
    wanted = {each.session: each.player_id for each in credentials if each.session}
    rows = await reader.rows(_SESSIONS, ([*wanted.values()],)) if wanted else []
    known = ((session_digest(key), data) for key, data in rows)
    return {digest: SessionStore().decode(data) for digest, data in known if digest in wanted}


def _logged_in(player: Player, session: dict[str, Any]) -> bool:
    """As `django.contrib.auth.get_user` has it: a changed password ends every session."""
    kept = str(session.get(HASH_SESSION_KEY, ""))
    hashes = (player.get_session_auth_hash(), *player.get_session_auth_fallback_hash())
    same = session.get(SESSION_KEY) == str(player.pk)
    return same and bool(kept) and any(constant_time_compare(kept, each) for each in hashes)


def _player(row: Iterable[Any]) -> Player:
    return Player.from_db("default", _PLAYER_COLUMNS, list(row))


def _no_good(error: NotAuthenticated | AuthenticationFailed) -> Exception:
    error.auth_header = CHALLENGE  # type: ignore[union-attr]  # as DRF sets it
    return error


_SESSION_KEY: Final = re.compile(r"[a-z0-9]{32}")
_TOKEN: Final = re.compile(r"taki_[A-Za-z0-9_-]{43}")
_NEEDED: Final = {"id", "name", "password", "guest", "bot", "is_active", "is_staff", "is_superuser"}
# `from_db` takes the values in the order of the model's fields, whatever order they are named in.
_PLAYER_COLUMNS: Final = [field.attname for field in Player._meta.concrete_fields if field.attname in _NEEDED]
_COLUMNS: Final = ", ".join(f"player.{name}" for name in _PLAYER_COLUMNS)
_PLAYERS: Final = f"SELECT {_COLUMNS} FROM players_player player"  # noqa: S608  # our own column names
_BY_TOKEN: Final = f"""
    SELECT token.id, token.scopes, {_COLUMNS} FROM players_token token
    JOIN players_player player ON player.id = token.player_id
    WHERE token.digest = %s AND player.is_active AND (token.expires_at IS NULL OR token.expires_at > now())
"""  # noqa: S608  # our own column names
_ALIVE: Final = "SELECT id FROM players_token WHERE id = ANY(%s) AND (expires_at IS NULL OR expires_at > now())"
_SESSION: Final = "SELECT session_data FROM players_session WHERE session_key = %s AND expire_date > now()"
_SESSIONS: Final = (
    "SELECT session_key, session_data FROM players_session WHERE player_id = ANY(%s) AND expire_date > now()"
)
