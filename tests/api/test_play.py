"""Playing over HTTP: views, legal commands, moves in both forms, versions, repeats and refusals."""

import json
import threading
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext

from games.models import GameEvent
from games.rules.commands import ALL_COMMANDS
from games.rules.notation import format_command
from tests.api.http import Caller, problem
from tests.api.tables import Table

Come = Callable[[], Caller]
pytestmark = pytest.mark.django_db


def legal(table: Table, caller: Caller) -> dict[str, Any]:
    answer: dict[str, Any] = caller.get(table.path("legal/")).json()
    return answer


def some_command(table: Table, caller: Caller) -> str:
    """A command that ends nothing else: the first play, or a draw."""
    commands = [command["command"] for command in legal(table, caller)["commands"]]
    return next((text for text in commands if text.startswith("play")), "draw")


def test_a_view_shows_ones_own_hand_and_of_others_the_number(table: Table, guest: Come) -> None:
    """Two seats see the same table and each its own eight cards; a spectator sees none."""
    first, second = table.views()
    spectator = guest().get(table.path("view/")).json()
    assert (first["seat"], second["seat"], spectator["seat"], spectator["hand"]) == (0, 1, None, None)
    assert len(first["hand"]) == len(second["hand"]) == 8
    assert spectator["may_act"] is False
    same = {"version", "cards", "draw_pile", "top", "lead", "turn", "direction", "owe", "phase", "window", "last"}
    for view in (first, second, spectator):
        assert {name: view[name] for name in same} == {name: first[name] for name in same}
    assert first["cards"] == [8, 8]
    assert sorted([first["may_act"], second["may_act"]]) == [False, True]
    assert (first["ranking"], first["winner"], first["deadline"], first["stages"]) == (None, None, None, None)


def test_a_view_has_an_etag_that_is_its_version(table: Table) -> None:
    """304 until somebody moves."""
    turn, other = table.turn()
    tag = other.get(table.path("view/")).headers["ETag"]
    assert tag == f'"{table.events()}"'
    unchanged = other.get(table.path("view/"), if_none_match=tag)
    assert (unchanged.status_code, unchanged.content, unchanged.headers["ETag"]) == (304, b"", tag)
    assert "Content-Length" not in unchanged.headers  # of an answer that is not sent nobody tells a length of 0
    assert "Content-Type" not in unchanged.headers
    turn.post(table.path("commands/"), {"command": some_command(table, turn)})
    assert other.get(table.path("view/"), if_none_match=tag).status_code == 200


def test_legal_lists_every_command_and_why_the_rest_of_the_hand_is_not(table: Table, guest: Come) -> None:
    """Ids are those of the rules; each card in hand can be laid or has its refusal; a spectator has no commands."""
    turn, other = table.turn()
    told = legal(table, turn)
    for entry in told["commands"]:
        assert format_command((ALL_COMMANDS[entry["id"]],)) == entry["command"]
        assert entry["type"] == ("play" if entry["card"] else entry["command"])
    playable = {entry["card"] for entry in told["commands"]} - {None}
    refused = {entry["card"] for entry in told["refused"]}
    hand = set(turn.get(table.path("view/")).json()["hand"])
    assert playable | refused == hand
    assert not playable & refused
    waiting = legal(table, other)
    assert [entry["command"] for entry in waiting["commands"]] == ["leave"]
    assert {entry["refusal"] for entry in waiting["refused"]} == {"NOT_YOUR_TURN"}
    assert problem(guest().get(table.path("legal/"))) == (403, "not_seated")


def test_what_legal_does_not_offer_is_refused_and_writes_nothing(table: Table) -> None:
    """Tried with a dozen commands of both seats in each of the first twelve positions."""
    for _ in range(12):
        for caller in table.seats:
            offered = {entry["command"] for entry in legal(table, caller)["commands"]}
            for command in (
                *(f"play {card}" for card in ("R5", "GS", "K", "C", "C=R", "X3")),
                "close",
                "accept",
                "last",
            ):
                if command not in offered:
                    before = table.events()
                    refused = caller.post(table.path("commands/"), {"command": command})
                    assert problem(refused) in ((422, "refused"), (409, "finished"))
                    assert table.events() == before
        mover, command = table.move()
        moved = mover.post(table.path("commands/"), {"command": command})
        assert moved.status_code == 201
        if moved.json()["view"]["phase"] != "playing":
            return


