"""A player's own stream: everything that concerns it at once, and then each change."""

from __future__ import annotations

from games.models import Visibility
from games.rules.cards import Seat
from games.services import GameSettings, game_create, game_join, game_kick, game_rematch, game_start
from players.models import Player
from players.services import player_create_guest, token_create
from tests.builders import QUICK, given_game, given_lobby
from tests.streaming.client import Client
from tests.streaming.given import play
from tests.streaming.server import StreamServer


def own(server: StreamServer, player: Player) -> Client:
    return Client(f"{server.url}/players/me/stream/", token_create(player=player))


def test_every_connect_begins_with_the_whole_state(streams: StreamServer) -> None:
    """All games in which the player sits, in the lobby or running, each with whose turn it is."""
    table = given_game(players=2)
    lobby = game_create(host=table.players[0], settings=GameSettings(seats=3))
    for player, seat, games in (
        (table.players[0], 0, {table.game_id, lobby.pk}),
        (table.players[1], 1, {table.game_id}),
    ):
        with own(streams, player) as client:
            state = client.next()
        assert (state.event, state.id) == ("state", None)
        assert {game["id"] for game in state.data["games"]} == {str(game_id) for game_id in games}
        (running,) = [game for game in state.data["games"] if game["phase"] == "playing"]
        assert (running["seat"], running["your_turn"]) == (seat, table.game.turn == seat)


def test_each_turn_is_told_to_whose_it_is(streams: StreamServer) -> None:
    """To nobody else."""
    table = given_game(players=2)
    clients = [own(streams, player) for player in table.players]
    for client in clients:
        client.next()
    before = table.game.turn
    while table.game.turn == before and not table.state.over:
        play(table, 1)
    assert before is not None
    told = clients[1 - before].named("turn")
    assert (told.data["id"], told.data["turn"], told.data["your_turn"]) == (str(table.game_id), 1 - before, True)
    assert all(sent.event != "turn" for sent in clients[before].seen)
    for client in clients:
        client.close()


def test_seats_starts_ends_and_invitations_are_told(streams: StreamServer) -> None:
    """From sitting down to the rematch, in order, to somebody who did nothing but listen."""
    guest = player_create_guest()[0]
    with own(streams, guest) as client:
        assert client.next().data["games"] == []
        table = given_lobby(players=1, settings=GameSettings(seats=2, house_rules=QUICK))
        game_join(game_id=table.game_id, player=guest)
        assert client.named("seated").data["seat"] == 1
        game_start(game_id=table.game_id, actor=table.players[0])
        assert client.named("started").data["phase"] == "playing"
        table.submit(0, "leave")
        assert client.named("finished").data["ranking"][0] == {
            **client.seen[-1].data["ranking"][0],
            "seat": 1,
            "rank": 1,
        }
        made = game_rematch(game_id=table.game_id, player=table.players[0]).game
        invited = client.named("invitation").data
        assert (invited["id"], invited["rematch_of"], invited["seat"]) == (str(made.pk), str(table.game_id), 0)
        game_rematch(game_id=table.game_id, player=guest)
        assert client.named("seated").data["id"] == str(made.pk)
    assert "left" not in {sent.event for sent in client.seen}


def test_being_kicked_is_told(streams: StreamServer) -> None:
    """As having left."""
    table = given_lobby(players=2, settings=GameSettings(seats=3, visibility=Visibility.PRIVATE))
    with own(streams, table.players[1]) as client:
        client.next()
        game_kick(game_id=table.game_id, actor=table.players[0], seat=Seat(1))
        assert client.named("left").data["id"] == str(table.game_id)


def test_whoever_loses_half_of_all_hints_is_told_of_the_last_turn(deaf_streams: StreamServer) -> None:
    """What is told is the difference to what is so, and that is looked at anyway."""
    table = given_game(players=2)
    clients = [own(deaf_streams, player) for player in table.players]
    for client in clients:
        client.next()
    for _ in range(10):
        play(table, 1)
    while table.game.turn != 0 or table.state.plus3 is not None:
        play(table, 1)
    version = table.game.version
    assert clients[0].until(lambda sent: sent.event in ("turn", "finished") and sent.data["version"] >= version)
    for client in clients:
        client.close()
