"""A game's stream: the position first, then every event once and in order, for whoever looks."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

from games.models import Game, Visibility
from games.rules.cards import Seat
from games.selectors import seat_of
from games.services import (
    GameSettings,
    game_abort,
    game_join,
    game_kick,
    game_leave,
    game_rematch,
    game_start,
    seat_replace,
)
from games.services.freezing import game_freeze
from players.api.answers import json_bytes
from players.models import Player, Scope, Token
from players.services import player_create_guest, token_create
from tests.audit.tampering import tamper
from tests.builders import QUICK, Table, given_bots, given_game, given_lobby
from tests.streaming.client import Broken, Client, Persistent
from tests.streaming.given import events, follow, listed, play
from tests.streaming.server import StreamServer, wait_for


def test_the_view_comes_first_and_then_each_event_once(streams: StreamServer) -> None:
    """Two seats and a spectator are each told what the list of events tells them, from the view's version on."""
    table = given_game(players=2)
    people = [*table.players, player_create_guest()[0]]
    clients = [follow(streams, table, player) for player in people]
    begun = table.game.version
    views = [client.next() for client in clients]
    assert [(view.event, view.id, view.data["seat"]) for view in views] == [("view", begun, at) for at in (0, 1, None)]
    play(table, 6)
    for player, client in zip(people, clients, strict=True):
        assert events(client.version(table.game.version)) == listed(table, player, begun)
        client.close()


def test_the_view_is_the_one_that_the_api_gives(streams: StreamServer) -> None:
    """In every field but `now`."""
    from games.api.answers import view_json
    from games.selectors import view_load

    table = given_game(players=2)
    play(table, 3)
    with follow(streams, table, table.players[1]) as client:
        seen = view_load(game_id=table.game_id, seat=Seat(1))
        api = json.loads(json_bytes(view_json(seen.view, seen.game)))
        assert {**client.next().data, "now": ""} == {**api, "now": ""}


def test_whoever_has_a_cursor_gets_every_event_after_it_and_no_view(streams: StreamServer) -> None:
    """From the very first event on, too; the header is the newer of the two."""
    table = given_game(players=2)
    play(table, 4)
    player, head = table.players[0], table.game.version
    for after, by_header in itertools.product((0, 2, head - 1), (True, False)):
        query = f"?after={1 if by_header else after}"
        with follow(streams, table, player, last=after if by_header else None, query=query) as client:
            seen = client.version(head)
            assert "view" not in {sent.event for sent in seen}
            assert events(seen) == listed(table, player, after)


def test_a_log_longer_than_what_is_kept_is_told_whole(streams: StreamServer) -> None:
    """A client far behind reads it in portions; the one who follows meanwhile misses nothing either."""
    table = given_bots(("greedy",) * 3, rules=QUICK)
    guest = player_create_guest()[0]
    with follow(streams, table, guest, query="?after=0") as live:
        live.next()
        table.bot_moves()
        assert events([*live.seen, *live.rest()]) == listed(table, None)
    assert live.seen[-1].event == "end"
    with follow(streams, table, guest, last=1) as late:
        assert events(list(late.rest())) == listed(table, None, 1)


def test_a_cursor_beyond_the_head_is_refused(streams: StreamServer) -> None:
    """It belongs to another log: waiting for it would be waiting for ever."""
    table = given_game(players=2)
    for last, query in ((999, ""), (None, "?after=999")):
        client = follow(streams, table, table.players[0], last=last, query=query)
        assert client.status == 422
        (entry,) = client.body()["errors"]
        assert (entry["field"], entry["code"]) == ("Last-Event-ID" if last else "after", "bad_cursor")


def test_the_lobby_is_told_and_then_the_game(streams: StreamServer) -> None:
    """Each change at the table is a `lobby`; the start is a `view`, or with a cursor every event from the first on."""
    table = given_lobby(players=1, settings=GameSettings(seats=2, house_rules=QUICK))
    host, guest = table.players[0], player_create_guest()[0]
    fresh, resumed = follow(streams, table, host), follow(streams, table, host, query="?after=0")
    for client in (fresh, resumed):
        first = client.next()
        assert (first.event, first.id, first.data["seats_free"]) == ("lobby", None, 1)
    game_join(game_id=table.game_id, player=guest)
    assert fresh.named("lobby").data["seats_free"] == 0
    game_start(game_id=table.game_id, actor=host)
    head = table.game.version
    assert fresh.named("view", "event").id == head
    assert events(resumed.version(head)) == listed(table, host)
    fresh.close()
    resumed.close()


def test_after_the_game_comes_the_end_and_a_reconnect_is_told_to_stop(streams: StreamServer) -> None:
    """`end` closes the stream; at the head of a finished game there is 204, before it the rest and `end` again."""
    table = given_bots(("greedy", "greedy"), rules=QUICK)
    guest = player_create_guest()[0]
    table.bot_moves()
    with follow(streams, table, guest) as client:
        seen = [sent for sent in client.rest() if sent.event not in ("presence", "clock")]
    assert [sent.event for sent in seen] == ["view", "end"]
    head = table.game.version
    assert (seen[-1].id, seen[-1].data["phase"], seen[-1].data["winner"]) == (head, "finished", table.game.winner)
    assert follow(streams, table, guest, last=head).status == 204
    with follow(streams, table, guest, last=head - 1) as again:
        assert [sent.id for sent in again.rest() if sent.id] == [head, head]


