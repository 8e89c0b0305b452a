"""A game of two people through the public API alone."""

import hashlib
import json
from collections.abc import Callable

import pytest

from games.rules.codec import decode
from games.rules.evolve import replay
from tests.api import contract
from tests.api.http import Caller, problem
from tests.api.tables import Table

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_people_play_a_game_to_its_end_and_can_check_it(table: Table, guest: Callable[[], Caller]) -> None:
    """The last move says who won; every seat's log leads there; the revealed seed is the committed one."""
    last = table.play_to_the_end()
    winner = last["view"]["winner"]
    assert last["view"]["ranking"][0]["seat"] == winner
    game = table.host.get(table.path()).json()
    assert (game["phase"], game["winner"], game["turn"]) == ("finished", winner, game["turn"])
    assert game["ranking"] == last["view"]["ranking"]
    assert [view["cards"][winner] for view in table.views()] == [0, 0]

    audit = guest().get(table.path("audit/")).json()
    seed = bytes.fromhex(audit["server_seed"])
    assert hashlib.sha256(b"taki/1/commit" + seed).hexdigest() == audit["commitment"] == game["commitment"]

    lines = b"".join(guest().get(table.path("export/")).streaming_content).splitlines()
    events = [json.loads(line) for line in lines]
    assert [event["version"] for event in events] == list(range(1, game["version"] + 1))
    for event in events:
        contract.matches("FullEvent", event)
    assert events[-1]["type"] == "SeedRevealed"
    assert events[-1]["hash"] == audit["hash"]
    final = replay([decode(event["type"], event["schema"], event["data"]) for event in events], seed=bytes(32))
    assert final.winner == winner
    assert [len(hand) for hand in final.hands] == last["view"]["cards"]

    for path in ("commands/", "leave/"):
        body = {"command": "draw"} if path == "commands/" else None
        assert problem(table.seats[1 - winner].post(table.path(path), body)) == (409, "finished")


def test_a_log_read_in_pages_or_lines_is_the_same_and_complete(table: Table) -> None:
    """Whoever follows `next` from the beginning sees each event once, in order, as ndjson tells them."""
    table.play_to_the_end()
    for caller in table.seats:
        paged, url = [], table.path("events/?limit=7")
        while url:
            page = caller.get(url.removeprefix("http://127.0.0.1:8000")).json()
            paged += page["results"]
            url = page["next"]
        answer = caller.get(table.path("events/"), accept="application/x-ndjson")
        assert answer.headers["Content-Type"] == "application/x-ndjson"
        assert [json.loads(line) for line in b"".join(answer.streaming_content).splitlines()] == paged
        assert [event["version"] for event in paged] == list(range(1, table.events() + 1))
