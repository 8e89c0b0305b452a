"""Who follows what, for the tests of streams."""

from __future__ import annotations

from typing import Any

from games.rules.cards import Seat
from games.selectors import events_load, seat_of
from players.models import Player
from players.services import token_create
from tests.builders import Table, legal_texts
from tests.streaming.client import Client, Sent
from tests.streaming.server import StreamServer


def follow(
    server: StreamServer, table: Table, player: Player, *, last: int | None = None, query: str = "", **headers: str
) -> Client:
    """The player's stream of the game."""
    url = f"{server.url}/games/{table.game_id}/stream/{query}"
    return Client(url, token_create(player=player), last=last, **headers)


def play(table: Table, moves: int) -> None:
    """So many moves, or to the end."""
    for _ in range(moves):
        state = table.state
        if state.over:
            return
        if state.plus3 is not None:
            table.submit(state.answer[0], "accept")
        else:
            table.submit(state.turn, legal_texts(table)[0])


def listed(table: Table, player: Player | None, after: int = 0) -> list[dict[str, Any]]:
    """The list of events as the API has it for the player."""
    from games.api.answers import event_json

    seat: Seat | None = seat_of(game_id=table.game_id, player=player)
    return [event_json(seen) for seen in events_load(game_id=table.game_id, seat=seat, after=after, limit=1000)]


def events(sent: list[Sent]) -> list[dict[str, Any]]:
    """What the events say; each has its version as its id."""
    for each in sent:
        assert each.event != "event" or each.id == each.data["version"]
    return [each.data for each in sent if each.event == "event"]