def test_a_table_given_up_in_the_lobby_ends_the_stream(streams: StreamServer) -> None:
    """With an id, so that the reconnect is told to stop."""
    table = given_lobby(players=1)
    with follow(streams, table, table.players[0]) as client:
        client.next()
        game_abort(game_id=table.game_id, actor=table.players[0])
        assert client.named("end").id == 0
    assert follow(streams, table, table.players[0], last=0).status == 204


def test_a_new_holder_of_a_seat_sees_its_hand_and_the_old_one_no_longer(streams: StreamServer) -> None:
    """The stream follows the seat at once: both get the view anew, and what follows is redacted for who they are."""
    table = given_game(players=2)
    old, new = table.players[0], player_create_guest()[0]
    before, after = follow(streams, table, old), follow(streams, table, new)
    assert (before.next().data["seat"], after.next().data["seat"]) == (0, None)
    seat_replace(game_id=table.game_id, seat=Seat(0), player=new)
    assert after.named("view").data["hand"] == [card.code for card in table.state.hands[0]]
    assert before.named("view").data["hand"] is None
    replaced = table.game.version
    play(Table(table.game_id, (new, table.players[1])), 8)
    head = table.game.version
    for client, player in ((before, old), (after, new)):
        assert events(client.version(head))[-(head - replaced) :] == listed(table, player, replaced)
        client.close()


def test_whoever_is_kicked_from_a_private_table_is_told_nothing_more(streams: StreamServer) -> None:
    """The stream ends at once; a new one is not to be had."""
    settings = GameSettings(seats=3, visibility=Visibility.PRIVATE)
    table = given_lobby(players=2, settings=settings)
    client = follow(streams, table, table.players[1])
    assert client.next().event == "lobby"
    game_kick(game_id=table.game_id, actor=table.players[0], seat=Seat(1))
    assert [sent.event for sent in client.rest() if sent.event == "lobby"] == []
    assert follow(streams, table, table.players[1]).status == 404


def test_whoever_leaves_a_private_table_is_told_nothing_more(streams: StreamServer) -> None:
    """As above, by one's own will."""
    table = given_lobby(players=2, settings=GameSettings(seats=3, visibility=Visibility.PRIVATE))
    client = follow(streams, table, table.players[1])
    client.next()
    game_leave(game_id=table.game_id, player=table.players[1])
    assert "lobby" not in {sent.event for sent in client.rest()}


def test_whoever_is_invited_follows_a_private_rematch_until_it_is_kicked(streams: StreamServer) -> None:
    """What the API decides of private tables holds here too, also when it changes."""
    settings = GameSettings(seats=3, visibility=Visibility.PRIVATE, house_rules=QUICK)
    table = given_game(players=3, settings=settings)
    for _ in range(2):
        table.submit(min({0, 1, 2} - set(table.state.left)), "leave")
    again = Table(game_rematch(game_id=table.game_id, player=table.players[0]).game.pk, table.players)
    with follow(streams, again, table.players[1]) as client:
        assert client.next().event == "lobby"
        game_rematch(game_id=table.game_id, player=table.players[1])
        assert client.named("lobby").data["seats_free"] == 1
        seat = seat_of(game_id=again.game_id, player=table.players[1])
        assert seat is not None
        game_kick(game_id=again.game_id, actor=table.players[0], seat=seat)
        assert "lobby" not in {sent.event for sent in client.rest()}
    assert follow(streams, again, player_create_guest()[0]).status == 404


def test_a_frozen_game_says_so_on_its_clock(streams: StreamServer) -> None:
    """It is no event, yet whoever looks is told that nothing can be added for now."""
    table = given_game(players=2)
    with follow(streams, table, table.players[0]) as client:
        assert client.named("clock").data["frozen"] is None
        game_freeze(game_id=table.game_id, reason="a drill")
        assert client.named("clock").data["frozen"]["reason"] == "a drill"


def test_a_revoked_token_ends_its_streams(streams: StreamServer) -> None:
    """Within a slow tick, and without another word; another token's stream goes on."""
    table = given_game(players=2)
    player = table.players[0]
    ended, stays = follow(streams, table, player), follow(streams, table, player)
    for client in (ended, stays):
        client.named("presence")
    _guests_own, of_ended, _of_stays = Token.objects.filter(player=player).order_by("created_at")
    of_ended.delete()
    assert events(list(ended.rest())) == []
    play(table, 1)
    assert stays.named("event").id == ended.seen[0].id + 1  # type: ignore[operator]
    stays.close()


