"""Whatever is sent to any endpoint is answered with its documented problem, and changes nothing."""

import json
import re
from collections.abc import Callable
from io import BytesIO
from typing import Any
from uuid import uuid4

import pytest

from games.models import Game
from players.models import Player
from tests.api import contract
from tests.api.http import Caller, problem, wrong_fields
from tests.api.tables import Table

pytestmark = pytest.mark.django_db

PUBLIC = ("players/guest/", "problems/", "rules/", "rules/deck/", "rules/house-rules/")
POSTS = (
    "players/guest/",
    "games/",
    "games/{id}/join/",
    "games/{id}/leave/",
    "games/{id}/return/",
    "games/{id}/start/",
    "games/{id}/seats/1/bot/",
    "games/{id}/commands/",
)
GETS = (
    "players/me/",
    "problems/",
    "rules/",
    "rules/deck/",
    "rules/house-rules/",
    "games/",
    "games/{id}/",
    "games/{id}/view/",
    "games/{id}/legal/",
    "games/{id}/events/",
    "games/{id}/audit/",
    "games/{id}/export/",
)
_BRACKETS = 30_000

BODIES: dict[str, tuple[bytes, int, str]] = {
    "cut off": (b'{"name": ', 400, "unreadable"),
    "nothing but a tab": (b"\t", 400, "unreadable"),
    "not JSON": (b"play R5", 400, "unreadable"),
    "single quotes": (b"{'a': 1}", 400, "unreadable"),
    "two values": (b"{} {}", 400, "unreadable"),
    "NaN": (b'{"seats": NaN}', 400, "unreadable"),
    "Infinity": (b'{"seats": Infinity}', 400, "unreadable"),
    "minus Infinity": (b'{"seats": -Infinity}', 400, "unreadable"),
    "invalid UTF-8": (b'{"name": "\xff\xfe"}', 400, "unreadable"),
    "UTF-16": ('{"name": "x"}'.encode("utf-16"), 400, "unreadable"),
    "byte order mark": (b'\xef\xbb\xbf{"name": "xy"}', 400, "unreadable"),
    "encoded surrogate": (b'{"name": "\xed\xa0\x80"}', 400, "unreadable"),
    "raw control character": (b'{"name": "a\x00b"}', 400, "unreadable"),
    "lone surrogate": (b'{"name": "\\ud800x"}', 400, "lone_surrogate"),
    "lone surrogate as key": (b'{"\\udfff": 1}', 400, "lone_surrogate"),
    "lone surrogate deep inside": (b'{"a": [{"b": ["\\ud834"]}]}', 400, "lone_surrogate"),
    "key twice": (b'{"name": "ab", "name": "cd"}', 400, "duplicate_key"),
    "key twice inside": (b'{"a": [{"b": 1, "b": 1}]}', 400, "duplicate_key"),
    "brackets": (b"[" * _BRACKETS + b"]" * _BRACKETS, 400, "too_deep"),
    "braces": (b'{"a":' * 10_000 + b"1" + b"}" * 10_000, 400, "too_deep"),
    "open brackets": (b"[" * 60_000, 400, "too_deep"),
    "21 deep": (b"[" * 21 + b"]" * 21, 400, "too_deep"),
    "100,000 brackets": (b"[" * 100_000 + b"]" * 100_000, 413, "body_too_large"),
    "10 MB": (b'{"name": "' + b"x" * 10_000_000 + b'"}', 413, "body_too_large"),
    "one byte too many": (b"{}" + b" " * (64 * 1024 - 1), 413, "body_too_large"),
    "a list": (b"[]", 422, "invalid"),
    "null": (b"null", 422, "invalid"),
    "a string": (b'"play R5"', 422, "invalid"),
    "a number": (b"5", 422, "invalid"),
    "a boolean": (b"true", 422, "invalid"),
    "20 deep": (b"[" * 20 + b"]" * 20, 422, "invalid"),
    "unknown field": (b'{"nonsense": 1}', 422, "invalid"),
    "NUL as key": (b'{"\\u0000": 1}', 422, "invalid"),
    "brackets in a string": (json.dumps({"nonsense": "[" * 9000 + '\\"' * 9000}).encode(), 422, "invalid"),
    "a long number": (b'{"nonsense": ' + b"9" * 60_000 + b"}", 422, "invalid"),
}
TYPES = {
    "text": "text/plain",
    "form": "application/x-www-form-urlencoded",
    "upload": "multipart/form-data; boundary=x",
    "XML": "application/xml",
    "patch": "application/merge-patch+json",
    "none": "",
    "nonsense": "a/b/c; ;",
}