def test_a_move_answers_its_events_and_the_view_after_them(table: Table) -> None:
    """The events are the log's, and the view is what `view/` says."""
    turn, _ = table.turn()
    before = table.events()
    made = turn.post(table.path("commands/"), {"command": some_command(table, turn)})
    assert made.status_code == 201
    body = made.json()
    assert body.keys() == {"version", "events", "view", "receipt"}
    assert body["receipt"].keys() == {"game", "version", "hash", "command_id", "key", "signature"}
    assert body["version"] == body["view"]["version"] == table.events() == body["events"][-1]["version"]
    assert body["events"] == turn.get(table.path(f"events/?after={before}")).json()["results"]
    now = turn.get(table.path("view/")).json()
    assert {**body["view"], "now": None} == {**now, "now": None}


def test_a_move_that_makes_another_seat_draw_does_not_tell_what(guest: Come) -> None:
    """Nobody says "last card": the first move of the other makes that seat draw four, unseen by the mover.

    At every move the answer's events are those that the log shows the mover.
    """
    host, other = guest(), guest()
    rules = {"last_card_grace_seconds": 0, "mode": "ladder"}
    game = host.post("games/", {"seats": 2, "house_rules": rules}).json()
    table = Table(game["id"], host, [host, other])
    other.post(table.path("join/"))
    host.post(table.path("start/"))
    foreign = 0
    for _ in range(400):
        mover, command = table.move()
        before, seat = table.events(), table.seats.index(mover)
        body = mover.post(table.path("commands/"), {"command": command}).json()
        assert body["events"] == mover.get(table.path(f"events/?after={before}")).json()["results"]
        for event in body["events"]:
            if event["type"] == "CardsDrawn" and event["data"]["seat"] != seat:
                assert set(event["data"]["cards"]) == {"?"}
                foreign += 1
        if foreign > 2 or body["view"]["phase"] != "playing":
            break
    assert foreign


def plus_three_laid(guest: Come) -> tuple[Table, Caller]:
    """A table of three at which a +3 has just been laid, and who laid it."""
    seats = [guest() for _ in range(3)]
    settings = {"seats": 3, "house_rules": {"mode": "ladder", "last_card": "off"}, "reaction_seconds": 600}
    table = Table(seats[0].post("games/", settings).json()["id"], seats[0], seats)
    for caller in seats[1:]:
        caller.post(table.path("join/"))
    seats[0].post(table.path("start/"))
    for _ in range(2000):
        mover, command = table.move()
        offered = {entry["command"] for entry in legal(table, mover)["commands"]}
        command = "play +3" if "play +3" in offered else command
        view = mover.post(table.path("commands/"), {"command": command}).json()["view"]
        if view["window"]:
            return table, mover
    raise AssertionError("nobody was dealt a +3")


def test_a_window_tells_each_seat_only_its_own_part(guest: Come) -> None:
    """Its player and spectators wait; each asked seat has answered or not; who else has, nobody is told."""
    table, layer = plus_three_laid(guest)
    seat = table.seats.index(layer)
    asked = [caller for caller in table.seats if caller is not layer]

    def window(caller: Caller) -> Any:
        view = caller.get(table.path("view/")).json()
        return view["window"] and {**view["window"], "may_act": view["may_act"], "deadline": view["deadline"]}

    opened = window(asked[0])
    assert opened["deadline"]
    closed = {**opened, "answered": True, "may_act": False}
    assert opened == {"seat": seat, "answered": False, "deadline": opened["deadline"], "may_act": True}
    assert [window(layer), window(guest()), window(asked[1])] == [closed, closed, opened]
    accepted = asked[0].post(table.path("commands/"), {"type": "accept"}).json()
    assert accepted["view"]["window"]["answered"] is True
    assert [window(caller) for caller in (layer, asked[0], asked[1])] == [closed, closed, opened]
    (told,) = layer.get(table.path(f"events/?after={accepted['version'] - 1}")).json()["results"]
    assert (told["type"], told["data"]) == ("WindowAccepted", {})
    last = asked[1].post(table.path("commands/"), {"type": "accept"})
    assert last.json()["view"]["window"] is None
    drawn = [event for event in last.json()["events"] if event["type"] == "CardsDrawn"]
    assert {
        event["data"]["seat"]: set(event["data"]["cards"]) == {"?"} for event in drawn if event["data"]["cards"]
    } == {
        table.seats.index(asked[0]): True,
        table.seats.index(asked[1]): False,
    }