@pytest.mark.parametrize("change", [{"is_active": False}, None])
def test_an_account_that_is_blocked_or_gone_ends_its_streams(
    streams: StreamServer, change: dict[str, Any] | None
) -> None:
    """As the API would answer 401 from then on."""
    table = given_game(players=2)
    guest = player_create_guest()[0]
    client = follow(streams, table, guest)
    client.named("presence")
    if change:
        Player.objects.filter(pk=guest.pk).update(**change)
    else:
        guest.delete()
    list(client.rest())
    with pytest.raises(Broken):
        client.next()


def test_who_may_not_look_is_refused_as_by_the_api(streams: StreamServer) -> None:
    """401 without a token or with a wrong one, 403 for a token that may not read, 404 for a private table."""
    table = given_game(players=2)
    private = given_lobby(players=1, settings=GameSettings(seats=2, visibility=Visibility.PRIVATE))
    stranger = player_create_guest()[0]
    url = f"{streams.url}/games/{table.game_id}/stream/"
    assert Client(url).status == 401
    assert Client(url, "taki_" + "x" * 43).body()["code"] == "token_invalid"
    assert follow(streams, private, stranger).status == 404
    assert follow(streams, Table(stranger.pk, ()), stranger).status == 404
    text = token_create(player=stranger)
    Token.objects.filter(player=stranger).update(scopes=[Scope.PLAY])
    assert Client(url, text).body()["code"] == "scope_missing"


def test_a_refusal_speaks_the_callers_language(streams: StreamServer) -> None:
    """Problems are the API's own, with their header."""
    table = given_game(players=2)
    client = Client(f"{streams.url}/games/{table.game_id}/stream/", Accept_Language="he")
    assert client.response.headers["Content-Type"] == "application/problem+json"
    assert client.response.headers["Content-Language"] == "he"
    assert client.response.headers["WWW-Authenticate"].startswith("Bearer")
    assert client.body()["code"] == "not_authenticated"


def test_half_of_all_hints_lost_and_clients_cut_at_random_cost_no_event(deaf_streams: StreamServer) -> None:
    """Each of two seats and two spectators ends with every event exactly once and in order, as the list has it."""
    table = given_game(players=2, bots=("greedy",))
    people = [*table.players, *(player_create_guest()[0] for _ in range(2))]
    url = f"{deaf_streams.url}/games/{table.game_id}/stream/"
    followers = [Persistent(url, token_create(player=player), number) for number, player in enumerate(people)]
    for follower in followers:
        follower.start()
    for _ in range(400):
        play(table, 1)
        table.bot_moves()
    while not table.state.over:
        table.submit(min({0, 1} - set(table.state.left)), "leave")
    for follower, player in zip(followers, people, strict=True):
        follower.join(60)
        assert follower.found == listed_all(table, player)
        assert follower.stopped
    assert sum(follower.cut for follower in followers) > 8


def listed_all(table: Table, player: Player) -> list[dict[str, Any]]:
    """The whole log for the player."""
    found: list[dict[str, Any]] = []
    while more := listed(table, player, len(found)):
        found += more
    return found


def test_a_stop_tells_every_client_when_to_come_again(transactional_db: None) -> None:
    """Streams end within the stop, not after it, so that no deploy waits for them."""
    server = StreamServer().start()
    table = given_game(players=2)
    client = follow(server, table, table.players[0])
    client.named("presence")
    server.stop()
    assert events(list(client.rest())) == []
    assert client.retry is not None
    assert 500 <= client.retry <= 3_000


def test_a_client_that_leaves_leaves_nothing_behind(streams: StreamServer) -> None:
    """Its stream, its place and the feed of a game that nobody follows any more."""
    table = given_game(players=2)
    client = follow(streams, table, table.players[0])
    client.named("presence")
    process = streams.process
    assert process.feeds.feed(table.game_id) is not None
    client.close()
    wait_for(lambda: process.feeds.feed(table.game_id) is None)
    wait_for(lambda: not process.leases._held)
    assert streams.call(process.streams.all) == []


def test_a_log_that_cannot_be_read_stops_its_own_streams_and_no_others(streams: StreamServer) -> None:
    """An event of a kind that this release does not know, say: whoever follows another game misses nothing."""
    broken, whole = given_game(players=2), given_game(players=2)
    with follow(streams, broken, broken.players[0]) as cut, follow(streams, whole, whole.players[0]) as client:
        begun = whole.game.version
        client.next(), cut.next()
        tamper(_NONSENSE, broken.game_id)
        Game.objects.filter(pk=broken.game_id).update(version=broken.game.version + 1)
        assert {sent.event for sent in cut.rest()} <= {"clock", "presence"}
        assert follow(streams, broken, broken.players[0]).status == 500
        play(whole, 4)
        assert events(client.version(whole.game.version)) == listed(whole, whole.players[0], begun)


_NONSENSE = """
    INSERT INTO games_gameevent (game_id, version, type, schema, data, command_id, ordinal, actor, recorded_at, hash)
    SELECT game_id, version + 1, 'Nonsense', 1, '{}', gen_random_uuid(), 0, actor, recorded_at, hash
    FROM games_gameevent WHERE game_id = %s ORDER BY version DESC LIMIT 1
"""