def on(table: Table, path: str) -> str:
    return path.format(id=table.id)


def caller_of(table: Table, path: str) -> Caller:
    return Caller() if path in PUBLIC else table.host


@pytest.mark.parametrize("path", POSTS)
def test_a_bad_body_is_refused_everywhere_alike(table: Table, path: str) -> None:
    """Each kind of bad body has one status and code, whatever the endpoint."""
    before, players, caller = table.state(), Player.objects.count(), caller_of(table, path)
    for kind, (body, status, code) in BODIES.items():
        answer = caller.raw(on(table, path), body)
        assert (kind, *problem(answer)) == (kind, status, code)
        assert (kind, table.state(), Player.objects.count()) == (kind, before, players)


@pytest.mark.parametrize("path", POSTS)
def test_a_body_that_is_not_declared_as_json_is_415(table: Table, path: str) -> None:
    """What a body means is never guessed."""
    before, caller = table.state(), caller_of(table, path)
    for kind, content_type in TYPES.items():
        answer = caller.raw(on(table, path), b'{"command": "draw"}', content_type)
        assert (kind, *problem(answer)) == (kind, 415, "unsupported_media_type")
    assert table.state() == before


@pytest.mark.parametrize("path", POSTS)
def test_a_body_without_a_length_is_measured_too(table: Table, path: str) -> None:
    """A chunked body is read up to the limit: over it 413, under it as any other."""
    caller, before = caller_of(table, path), table.state()
    for body, expected in ((b"[" * 70_000, (413, "body_too_large")), (b"[]", (422, "invalid"))):
        answer = caller.client.generic(
            "POST",
            f"/api/v1/{on(table, path)}",
            headers={"authorization": f"Bearer {caller.token}", "transfer-encoding": "chunked"},
            **{"wsgi.input": BytesIO(body), "CONTENT_LENGTH": "", "CONTENT_TYPE": "application/json"},  # type: ignore[arg-type]
        )
        assert problem(answer) == expected
    assert table.state() == before


class Broken(BytesIO):
    """A body whose chunks are ill-formed half-way, as a WSGI server tells of it."""

    def read(self, size: int | None = -1, /) -> bytes:
        raise ValueError("invalid chunk size")


def test_a_body_that_breaks_off_is_400(table: Table) -> None:
    """Whatever error the server's own reader has for it."""
    for headers, length in (({"transfer-encoding": "chunked"}, ""), ({}, "100000")):
        answer = table.host.client.generic(
            "POST",
            f"/api/v1/{table.path('commands/')}",
            headers=headers,
            **{"wsgi.input": Broken(), "CONTENT_LENGTH": length, "CONTENT_TYPE": "application/json"},  # type: ignore[arg-type]
        )
        assert problem(answer) == (400, "unreadable")


TOKENS = {"": "not_authenticated", "Bearer taki_" + "x" * 43: "token_invalid", "Basic eA==": "token_invalid"}


def test_without_a_token_everything_but_the_public_is_401(table: Table) -> None:
    """Who asks is judged before what is asked."""
    before = table.state()
    asked = [("POST", path) for path in POSTS] + [("GET", path) for path in GETS]
    for method, path in asked:
        for header, code in TOKENS.items() if path not in PUBLIC else ():
            headers = {"authorization": header} if header else {}
            answer = Caller().send(method, on(table, path), b"", "application/json", headers)
            assert (path, *problem(answer)) == (path, 401, code)
            assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert table.state() == before


def test_the_size_of_a_body_is_judged_before_the_token(table: Table, django_assert_num_queries: Any) -> None:
    """A giant body costs the database nothing."""
    with django_assert_num_queries(0):
        assert problem(table.host.raw(table.path("commands/"), b"x" * 100_000)) == (413, "body_too_large")