def test_both_forms_of_a_command_mean_the_same(table: Table) -> None:
    """In fields and in short form: the same refusal from the same position, and both are carried out."""
    turn, _ = table.turn()
    text = some_command(table, turn)
    word, _, card = text.partition(" ")
    code, _, color = card.partition("=")
    fields = {"type": word, "cards": [{"card": code, "color": color or None}], "last_card": True, "then": None}
    body = fields if word == "play" else {"type": word}
    if word == "play":
        short = turn.post(table.path("commands/"), {"command": f"{text} last"})
        long = turn.post(table.path("commands/"), fields)
        assert (short.json(), short.status_code) == (long.json(), 422)
        body = {**fields, "last_card": False}
    assert turn.post(table.path("commands/"), body).status_code == 201


def test_a_refused_move_says_why_and_changes_nothing(table: Table) -> None:
    """422 with refusal, rule, version and a sentence; in Hebrew when asked for."""
    turn, other = table.turn()
    before = table.state()
    answer = other.post(table.path("commands/"), {"type": "draw"})
    assert problem(answer) == (422, "refused")
    told = answer.json()
    assert (told["refusal"], told["version"]) == ("NOT_YOUR_TURN", table.events())
    assert told["rule"]
    assert told["detail"] == "It is not your turn."
    hebrew = other.post(table.path("commands/"), {"type": "draw"}, accept_language="he").json()
    assert hebrew["detail"] == "זה לא תורך."
    mine = set(turn.get(table.path("view/")).json()["hand"])
    absent = next(card for card in ("R5", "G5", "B5", "Y5", "R7", "G7", "B7", "Y7", "R9") if card not in mine)
    assert turn.post(table.path("commands/"), {"command": f"play {absent}"}).json()["refusal"] == "NOT_IN_HAND"
    assert turn.post(table.path("commands/"), {"type": "close"}).json()["refusal"] == "NO_RUN"
    assert turn.post(table.path("commands/"), {"type": "accept"}).json()["refusal"] == "NO_WINDOW"
    assert turn.post(table.path("commands/"), {"type": "last"}).json()["refusal"] == "NOT_LAST_CARD"
    assert table.state() == before


def test_a_command_of_several_parts_is_all_or_nothing(table: Table) -> None:
    """One bad part undoes the good ones before it."""
    turn, _ = table.turn()
    before = table.state()
    good = some_command(table, turn)
    text = f"{good} last close" if good.startswith("play") else "play R5 G5 close"
    assert problem(turn.post(table.path("commands/"), {"command": text})) == (422, "refused")
    assert table.state() == before


def test_the_seat_is_the_callers_and_never_the_bodys(table: Table, guest: Come) -> None:
    """A stranger cannot move, and nobody can move for another."""
    before = table.state()
    stranger = guest()
    assert problem(stranger.post(table.path("commands/"), {"type": "draw"})) == (403, "not_seated")
    assert problem(stranger.post(table.path("leave/"))) == (403, "not_seated")
    assert table.state() == before


