"""Tickets for streams: whose, for what, and for how long."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch
from uuid import UUID, uuid4

import pytest

from games.streaming.tickets import Ticket, ticket_key, ticket_read
from games.streaming.valkey import ValkeyAway, ask
from players.models import Token
from tests.api.http import Caller, problem, wrong_fields
from tests.api.tables import Table

Come = Callable[[], Caller]
pytestmark = pytest.mark.django_db


def kept(ticket: str) -> tuple[Ticket, int]:
    """What Valkey holds of a ticket, and for how many seconds."""
    held: Any = ask(lambda valkey: valkey.get(ticket_key(ticket)))
    seconds: Any = ask(lambda valkey: valkey.ttl(ticket_key(ticket)))
    return ticket_read(held), seconds


def test_a_ticket_opens_one_games_stream_for_its_player(table: Table, guest: Come) -> None:
    """It is the caller's, for a minute; a spectator of a public game gets one, too; each request a new one."""
    for caller in (table.host, guest()):
        made = caller.post(table.path("stream-ticket/"), {})
        assert made.status_code == 201
        body = made.json()
        assert body["url"] == f"{table.host.get(table.path()).json()['links']['stream']}?ticket={body['ticket']}"
        ticket, seconds = kept(body["ticket"])
        token = Token.objects.get(player_id=caller.player["id"])
        assert ticket == Ticket(UUID(caller.player["id"]), f"/api/v1/games/{table.id}/stream/", token.pk)
        assert 50 < seconds <= 60
        assert datetime.fromisoformat(body["expires_at"]) <= datetime.now(UTC) + timedelta(seconds=60)
        assert made.headers["Cache-Control"] == "private, no-store"
    key = str(uuid4())
    tickets = {table.host.post(table.path("stream-ticket/"), {}, idempotency_key=key).json()["ticket"] for _ in "ab"}
    assert len(tickets) == 2


def test_a_ticket_for_ones_own_stream(guest: Come) -> None:
    """Its address is told with it."""
    caller = guest()
    body = caller.post("players/me/stream-ticket/").json()
    assert kept(body["ticket"])[0].subject == "/api/v1/players/me/stream/"
    assert body["url"] == f"{caller.get('players/me/').json()['links']['stream']}?ticket={body['ticket']}"
    assert body["url"].startswith("http://127.0.0.1:8001/api/v1/players/me/stream/?ticket=")


def test_there_is_no_ticket_for_what_one_may_not_see(table: Table, guest: Come, nobody: Caller) -> None:
    """401, 404, 422; and 503 when there is nowhere to keep it."""
    private = guest().post("games/", {"visibility": "private"}).json()["id"]
    for path in (f"games/{private}/stream-ticket/", f"games/{uuid4()}/stream-ticket/"):
        assert problem(table.host.post(path)) == (404, "not_found")
    for path in (table.path("stream-ticket/"), "players/me/stream-ticket/"):
        assert problem(nobody.post(path)) == (401, "not_authenticated")
        assert wrong_fields(table.host.post(path, {"seconds": 600})) == {"seconds": "unknown"}
    with patch("games.streaming.tickets.ask", side_effect=ValkeyAway):
        away = table.host.post(table.path("stream-ticket/"))
    assert problem(away) == (503, "unavailable")
    assert away.headers["Retry-After"]


def test_a_token_that_may_only_read_gets_a_ticket(table: Table) -> None:
    """Following a game is reading; a token without `read` gets none."""
    token = Token.objects.get(player_id=table.host.player["id"])
    for scopes, status in ((["read"], 201), (["play"], 403)):
        Token.objects.filter(pk=token.pk).update(scopes=scopes)
        assert table.host.post(table.path("stream-ticket/")).status_code == status