ASKED = [("POST", path) for path in POSTS] + [("GET", path) for path in GETS]


def good_body(path: str, method: str) -> bytes:
    """A body that is in order, so that only what is being tested is wrong."""
    if method != "POST":
        return b""
    return {"bot/": b'{"level": "greedy"}', "commands/": b'{"type": "draw"}'}.get(
        path.rpartition("/")[0].rpartition("/")[2] + "/", b"{}"
    )


@pytest.mark.parametrize(("method", "path"), ASKED)
def test_an_unknown_or_repeated_query_parameter_is_422(table: Table, method: str, path: str) -> None:
    """A misspelt filter is said to be one."""
    before, caller = table.state(), caller_of(table, path)
    for query, expected in (
        ("?nonsense=1", {"nonsense": "unknown"}),
        ("?x=1&x=2", {"x": "repeated"}),
        ("?format=json", {"format": "unknown"}),
        ("?%00=%00", {"\x00": "unknown"}),
    ):
        answer = caller.send(method, on(table, path) + query, good_body(path, method), "application/json", {})
        assert wrong_fields(answer) == expected
    assert table.state() == before


@pytest.mark.parametrize(("method", "path"), ASKED)
def test_a_method_or_a_format_that_is_not_there_is_said_so(table: Table, method: str, path: str) -> None:
    """405 with what the address takes; 406 for anything but JSON (and for logs ndjson)."""
    before, caller = table.state(), caller_of(table, path)
    for other in ("PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"):
        if contract.operation(other, f"/api/v1/{on(table, path)}"):
            continue
        answer = caller.send(other, on(table, path), b"", "application/json", {})
        assert (other, *problem(answer)) == (other, 405, "method_not_allowed")
        assert method in answer.headers["Allow"]
    body = good_body(path, method)
    answer = caller.send(method, on(table, path), body, "application/json", {"accept": "text/html"})
    assert problem(answer) == (406, "not_acceptable")
    assert table.state() == before


# A fixed one: the name of a test must be the same in every process that runs tests.
NO_GAME = "0192f6a0-5b1e-7c3d-8e4f-1a2b3c4d5e6f"
NO_GAMES = (NO_GAME, "0", "x" * 36, f"{NO_GAME}x", NO_GAME.replace("-", ""), "%00", "%ED%A0%80")


def test_a_game_that_is_not_there_is_404(guest: Callable[[], Caller]) -> None:
    """Unknown ids and texts that are no ids."""
    caller = guest()
    for method, path in ASKED:
        for game_id in NO_GAMES if "{id}" in path else ():
            answer = caller.send(method, path.format(id=game_id), good_body(path, method), "application/json", {})
            assert (path, game_id, *problem(answer)) == (path, game_id, 404, "not_found")


def test_a_private_game_does_not_exist_for_strangers(guest: Callable[[], Caller]) -> None:
    """Who does not sit there learns nothing of it, not even that it is; only joining may be tried with a code."""
    host, stranger = guest(), guest()
    game = host.post("games/", {"visibility": "private", "seats": 2}).json()
    for method, path in ASKED:
        if "{id}" in path and "join" not in path:
            body = good_body(path, method)
            answer = stranger.send(method, path.format(id=game["id"]), body, "application/json", {})
            absent = stranger.send(method, path.format(id=uuid4()), body, "application/json", {})
            assert (path, *problem(answer)) == (path, 404, "not_found")
            assert answer.json() == absent.json()
            for guess in ("0-1", "9-9"):
                header = {"if_match" if method == "POST" else "if_none_match": f'"{guess}"'}
                tied = stranger.send(method, path.format(id=game["id"]), body, "application/json", header)
                assert tied.json() == absent.json()


# ---- fields of `POST games/`

