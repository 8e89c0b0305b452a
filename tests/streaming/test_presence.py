"""Who is connected: told to the others, counted across processes, healed after a crash."""

from __future__ import annotations

from uuid import uuid4

from games.models import FirstPlayer
from games.rules.cards import Seat
from games.services import GameSettings
from games.streaming.presence import (
    LEASE_MS,
    connected_of,
    connected_seats,
    now_ms,
    presence_key,
    presence_read,
    presence_written,
)
from games.streaming.valkey import client as valkey
from players.services import player_create_guest
from tests.builders import QUICK, given_game
from tests.streaming.client import Sent
from tests.streaming.given import follow
from tests.streaming.server import StreamServer, wait_for


def seat_told(sent: Sent, seat: int) -> dict[str, object]:
    """What a `presence` says of a seat; nothing for anything else."""
    told = sent.data["seats"] if sent.event == "presence" else []
    return next((entry for entry in told if entry["seat"] == seat), {})


def test_who_comes_and_goes_is_told_to_the_others(streams: StreamServer) -> None:
    """With since when, with how many watch, and with the deadline of an absent player whose turn it is."""
    table = given_game(players=2, settings=GameSettings(seats=2, house_rules=QUICK, first_player=FirstPlayer.HOST))
    watcher = follow(streams, table, player_create_guest()[0])
    watcher.until(lambda sent: sent.event == "presence" and sent.data["spectators"] == 1)
    player = follow(streams, table, table.players[0])
    came = watcher.until(lambda sent: seat_told(sent, 0).get("connected") is True)[-1]
    assert seat_told(came, 0)["since"] is not None
    assert seat_told(came, 0)["deadline"] is None
    assert connected_seats(game_id=table.game_id) == {0}
    again = follow(streams, table, table.players[0])  # the same seat twice
    again.named("presence")
    player.close()
    again.close()
    gone = watcher.until(lambda sent: seat_told(sent, 0).get("connected") is False)[-1]
    assert table.game.deadline is not None
    assert seat_told(gone, 0)["deadline"] is not None
    assert str(seat_told(gone, 0)["since"]) >= str(seat_told(came, 0)["since"])
    assert connected_of([table.game_id]) == {table.game_id: frozenset()}
    watcher.close()


def test_a_seat_that_comes_back_at_once_was_never_gone(streams: StreamServer) -> None:
    """A page that is reloaded, a phone in a tunnel: the others hear nothing of it."""
    table = given_game(players=2)
    with follow(streams, table, table.players[1]) as watcher:
        first = follow(streams, table, table.players[0])
        watcher.until(lambda sent: seat_told(sent, 0).get("connected") is True)
        first.close()
        with follow(streams, table, table.players[0]) as second:
            second.named("presence")
            table.submit(table.state.turn, "leave")
            watcher.named("end")
        told = [seat_told(sent, 0)["connected"] for sent in watcher.seen if seat_told(sent, 0)]
        assert told in ([True], [False, True])  # it may have been absent at first


def test_two_processes_tell_of_each_others_seats(streams: StreamServer, deaf_streams: StreamServer) -> None:
    """Each keeps a field of its own; what nobody keeps any more counts no longer."""
    table = given_game(players=2)
    with follow(streams, table, table.players[0]) as here, follow(deaf_streams, table, table.players[1]) as there:
        there.named("presence")
        streams.call(streams.process.presence.refresh)
        here.until(lambda sent: seat_told(sent, 1).get("connected") is True)
        wait_for(lambda: connected_seats(game_id=table.game_id) == {0, 1})


def test_a_crashed_process_is_forgotten() -> None:
    """Its field says until when it counts; from then on its seats are gone, since about when it died."""
    game_id, now = uuid4(), now_ms()
    dead = presence_written(until=now - 1, spectators=4, seats={Seat(1): now - 90_000})
    live = presence_written(until=now + LEASE_MS, spectators=2, seats={Seat(0): now - 5})
    valkey().hset(presence_key(game_id), mapping={"dead": dead, "live": live})
    assert connected_seats(game_id=game_id) == {0}
    seen = presence_read({b"dead": dead.encode(), b"live": live.encode()}, now)
    assert (seen.since, seen.gone, seen.spectators) == ({0: now - 5}, {1: now - 1 - LEASE_MS}, 2)


def test_presence_tells_nothing_of_who_has_answered(streams: StreamServer) -> None:
    """In a window no seat has a deadline of its own, whether it has answered or not."""
    from datetime import UTC, datetime

    from games.fold import begin
    from games.models import Game, Phase
    from games.streaming.presence import NOBODY
    from games.streaming.present import presences

    table = given_game(players=3, settings=GameSettings(seats=3, house_rules=QUICK))
    row = Game.objects.prefetch_related("seating").get(pk=table.game_id)
    row.turn, row.deadline, row.phase = 0, datetime.now(UTC), Phase.PLAYING
    state = table.state._replace(turn=Seat(0))
    open_turn = presences(row, begin(b"", b"")._replace(state=state._replace(plus3=None)), NOBODY)
    assert [entry.deadline is not None for entry in open_turn.entries] == [True, False, False]
    told = {
        presences(row, begin(b"", b"")._replace(state=state._replace(plus3=Seat(0), answer=answer)), NOBODY)
        for answer in ((), (Seat(1),), (Seat(1), Seat(2)))
    }
    assert [entry.deadline for entry in told.pop().entries] == [None, None, None]
    assert not told