def test_a_stale_expected_version_is_409_and_a_stale_if_match_412(table: Table) -> None:
    """Each says the present version; nothing is written; with both, each is named for what it is."""
    turn, _ = table.turn()
    version, before, path = table.events(), table.state(), table.path("commands/")
    draw = {"type": "draw"}
    stale = turn.post(path, {**draw, "expected_version": version - 1})
    assert problem(stale) == (409, "stale_version")
    assert stale.json()["version"] == version
    for header in (f'"{version - 1}"', f'"{version + 1}"', f'W/"{version}"', '"x"', f'"{version - 1}-3"'):
        failed = turn.post(path, draw, if_match=header)
        assert problem(failed) == (412, "precondition_failed")
        assert failed.json()["version"] == version
    both = turn.post(path, {**draw, "expected_version": version}, if_match=f'"{version - 1}"')
    assert problem(both) == (412, "precondition_failed")
    both = turn.post(path, {**draw, "expected_version": version - 1}, if_match=f'"{version}"')
    assert problem(both) == (409, "stale_version")
    for header in ("41", '"41', '"1", "2"'):
        assert problem(turn.post(path, draw, if_match=header)) == (422, "invalid")
    assert table.state() == before
    command = some_command(table, turn)
    fresh = turn.post(path, {"command": command, "expected_version": version}, if_match=f'"{version}"')
    assert fresh.status_code == 201


@pytest.mark.parametrize("header", ['"{}"', '"{}-2"', "*"])
def test_a_fresh_if_match_lets_the_move_through(table: Table, header: str) -> None:
    """The tag of a view, of a game, or any."""
    turn, _ = table.turn()
    body = {"command": some_command(table, turn)}
    assert turn.post(table.path("commands/"), body, if_match=header.format(table.events())).status_code == 201


def test_the_same_command_id_moves_once_and_answers_alike(table: Table) -> None:
    """Also in other spacing and key order, with a version that is stale by now, and after the answer was lost."""
    turn, _ = table.turn()
    key, path, version = str(uuid4()), table.path("commands/"), table.events()
    command = some_command(table, turn)
    first = turn.post(path, {"command": command, "expected_version": version}, idempotency_key=key)
    written = table.events()
    body = f'{{ "expected_version":{version},\n"command" : "{command}"}}'.encode()
    again = turn.raw(path, body, idempotency_key=key.upper())
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json()["version"] == first.json()["version"]
    assert again.json()["events"] == first.json()["events"]
    assert table.events() == written
    assert GameEvent.objects.filter(game_id=table.id, command_id=key).count() == len(first.json()["events"])


def test_a_command_id_belongs_to_one_body_and_one_player(table: Table) -> None:
    """Another body, or another player, under it is 422 and moves nothing."""
    turn, other = table.turn()
    key, path = str(uuid4()), table.path("commands/")
    command = some_command(table, turn)
    turn.post(path, {"command": command}, idempotency_key=key)
    before = table.state()
    for caller, body in (
        (turn, {"command": "draw"}),
        (turn, {"command": command + " "}),
        (other, {"command": command}),
    ):
        if body != {"command": command} or caller is other:
            assert problem(caller.post(path, body, idempotency_key=key)) == (422, "idempotency_key_reused")
    assert table.state() == before


def test_a_refused_command_id_is_not_used_up(table: Table) -> None:
    """Refusals are not remembered."""
    turn, other = table.turn()
    key, path = str(uuid4()), table.path("commands/")
    assert problem(other.post(path, {"type": "draw"}, idempotency_key=key)) == (422, "refused")
    command = some_command(table, turn)
    assert turn.post(path, {"command": command}, idempotency_key=key).status_code == 201


def test_events_of_others_are_redacted(table: Table, guest: Come) -> None:
    """The deal shows each seat its own hand alone, a spectator none, and nobody the draw pile or the seed."""
    for caller, own in ((table.seats[0], 0), (table.seats[1], 1), (guest(), None)):
        events = caller.get(table.path("events/")).json()["results"]
        (deal,) = (event["data"] for event in events if event["type"] == "CardsDealt")
        for seat, hand in enumerate(deal["hands"]):
            assert ("?" in hand) is (seat != own)
        assert set(deal["draw"]) == {"?"}
        assert not [event for event in events if event["type"] == "SeedRevealed"]
        if own is not None:
            assert sorted(deal["hands"][own]) == sorted(caller.get(table.path("view/")).json()["hand"])