WRONG_SETTINGS: list[tuple[str, Any, str]] = [
    ("name", 5, "not_a_string"),
    ("name", "", "bad_name"),
    ("name", "x", "bad_name"),
    ("name", "a\x00b", "bad_name"),
    ("name", "x" * 25, "bad_name"),
    ("seats", None, "null"),
    ("seats", "4", "not_an_integer"),
    ("seats", 4.0, "not_an_integer"),
    ("seats", True, "not_an_integer"),
    ("seats", [4], "not_an_integer"),
    ("seats", 1, "out_of_range"),
    ("seats", 11, "out_of_range"),
    ("seats", 10**30, "out_of_range"),
    ("house_rules", [], "not_an_object"),
    ("house_rules", None, "null"),
    ("visibility", "secret", "not_a_choice"),
    ("visibility", 1, "not_a_string"),
    ("visibility", None, "null"),
    ("turn_seconds", 4, "out_of_range"),
    ("turn_seconds", 604_801, "out_of_range"),
    ("turn_seconds", "60", "not_an_integer"),
    ("bank_seconds", -1, "out_of_range"),
    ("bank_seconds", 86_401, "out_of_range"),
    ("bank_seconds", None, "null"),
    ("increment_seconds", 601, "out_of_range"),
    ("reaction_seconds", 2, "out_of_range"),
    ("reaction_seconds", 86_401, "out_of_range"),
    ("reaction_seconds", None, "null"),
    ("game_minutes", 4, "out_of_range"),
    ("game_minutes", 100_001, "out_of_range"),
    ("first_player", "oldest", "not_a_choice"),
    ("first_player", {}, "not_a_string"),
    ("entropy", "abc", "not_hex"),
    ("entropy", "zz", "not_hex"),
    ("entropy", "٣٣", "not_hex"),
    ("entropy", "00" * 65, "not_hex"),
    ("entropy", 7, "not_a_string"),
    ("id", NO_GAME, "unknown"),
    ("phase", "finished", "unknown"),
    ("host", 1, "unknown"),
]
WRONG_RULES: list[tuple[str, Any, str]] = [
    ("mode", "fast", "not_a_choice"),
    ("mode", 1, "not_a_string"),
    ("mode", None, "not_a_string"),
    ("hand_size", 2, "out_of_range"),
    ("hand_size", 11, "out_of_range"),
    ("hand_size", "8", "not_an_integer"),
    ("hand_size", True, "not_an_integer"),
    ("hand_size", 8.0, "not_an_integer"),
    ("open_taki", 1, "not_a_boolean"),
    ("open_taki", "true", "not_a_boolean"),
    ("max_turns", 10**40, "out_of_range"),
    ("nonsense", True, "unknown"),
    ("\x00", True, "unknown"),
]


@pytest.mark.parametrize(("field", "value", "code"), WRONG_SETTINGS)
def test_a_wrong_setting_is_named(guest: Callable[[], Caller], field: str, value: Any, code: str) -> None:
    """The answer says which field, and why; no game is made."""
    host = guest()
    assert wrong_fields(host.post("games/", {field: value})) == {field: code}
    assert not Game.objects.exists()


@pytest.mark.parametrize("digits", [30, 60_000])
def test_an_enormous_number_is_out_of_range(guest: Callable[[], Caller], digits: int) -> None:
    """However long it is, and without spending the quadratic time of reading it."""
    raw = b'{"seats": -1' + b"0" * digits + b"}"
    assert wrong_fields(guest().raw("games/", raw)) == {"seats": "out_of_range"}


@pytest.mark.parametrize(("rule", "value", "code"), WRONG_RULES)
def test_a_wrong_house_rule_is_named(guest: Callable[[], Caller], rule: str, value: Any, code: str) -> None:
    """House rules are checked one by one."""
    host = guest()
    assert wrong_fields(host.post("games/", {"house_rules": {rule: value}})) == {f"house_rules.{rule}": code}
    assert not Game.objects.exists()


def test_all_wrong_fields_are_named_at_once(guest: Callable[[], Caller]) -> None:
    """Nobody mends a form field by field."""
    body = {"seats": 1, "house_rules": {"mode": "x", "y": 1}, "color": "red", "entropy": "x"}
    assert wrong_fields(guest().post("games/", body)) == {
        "seats": "out_of_range",
        "house_rules.mode": "not_a_choice",
        "house_rules.y": "unknown",
        "color": "unknown",
        "entropy": "not_hex",
    }


