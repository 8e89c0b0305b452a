"""Who is let in to a stream and by what, how many times, from which pages; and what the process says of itself."""

from __future__ import annotations

import json
import urllib.request
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings as django_settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from rest_framework.exceptions import NotAcceptable
from rest_framework.test import APIClient

from games.models import Visibility
from games.services import GameSettings
from games.streaming.asgi import Request
from games.streaming.door import require_accepts
from games.streaming.leases import STREAMS
from games.streaming.tickets import ticket_create
from games.streaming.valkey import client as valkey
from players.api import bad_tokens
from players.api.throttles import Limit
from players.models import Player, Session, Token
from players.services import player_create_guest, token_create
from players.sessions import SessionStore
from tests.builders import QUICK, Table, given_game
from tests.streaming.client import Client
from tests.streaming.given import follow, play
from tests.streaming.server import StreamServer, wait_for


def path(table: Table) -> str:
    return f"/api/v1/games/{table.game_id}/stream/"


def with_ticket(server: StreamServer, table: Table, ticket: str) -> Client:
    return Client(f"{server.url}/games/{table.game_id}/stream/?ticket={ticket}")


def test_a_ticket_opens_one_stream_once(streams: StreamServer) -> None:
    """Its own and no other; what is kept of it in Valkey opens none."""
    table, other = given_game(players=2), given_game(players=2)
    player = table.players[1]
    ticket = ticket_create(player_id=player.pk, subject=path(table))
    assert not [key for key in valkey().keys("ticket:*") if ticket in str(key)]
    with with_ticket(streams, table, ticket) as client:
        assert client.next().data["seat"] == 1
    assert with_ticket(streams, table, ticket).status == 401
    strange = ticket_create(player_id=player.pk, subject=path(other))
    assert with_ticket(streams, table, strange).status == 401
    assert with_ticket(streams, table, "taki_ticket_of_nobody").body()["code"] == "token_invalid"


def test_a_ticket_is_good_for_a_minute(streams: StreamServer) -> None:
    """Valkey forgets it then."""
    table = given_game(players=2)
    ticket_create(player_id=table.players[0].pk, subject=path(table))
    (key,) = [key for key in valkey().keys("ticket:*") if json.loads(valkey().get(key) or "")["subject"] == path(table)]
    assert 0 < valkey().ttl(key) <= 60


def test_a_stream_ends_with_the_token_by_which_its_ticket_was_got(streams: StreamServer) -> None:
    """Else a revoked token would see on through its last ticket."""
    table = given_game(players=2)
    token_create(player=table.players[0])
    token = Token.objects.filter(player=table.players[0]).latest("created_at")
    ticket = ticket_create(player_id=table.players[0].pk, subject=path(table), token_id=token.pk)
    with with_ticket(streams, table, ticket) as client:
        client.named("presence")
        token.delete()
        assert "event" not in {sent.event for sent in client.rest()}


def session_of(player: Player) -> str:
    """The key of a session in which the player is logged in, as Django keeps it."""
    session = SessionStore()
    session[SESSION_KEY] = str(player.pk)
    session[BACKEND_SESSION_KEY] = django_settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = player.get_session_auth_hash()
    session.save()
    return str(session.session_key)


def test_the_cookie_of_a_session_opens_a_stream_until_the_password_changes(streams: StreamServer) -> None:
    """As it opens the API; a session of nobody does not."""
    table = given_game(players=2)
    player = table.players[0]
    url = f"{streams.url}/games/{table.game_id}/stream/"
    with Client(url, Cookie=f"sessionid={session_of(player)}") as client:
        assert client.next().data["seat"] == 0
        client.named("presence")
        player.set_password("another")
        player.save()
        assert "event" not in {sent.event for sent in client.rest()}
    assert Client(url, Cookie="sessionid=nobodys").status == 401


