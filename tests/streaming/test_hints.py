"""Hints: what Django tells the stream processes once something is committed. Never at the cost of the act."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from games import hooks
from games.streaming import valkey
from games.streaming.hints import Hint, hints_publish
from games.streaming.sse import NOW, frame, stamped
from games.streaming.tickets import ticket_create
from players.services import player_create_guest
from tests.builders import given_game, given_lobby


@pytest.fixture
def heard() -> Iterator[Any]:
    """What has been published since it was last asked."""
    listening = valkey.client().pubsub(ignore_subscribe_messages=True)  # type: ignore[no-untyped-call]
    listening.psubscribe("game:*", "player:*")

    def messages() -> list[tuple[str, str]]:
        found, silent = [], 0
        while silent < 3:  # what is left out counts as silence, too
            message = listening.get_message(timeout=0.05)
            silent = 0 if message else silent + 1
            if message:
                found.append((message["channel"].decode(), message["data"].decode()))
        return found

    yield messages
    listening.close()


@pytest.mark.django_db(transaction=True)
def test_a_move_names_the_game_and_its_version(heard: Any) -> None:
    """And nothing else: what has happened is for the table to say, to whom may know it."""
    table = given_game(players=2)
    heard()
    table.submit(table.state.turn, "leave")
    assert heard() == [(f"game:{table.game_id}", str(table.game.version))]


@pytest.mark.django_db(transaction=True)
def test_a_change_in_the_lobby_names_the_game_and_the_players(heard: Any) -> None:
    """Also whoever is no longer there."""
    from games.services import game_leave

    table = given_lobby(players=2)
    heard()
    game_leave(game_id=table.game_id, player=table.players[1])
    assert sorted(heard()) == sorted(
        [(f"game:{table.game_id}", "l"), *((f"player:{player.pk}", "c") for player in table.players)]
    )


@pytest.mark.django_db(transaction=True)
def test_nothing_is_told_of_what_was_not_committed(heard: Any) -> None:
    """A hint goes out after the commit, or not at all."""
    from django.db import transaction

    with transaction.atomic():
        given_lobby(players=1)
        transaction.set_rollback(True)
    assert heard() == []


@pytest.fixture
def nobody_there(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A Valkey that does not answer; how often it was asked."""
    asked: list[int] = []

    def silent() -> None:
        asked.append(1)
        raise TimeoutError

    monkeypatch.setattr(valkey, "client", silent)
    monkeypatch.setattr(valkey, "connect", silent)
    monkeypatch.setattr(valkey, "_mouth", valkey._Mouth())
    monkeypatch.setattr(valkey._Outage, "until", 0.0)
    return asked


def test_a_valkey_that_is_away_is_asked_once_a_second_and_raises_nothing(nobody_there: list[int]) -> None:
    """The move is made; its maker must not wait for hints."""
    began = time.monotonic()
    assert [hints_publish(Hint("game:x", "1")) for _ in range(20)] == [False] * 20
    assert len(nobody_there) == 1 + int((time.monotonic() - began) / valkey.PAUSE_SECONDS)


def test_after_a_broken_connection_hints_are_heard_again(heard: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is written into a connection which has just died is lost; a later one makes a new connection."""
    monkeypatch.setattr(valkey._Outage, "until", 0.0)
    assert hints_publish(Hint("game:x", "1"))
    assert heard() == [("game:x", "1")]
    valkey.client().execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")  # type: ignore[no-untyped-call]
    told = []
    for number in range(2, 6):
        hints_publish(Hint("game:x", str(number)))
        monkeypatch.setattr(valkey._Outage, "until", 0.0)
        told += heard()
    assert told[-1] == ("game:x", "5")


def test_a_ticket_cannot_be_had_while_valkey_is_away(nobody_there: list[int]) -> None:
    """Which is a problem that passes."""
    with pytest.raises(valkey.ValkeyAway):
        ticket_create(player_id=uuid4(), subject="/")


@pytest.mark.django_db
def test_a_hook_that_fails_stops_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor the act that it is told of."""
    told: list[object] = []

    def fails(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(hooks, "after_lobby", [fails, lambda *args: told.append(args)])
    hooks.tell_lobby(uuid4(), (player_create_guest()[0].pk,))
    assert len(told) == 1


def test_an_event_is_written_as_the_standard_has_it() -> None:
    """One line each for name, id and data, an empty one at the end; no text can break out of its line."""
    assert frame("event", {"a": 1}, version=7) == b'event: event\nid: 7\ndata: {"a":1}\n\n'
    assert frame("presence", ["x\n\ndata: y"]) == b'event: presence\ndata: ["x\\n\\ndata: y"]\n\n'


def test_the_time_is_that_of_the_sending() -> None:
    """However long ago the rest was written."""
    written = frame("clock", {"now": NOW})
    assert b'"now":"20' in stamped(written)
    assert stamped(b"data: 1\n\n") == b"data: 1\n\n"