@pytest.mark.parametrize(
    ("query", "field", "code"),
    [
        ("phase=open", "phase", "not_a_choice"),
        ("phase=", "phase", "not_a_choice"),
        ("mode=fast", "mode", "not_a_choice"),
        ("seats_free=0", "seats_free", "out_of_range"),
        ("seats_free=11", "seats_free", "out_of_range"),
        ("seats_free=-1", "seats_free", "not_a_query_number"),
        ("seats_free=true", "seats_free", "not_a_query_number"),
        ("seats_free=%D9%A3", "seats_free", "not_a_query_number"),
        ("seats_free=" + "9" * 5000, "seats_free", "not_a_query_number"),
        ("limit=0", "limit", "out_of_range"),
        ("limit=101", "limit", "out_of_range"),
        ("player=%00", "player", "bad_text"),
        ("player=" + "x" * 25, "player", "bad_text"),
        ("cursor=x", "cursor", "bad_cursor"),
        ("cursor=%F0%9F%98%80", "cursor", "bad_cursor"),
        ("cursor=" + "A" * 23, "cursor", "bad_cursor"),
        ("cursor=", "cursor", "bad_text"),
    ],
)
def test_a_wrong_filter_is_named(guest: Callable[[], Caller], query: str, field: str, code: str) -> None:
    """Also a cursor that we never gave."""
    assert wrong_fields(guest().get(f"games/?{query}")) == {field: code}


@pytest.mark.parametrize(
    ("query", "field", "code"),
    [
        ("after=-1", "after", "not_a_query_number"),
        ("after=x", "after", "not_a_query_number"),
        ("after=1.5", "after", "not_a_query_number"),
        ("after=99999999999", "after", "out_of_range"),
        ("limit=0", "limit", "out_of_range"),
        ("limit=1001", "limit", "out_of_range"),
        ("wait=25", "wait", "unknown"),
    ],
)
def test_a_wrong_part_of_a_log_is_named(table: Table, query: str, field: str, code: str) -> None:
    """`after` and `limit` are whole numbers within bounds."""
    assert wrong_fields(table.host.get(table.path(f"events/?{query}"))) == {field: code}


# ---- commands

