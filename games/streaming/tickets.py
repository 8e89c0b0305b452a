"""Tickets: how a client opens a stream that cannot send a header. Single use, a minute, for one address.

Only a ticket's hash is stored, so whoever reads Valkey opens no stream.
"""

import json
import secrets
from hashlib import sha256
from typing import Final, NamedTuple
from uuid import UUID

from games.streaming.valkey import ask

TICKET_SECONDS: Final = 60
_PREFIX: Final = "taki_ticket_"


class Ticket(NamedTuple):
    """Whose ticket, for which path; by which token, or session's digest, it was got: with that its stream ends."""

    player_id: UUID
    subject: str
    token_id: UUID | None
    session: str = ""


def ticket_create(*, player_id: UUID, subject: str, token_id: UUID | None = None, session_key: str = "") -> str:
    """A ticket's text, good for `TICKET_SECONDS`; ``subject`` is the path of the stream. ValkeyAway."""
    text = _PREFIX + secrets.token_urlsafe(32)
    session = session_digest(session_key) if session_key else ""
    token = str(token_id) if token_id else ""
    kept = {"player": str(player_id), "subject": subject, "token": token, "session": session}
    ask(lambda valkey: valkey.set(ticket_key(text), json.dumps(kept), ex=TICKET_SECONDS))
    return text


def ticket_key(text: str) -> str:
    """Under which key a ticket is kept; GETDEL takes it, so that two who come with it do not both get in."""
    return f"ticket:{sha256(text.encode()).hexdigest()}"


def ticket_read(kept: bytes) -> Ticket:
    """The ticket that was kept."""
    found = json.loads(kept)
    token = found["token"]
    return Ticket(UUID(found["player"]), found["subject"], UUID(token) if token else None, found.get("session", ""))


def session_digest(key: str) -> str:
    """What a session is known by outside of its table, so that nobody can log in with it."""
    return sha256(key.encode()).hexdigest()