def test_a_stream_ends_with_the_session_by_which_its_ticket_was_got(streams: StreamServer) -> None:
    """Whoever logs out sees nothing more, whatever tickets were got before; another log-in of the player goes on."""
    table = given_game(players=2)
    player, key = table.players[0], session_of(table.players[0])
    with_header = APIClient(headers={"X-Session-Token": key})
    ticket = with_header.post(f"/api/v1/games/{table.game_id}/stream-ticket/").json()["ticket"]
    assert not any(key in str(kept) for kept in valkey().mget(valkey().keys("ticket:*")))
    url = f"{streams.url}/games/{table.game_id}/stream/"
    with with_ticket(streams, table, ticket) as client, Client(url, X_Session_Token=session_of(player)) as other:
        client.named("presence"), other.named("presence")
        Session.objects.filter(session_key=key).delete()
        assert "event" not in {sent.event for sent in client.rest()}
        play(table, 1)
        assert other.version(table.game.version)


def test_the_session_token_of_an_app_opens_a_stream(streams: StreamServer) -> None:
    """As it opens the API; one that is none is refused as a bad token is."""
    table = given_game(players=2)
    url = f"{streams.url}/games/{table.game_id}/stream/"
    with Client(url, X_Session_Token=session_of(table.players[1])) as client:
        assert client.next().data["seat"] == 1
    assert Client(url, X_Session_Token="x" * 32).status == 401