WRONG_COMMANDS: list[tuple[Any, dict[str, str]]] = [
    ({}, {"type": "required"}),
    ({"type": None}, {"type": "not_a_string"}),
    ({"type": 1}, {"type": "not_a_string"}),
    ({"type": "timeout"}, {"type": "not_a_choice"}),
    ({"type": "stop"}, {"type": "not_a_choice"}),
    ({"type": "PLAY", "cards": []}, {"type": "not_a_choice"}),
    ({"type": "play"}, {"cards": "required"}),
    ({"type": "play", "cards": None}, {"cards": "not_a_list"}),
    ({"type": "play", "cards": "R5"}, {"cards": "not_a_list"}),
    ({"type": "play", "cards": []}, {"cards": "bad_length"}),
    ({"type": "play", "cards": [{"card": "R5"}] * 117}, {"cards": "bad_length"}),
    ({"type": "play", "cards": ["R5"]}, {"cards.0": "not_an_object"}),
    ({"type": "play", "cards": [{}]}, {"cards.0.card": "required"}),
    ({"type": "play", "cards": [{"card": 5}]}, {"cards.0.card": "not_a_string"}),
    ({"type": "play", "cards": [{"card": "?"}]}, {"cards.0.card": "not_a_card"}),
    ({"type": "play", "cards": [{"card": "R2"}]}, {"cards.0.card": "not_a_card"}),
    ({"type": "play", "cards": [{"card": "r5"}]}, {"cards.0.card": "not_a_card"}),
    ({"type": "play", "cards": [{"card": "C=R"}]}, {"cards.0.card": "not_a_card"}),
    ({"type": "play", "cards": [{"card": "R5"}, {"card": "\x00"}]}, {"cards.1.card": "not_a_card"}),
    ({"type": "play", "cards": [{"card": "C", "color": "green"}]}, {"cards.0.color": "not_a_choice"}),
    ({"type": "play", "cards": [{"card": "C", "color": 1}]}, {"cards.0.color": "not_a_string"}),
    ({"type": "play", "cards": [{"card": "R5", "seat": 1}]}, {"cards.0.seat": "unknown"}),
    ({"type": "play", "cards": [{"card": "R5"}], "last_card": 1}, {"last_card": "not_a_boolean"}),
    ({"type": "play", "cards": [{"card": "R5"}], "last_card": None}, {"last_card": "not_a_boolean"}),
    ({"type": "play", "cards": [{"card": "R5"}], "then": "stop"}, {"then": "not_a_choice"}),
    ({"type": "play", "cards": [{"card": "R5"}], "then": 0}, {"then": "not_a_string"}),
    ({"type": "draw", "cards": [{"card": "R5"}]}, {"cards": "not_together"}),
    ({"type": "draw", "last_card": True}, {"last_card": "not_together"}),
    ({"type": "draw", "seat": 1}, {"seat": "unknown"}),
    ({"type": "draw", "expected_version": "1"}, {"expected_version": "not_an_integer"}),
    ({"type": "draw", "expected_version": True}, {"expected_version": "not_an_integer"}),
    ({"type": "draw", "expected_version": 1.0}, {"expected_version": "not_an_integer"}),
    ({"type": "draw", "expected_version": -1}, {"expected_version": "out_of_range"}),
    ({"type": "draw", "expected_version": 10**30}, {"expected_version": "out_of_range"}),
    ({"command": "draw", "type": "draw"}, {"type": "not_together"}),
    ({"command": "draw", "player": "x"}, {"player": "unknown"}),
    ({"command": 5}, {"command": "not_a_string"}),
    ({"command": None}, {"command": "not_a_string"}),
    ({"command": ""}, {"command": "bad_command"}),
    ({"command": "play"}, {"command": "bad_command"}),
    ({"command": "play R5 G"}, {"command": "bad_command"}),
    ({"command": "play C=X"}, {"command": "bad_command"}),
    ({"command": "play ?"}, {"command": "bad_command"}),
    ({"command": "draw draw"}, {"command": "bad_command"}),
    ({"command": "play R5\x00"}, {"command": "bad_command"}),
    ({"command": "0: draw"}, {"command": "bad_command"}),
    ({"command": "play " + "R5 " * 300}, {"command": "bad_text"}),
    ({"command": "timeout"}, {"command": "system_command"}),
    ({"command": "stop"}, {"command": "system_command"}),
    ({"command": "x", "expected_version": "y"}, {"command": "bad_command", "expected_version": "not_an_integer"}),
]


def test_what_is_no_command_is_named_field_by_field(table: Table) -> None:
    """It never reaches the rules, and no event is written; also the system's own commands from a seat."""
    before = table.state()
    turn, _ = table.turn()
    for body, expected in WRONG_COMMANDS:
        assert (body, wrong_fields(turn.post(table.path("commands/"), body))) == (body, expected)
        assert table.state() == before


@pytest.mark.parametrize("key", ["x", "1", "", "00000000000000000000000000000000", "\x00"])
def test_a_command_id_is_a_uuid(table: Table, key: str) -> None:
    """Anything else in `Idempotency-Key` is refused before the game is touched."""
    before = table.state()
    turn, _ = table.turn()
    answer = turn.post(table.path("commands/"), {"command": "draw"}, idempotency_key=key)
    assert wrong_fields(answer) == {"Idempotency-Key": "not_a_uuid"}
    assert table.state() == before


def test_a_refusal_shows_no_card_of_another_hand(table: Table) -> None:
    """Whatever I try, the answer names no card that I did not name and do not hold."""
    me, other = table.seats
    mine, theirs = (set(view["hand"]) for view in table.views())
    hidden = theirs - mine
    tried = [{"command": f"play {card}"} for card in sorted(hidden)] + [{"command": "accept"}, {"command": "close"}]
    for body in tried:
        answer = me.post(table.path("commands/"), body)
        assert answer.status_code == 422
        words = set(re.findall(r"[A-Z0-9+]+", json.dumps(answer.json())))
        named = {body["command"].removeprefix("play ")}
        assert not (words & hidden) - named - {"K", "C", "+3", "+2"}  # words of sentences and rule ids
    assert other.get(table.path("view/")).json()["version"] == table.events()
