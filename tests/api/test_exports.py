"""Games that are over, over HTTP: the record of one, the exports of many, and what `taki verify` says to both."""

import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from django.db import connection

from games.audit.verify.program import WHOLE, main
from games.models import Game, Visibility
from games.rules.ruleset import DEFAULT_RULES, Mode, Ruleset
from players.services import player_erase
from tests.api.http import Caller, problem, wrong_fields
from tests.api.tables import Table
from tests.builders import given_bots
from tests.builders import given_game as given_table

Come = Callable[[], Caller]
QUICK = replace(DEFAULT_RULES, last_card_grace_seconds=0, hand_size=3)
LADDER = replace(QUICK, mode=Mode.LADDER)


def finished(rules: Ruleset = QUICK) -> str:
    """A game of bots that is over; its id."""
    table = given_bots(("greedy", "greedy"), rules=rules)
    table.bot_moves()
    return str(table.game_id)


def verified(content: bytes, folder: Path, *arguments: str) -> tuple[int, list[dict[str, object]]]:
    """What `taki verify --json` says of an answer's content."""
    path, out = folder / "answer", io.StringIO()
    path.write_bytes(content)
    status = main([str(path), "--json", *arguments], out)
    return status, [json.loads(line) for line in out.getvalue().splitlines()]


# ---- the record


def test_the_record_of_a_finished_game_is_read_and_verified(guest: Come, tmp_path: Path) -> None:
    """Text in UTF-8 with names, the same head as the audit's, a name to save it under, and a tag to ask again with."""
    table = given_table(players=1, bots=["greedy"], rules=QUICK)
    table.submit(0, "leave")
    caller, path = guest(), f"games/{table.game_id}/record/"
    answer = caller.get(path)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.headers["Content-Disposition"] == f'inline; filename="taki-{table.game_id}.taki"'
    text = answer.content.decode()
    assert f'[Seat 0 "{table.players[0].name}"]' in text
    assert '[Seat 1 bot "greedy"]' in text
    status, (told, _) = verified(answer.content, tmp_path)
    assert status == WHOLE
    assert told["head"] == caller.get(f"games/{table.game_id}/audit/").json()["hash"]
    again = caller.get(path, if_none_match=answer.headers["ETag"])
    assert (again.status_code, again.content) == (304, b"")


def test_an_erased_player_is_nameless_in_the_record_and_it_still_verifies(guest: Come, tmp_path: Path) -> None:
    """The tag is another, since the text is; the moves and the head are the same."""
    table = given_table(players=2, rules=QUICK)
    table.submit(0, "leave")
    caller, path = guest(), f"games/{table.game_id}/record/"
    before, name = caller.get(path), table.players[0].name
    player_erase(player_id=table.players[0].pk)
    after = caller.get(path, if_none_match=before.headers["ETag"])
    assert after.status_code == 200
    assert name not in after.content.decode()
    assert '[Seat 0 "deleted player"]' in after.content.decode()
    assert before.content.split(b"\n\n")[1] == after.content.split(b"\n\n")[1]
    assert verified(after.content, tmp_path)[0] == WHOLE


def test_a_game_that_goes_on_has_no_record(table: Table, lobby: Table, nobody: Caller, guest: Come) -> None:
    """409 `not_finished`, whatever tag is held; 401 and 404 as anywhere."""
    assert problem(table.host.get(table.path("record/"))) == (409, "not_finished")
    assert problem(table.host.get(table.path("record/"), if_none_match="*")) == (409, "not_finished")
    assert problem(nobody.get(table.path("record/"))) == (401, "not_authenticated")
    Game.objects.filter(pk=table.id).update(visibility=Visibility.PRIVATE, invite_code="CODE")
    assert problem(guest().get(table.path("record/"))) == (404, "not_found")
    assert wrong_fields(table.host.get(table.path("record/?lang=he"))) == {"lang": "unknown"}


def test_a_table_that_was_given_up_before_the_start_has_no_record(lobby: Table) -> None:
    """409 `not_started`: there is nothing to tell."""
    assert lobby.host.post(lobby.path("abort/")).status_code == 200
    assert problem(lobby.host.get(lobby.path("record/"))) == (409, "not_started")


def test_a_log_that_does_not_verify_has_no_record_but_an_export(guest: Come) -> None:
    """409 `frozen`; its rows are exported as they are, for others to see what is wrong with them."""
    game = finished()
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE games_gameevent DISABLE TRIGGER USER")
        cursor.execute("UPDATE games_gameevent SET data = '{}' WHERE game_id = %s AND version = 5", [game])
        cursor.execute("ALTER TABLE games_gameevent ENABLE TRIGGER USER")
    caller = guest()
    assert problem(caller.get(f"games/{game}/record/")) == (409, "frozen")
    lines = b"".join(caller.get(f"games/{game}/export/").streaming_content).splitlines()
    assert json.loads(lines[4])["data"] == {}
    assert games_in(lines_of(caller)) == [game]