def test_whoever_floods_with_bad_tokens_is_refused_without_a_look(
    streams: StreamServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on the API: 429 for the address; a token that was good here passes all the same, and so does a cookie."""
    table = given_game(players=2)
    url = f"{streams.url}/games/{table.game_id}/stream/"
    monkeypatch.setattr(bad_tokens, "BAD_TOKENS", Limit(f"bad_tokens_{table.game_id}", 3, 60, 3))
    monkeypatch.setattr(bad_tokens, "_refused_until", {})
    good = token_create(player=table.players[0])
    with Client(url, good) as client:
        client.next()
    told = [Client(url, "taki_" + letter * 43).status for letter in "abcdef"]
    assert told == [401, 401, 401, 429, 429, 429]
    assert Client(url, token_create(player=table.players[1])).status == 429
    for client in (Client(url, good), Client(url, Cookie=f"sessionid={session_of(table.players[1])}")):
        with client:
            assert client.status == 200


def test_staff_watch_a_private_table_as_spectators(streams: StreamServer) -> None:
    """They may know of it; its hands they see as little as anybody."""
    table = given_game(players=2, settings=GameSettings(seats=2, visibility=Visibility.PRIVATE, house_rules=QUICK))
    chief = Player.objects.create_user("Chief", None, is_staff=True)
    with follow(streams, table, chief) as client:
        view = client.next().data
    assert (view["seat"], view["hand"]) == (None, None)
    Player.objects.filter(pk=chief.pk).update(is_staff=False)
    assert follow(streams, table, chief).status == 404


def test_a_player_has_eight_streams_whatever_they_follow(streams: StreamServer) -> None:
    """The ninth is 429 with the limit's name and when to try again; a place that becomes free can be taken."""
    table = given_game(players=2)
    player = table.players[0]
    clients = [follow(streams, table, player) for _ in range(STREAMS)]
    assert {client.status for client in clients} == {200}
    refused = follow(streams, table, player)
    problem = refused.body()
    assert (refused.status, problem["code"], problem["limit"]) == (429, "too_many_requests", "streams")
    assert 1 <= problem["seconds"] == int(refused.response.headers["Retry-After"]) <= 30
    assert follow(streams, table, table.players[1]).status == 200
    clients[0].close()
    wait_for(lambda: valkey().zcard(f"streams:{player.pk}") < STREAMS)
    assert follow(streams, table, player).status == 200
    for client in clients:
        client.close()


def test_places_of_a_process_that_died_become_free_by_themselves(streams: StreamServer) -> None:
    """A place is held for seconds, and held on to while its process lives."""
    table = given_game(players=2)
    player = table.players[0]
    key = f"streams:{player.pk}"
    now = valkey().time()[0]
    valkey().zadd(key, {f"dead:{number}": now + (60 if number else -1) for number in range(STREAMS)})
    with follow(streams, table, player) as client:
        assert client.status == 200
        assert valkey().zcard(key) == STREAMS
        assert follow(streams, table, player).status == 429
        valkey().delete(key)
        streams.run(streams.process.leases.renew())
        assert valkey().zcard(key) == 1


@pytest.mark.parametrize("accept", ["text/html", "text/event-stream;q=0", "application/json"])
def test_who_wants_no_event_stream_gets_none(accept: str) -> None:
    """406; with any star, or without the header, it is what it is."""

    def asking(headers: list[tuple[bytes, bytes]]) -> Request:
        return Request({"method": "GET", "path": "/", "query_string": b"", "headers": headers})

    with pytest.raises(NotAcceptable):
        require_accepts(asking([(b"accept", accept.encode())]), "text/event-stream")
    for fine in ("*/*", "text/*", "text/event-stream", "text/html, text/event-stream;q=0.5"):
        require_accepts(asking([(b"accept", fine.encode())]), "text/event-stream")
    require_accepts(asking([]), "text/event-stream")


def send(server: StreamServer, method: str, where: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    parts = urlsplit(server.url)
    http = HTTPConnection(str(parts.hostname), int(parts.port or 0), timeout=10)
    http.request(method, where, headers={name.replace("_", "-"): value for name, value in headers.items()})
    answer = http.getresponse()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()


def test_only_get_is_taken(streams: StreamServer) -> None:
    """Anything else is 405 and says so; a path that is none is 404, both as problems."""
    table = given_game(players=2)
    status, headers, body = send(streams, "POST", path(table))
    assert (status, headers["allow"], json.loads(body)["code"]) == (405, "GET, OPTIONS", "method_not_allowed")
    status, headers, body = send(streams, "GET", "/api/v1/nothing/")
    assert (status, headers["content-type"], json.loads(body)["code"]) == (404, "application/problem+json", "not_found")


def test_pages_of_any_origin_may_read_but_cookies_go_to_named_ones_only(streams: StreamServer, settings: Any) -> None:
    """The same rule as the API's, also for errors and for the browser's question beforehand."""
    table = given_game(players=2)
    settings.CORS_ALLOW_ALL_ORIGINS, settings.CORS_ALLOWED_ORIGINS = True, ["https://play.example"]
    status, headers, _ = send(streams, "GET", path(table), Origin="https://other.example")
    assert (status, headers["access-control-allow-origin"]) == (401, "*")
    assert "access-control-allow-credentials" not in headers
    _, headers, _ = send(streams, "GET", path(table), Origin="https://play.example")
    assert headers["access-control-allow-origin"] == "https://play.example"
    assert headers["access-control-allow-credentials"] == "true"
    asked = {"Origin": "https://other.example", "Access_Control_Request_Method": "GET"}
    status, headers, _ = send(streams, "OPTIONS", path(table), **asked)
    assert (status, headers["access-control-allow-methods"]) == (204, "GET, OPTIONS")
    assert {"authorization", "last-event-id", "x-request-id"} <= set(
        headers["access-control-allow-headers"].split(", ")
    )
    settings.CORS_ALLOW_ALL_ORIGINS = False
    _, headers, _ = send(streams, "GET", path(table), Origin="https://other.example")
    assert "access-control-allow-origin" not in headers


def test_a_query_that_is_none_is_refused(streams: StreamServer) -> None:
    """422, whatever else."""
    table = given_game(players=2)
    for query in ("?after=x", "?after=-1", "?after=1&after=2", "?strange=1", "?ticket="):
        assert follow(streams, table, table.players[0], query=query).status == 422, query


def test_a_crowd_of_parameters_is_refused_as_well(streams: StreamServer) -> None:
    """With a problem of the client's, and without the time that comparing each with each would take."""
    table = given_game(players=2)
    for query in ("a=1" + "&a=1" * 200, "&".join(f"a{number}" for number in range(5_000))):
        with follow(streams, table, table.players[0], query=f"?{query}") as client:
            assert (client.status, client.body()["code"]) == (422, "invalid")


def test_the_process_says_how_it_is(streams: StreamServer) -> None:
    """`/healthz`, and figures of open streams, events sent and their lag."""
    table = given_game(players=2)
    root = streams.url.removesuffix("/api/v1")
    with follow(streams, table, player_create_guest()[0]) as client:
        client.named("presence")
        table.submit(table.state.turn, "leave")
        client.named("end")
        figures = urllib.request.urlopen(f"{root}/metrics").read().decode()  # noqa: S310  # our own address
    assert 'taki_streams_open{kind="game"}' in figures
    assert "taki_stream_lag_seconds_bucket" in figures
    assert json.load(urllib.request.urlopen(f"{root}/healthz")) == {"status": "ok"}  # noqa: S310
