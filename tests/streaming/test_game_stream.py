"""A game's stream: the position first, then every event once and in order, for whoever looks."""

from __future__ import annotations

from games.selectors import events_load, seat_of
from players.models import Player
from players.services import player_create_guest, token_create
from tests.builders import Table, given_game, legal_texts
from tests.streaming.client import Client, Sent
from tests.streaming.server import StreamServer


def stream(server: StreamServer, table: Table, player: Player, *, last: int | None = None, query: str = "") -> Client:
    return Client(f"{server.url}/games/{table.game_id}/stream/{query}", token_create(player=player), last=last)


def play(table: Table, moves: int) -> None:
    for _ in range(moves):
        state = table.state
        seat = state.turn if state.plus3 is None else state.answer[0]
        if state.over:
            return
        table.submit(seat, "accept" if state.plus3 is not None else legal_texts(table)[0])


def told(table: Table, player: Player | None, after: int = 0) -> list[dict[str, object]]:
    """The list of events as the API has it for the player."""
    from games.api.answers import event_json

    seat = seat_of(game_id=table.game_id, player=player)
    return [event_json(seen) for seen in events_load(game_id=table.game_id, seat=seat, after=after, limit=1000)]


def events(sent: list[Sent]) -> list[object]:
    for each in sent:
        if each.event == "event":
            assert each.id == each.data["version"]
    return [each.data for each in sent if each.event == "event"]


def test_the_first_event_is_the_view_and_then_each_event_once(streams: StreamServer) -> None:
    """Two seats and a spectator each follow what the list of events tells them, from the view's version on."""
    table = given_game(players=2)
    spectator = player_create_guest()[0]
    people = [*table.players, spectator]
    clients = [stream(streams, table, player) for player in people]
    views = [client.next() for client in clients]
    assert [(view.event, view.id, view.data["seat"]) for view in views] == [
        ("view", table.game.version, seat) for seat in (0, 1, None)
    ]
    begun = table.game.version
    play(table, 6)
    for player, client in zip(people, clients, strict=True):
        seen = client.version(table.game.version)
        assert events(seen) == told(table, player, begun)
        client.close()