def test_all_that_a_player_holds_is_found_in_the_log(table: Table, nobody: Caller, tmp_path: Path) -> None:
    """Published before: commitment and table. Got meanwhile: receipts. Published for all: the keys. All by HTTP."""
    published = table.host.get(table.path()).json()
    answers = []
    for _ in range(4):
        caller, command = table.move()
        answers.append(caller.post(table.path("commands/"), {"command": command}).json())
    answers.append(table.host.post(table.path("commands/"), {"command": "leave"}).json())
    held = {"keys": nobody.get("keys/").json(), "game": published, "receipt": answers}
    options = ["--commitment", published["commitment"], "--head", answers[-1]["receipt"]["hash"]]
    for name, value in held.items():
        (tmp_path / name).write_text(json.dumps(value))
        options += [f"--{name}", str(tmp_path / name)]
    export = b"".join(table.host.get(table.path("export/")).streaming_content)
    record = table.host.get(table.path("record/")).content
    for content in (export, record):
        status, (told, _) = verified(content, tmp_path, *options)
        assert (status, told["receipts"]) == (WHOLE, 5), told
        assert told["signature"] == {"key": held["keys"]["keys"][-1]["key"], "pinned": True}


# ---- many games


def lines_of(caller: Caller, query: str = "") -> list[dict[str, object]]:
    answer = caller.get(f"games/export/{query}")
    assert answer.status_code == 200, answer.content
    assert answer.headers["Content-Type"] == "application/x-ndjson"
    return [json.loads(line) for line in b"".join(answer.streaming_content).splitlines()]


def games_in(lines: list[dict[str, object]]) -> list[object]:
    return list(dict.fromkeys(line["game"] for line in lines if "game" in line))


def test_many_games_are_exported_one_after_the_other_and_verify(guest: Come, tmp_path: Path) -> None:
    """The newest first, each as its own export has it, then where to go on; and page by page the same."""
    ids = [finished() for _ in range(3)]
    caller = guest()
    content = b"".join(caller.get("games/export/").streaming_content)
    status, (*told, total) = verified(content, tmp_path)
    assert (status, total["whole"]) == (WHOLE, 3)
    assert [each["game"] for each in told] == ids[::-1]
    own = [b"".join(caller.get(f"games/{game}/export/").streaming_content) for game in ids[::-1]]
    assert content == b"".join(own) + b'{"games":3,"next":null}\n'
    paged, url = [], "games/export/?limit=2&mode=single"
    while url:
        *events, trailer = lines_of(caller, url.partition("games/export/")[2])
        paged += events
        url = str(trailer["next"] or "")
        assert trailer["games"] == len(games_in(events))
        assert not url or "mode=single" in url
    assert games_in(paged) == ids[::-1]


def test_the_filters_choose_the_games(guest: Come, table: Table) -> None:
    """By mode, phase, player and time; a running game is never among them."""
    single, ladder = finished(), finished(LADDER)
    other = given_table(players=2, rules=QUICK)
    other.submit(1, "leave")
    caller, name = guest(), other.players[0].name
    Game.objects.filter(pk=single).update(ended_at="2020-01-01T00:00:00Z")
    assert games_in(lines_of(caller, "?mode=ladder")) == [ladder]
    assert games_in(lines_of(caller, f"?player={name}")) == [str(other.game_id)]
    assert games_in(lines_of(caller, "?to=2020-01-01T00:00:00.001Z")) == [single]
    assert games_in(lines_of(caller, "?from=2020-01-01T00:00:00.001Z")) == [str(other.game_id), ladder]
    assert games_in(lines_of(caller, "?phase=aborted")) == []
    assert lines_of(caller, "?player=Nobody%20Here") == [{"games": 0, "next": None}]


def test_private_games_are_exported_to_those_who_sat_there(guest: Come) -> None:
    """And to nobody else."""
    other = given_table(players=2, rules=QUICK)
    other.submit(1, "leave")
    Game.objects.filter(pk=other.game_id).update(visibility=Visibility.PRIVATE, invite_code="CODE")
    assert games_in(lines_of(guest())) == []


def test_an_answer_ends_with_a_game_when_it_has_grown_long(guest: Come, monkeypatch: pytest.MonkeyPatch) -> None:
    """After so many events no further game is begun; `next` has the rest."""
    ids = [finished() for _ in range(2)]
    monkeypatch.setattr("games.audit.bulk.Bulk.__init__.__kwdefaults__", {"most_events": 1})
    caller = guest()
    *events, trailer = lines_of(caller)
    assert games_in(events) == [ids[1]]
    assert trailer["games"] == 1
    assert games_in(lines_of(caller, str(trailer["next"]).partition("games/export/")[2])) == [ids[0]]


@pytest.mark.parametrize(
    ("query", "wrong"),
    [
        ("?limit=0", {"limit": "out_of_range"}),
        ("?limit=1001", {"limit": "out_of_range"}),
        ("?phase=playing", {"phase": "not_a_choice"}),
        ("?mode=long", {"mode": "not_a_choice"}),
        ("?from=yesterday", {"from": "not_an_instant"}),
        ("?to=2026-01-01T00:00:00", {"to": "not_an_instant"}),
        ("?cursor=x", {"cursor": "bad_cursor"}),
        ("?seats=2", {"seats": "unknown"}),
    ],
)
def test_wrong_filters_are_named(guest: Come, query: str, wrong: dict[str, str]) -> None:
    """422 with the parameter."""
    assert wrong_fields(guest().get(f"games/export/{query}")) == wrong


def test_nobody_exports_without_a_token(nobody: Caller, db: None) -> None:
    """401, as with any list."""
    assert problem(nobody.get("games/export/")) == (401, "not_authenticated")