def test_a_drawn_card_is_seen_by_its_seat_alone(table: Table) -> None:
    """In the log and in the answer of the move."""
    for _ in range(200):
        mover, command = table.move()
        body = mover.post(table.path("commands/"), {"command": command}).json()
        drawn = [event for event in body["events"] if event["type"] == "CardsDrawn" and event["data"]["cards"]]
        if command == "draw" and drawn:
            break
    seat = table.seats.index(mover)
    version = drawn[0]["version"]
    for caller in table.seats:
        (event,) = caller.get(table.path(f"events/?after={version - 1}&limit=1")).json()["results"]
        assert event["data"]["seat"] == seat
        assert (event["data"]["cards"] == ["?"] * len(event["data"]["cards"])) is (caller is not mover)
    assert drawn[0]["data"]["cards"] != ["?"]


def test_the_seed_is_told_only_after_the_end(table: Table) -> None:
    """Not in any answer while the game runs."""
    from games.models import GameSecret

    seed = bytes(GameSecret.objects.get(game_id=table.id).server_seed).hex()
    for caller in table.seats:
        for path in ("", "view/", "legal/", "events/", "audit/"):
            assert seed not in caller.get(table.path(path)).content.decode()


@pytest.mark.django_db(transaction=True)
def test_a_move_takes_the_same_few_statements_however_long_the_game(table: Table) -> None:
    """One for the token, and the store's own."""
    counts = []
    for _ in range(12):
        mover, command = table.move()
        with CaptureQueriesContext(connection) as queries:
            assert mover.post(table.path("commands/"), {"command": command}).status_code == 201
        counts.append(len([query for query in queries if query["sql"] not in ("BEGIN", "COMMIT")]))
    assert len(set(counts[1:])) == 1
    assert counts[-1] <= 5


@pytest.mark.django_db(transaction=True)
def test_the_same_command_id_at_the_same_instant_moves_once(table: Table) -> None:
    """Eight connections send it together; all are answered alike, one of them moved."""
    turn, _ = table.turn()
    key, command, before = str(uuid4()), some_command(table, turn), table.events()
    answers = at_once(
        8, lambda _: turn_again(turn).post(table.path("commands/"), {"command": command}, idempotency_key=key)
    )
    assert {answer.status_code for answer in answers} == {201}
    assert len({json.dumps(answer.json()["events"], sort_keys=True) for answer in answers}) == 1
    assert table.events() - before == len(answers[0].json()["events"])


@pytest.mark.django_db(transaction=True)
def test_different_commands_at_the_same_instant_move_once(table: Table) -> None:
    """Of eight commands that expect the same version one is carried out, the others are stale."""
    turn, _ = table.turn()
    command, version = some_command(table, turn), table.events()
    body = {"command": command, "expected_version": version}
    answers = at_once(8, lambda _: turn_again(turn).post(table.path("commands/"), body))
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 7


@pytest.mark.django_db(transaction=True)
def test_creating_at_the_same_instant_under_one_key_makes_one_game(guest: Come) -> None:
    """The second waits for the first and gets its answer."""
    from games.models import Game

    host, key = guest(), str(uuid4())
    answers = at_once(6, lambda _: turn_again(host).post("games/", {"seats": 2}, idempotency_key=key))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.content for answer in answers}) == 1
    assert Game.objects.count() == 1


def turn_again(caller: Caller) -> Caller:
    """The same player on a connection of its own."""
    return Caller(token=caller.token, player=caller.player)


def at_once(number: int, send: Callable[[int], Any]) -> list[Any]:
    """What so many threads, let loose together, were answered."""
    barrier, answers = threading.Barrier(number), []

    def run(place: int) -> None:
        try:
            barrier.wait()
            answers.append(send(place))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(place,)) for place in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == number
    return answers
