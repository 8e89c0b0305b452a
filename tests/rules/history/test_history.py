"""What was ever stored still decodes, and an old log still replays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from games.rules import codec
from games.rules.codec import EVENT_TYPES, SCHEMA, Data, decode, encode
from games.rules.commands import DRAW
from games.rules.decide import decide
from games.rules.evolve import replay
from games.rules.notation import format_position
from games.rules.state import State

FOLDER = Path(__file__).parent


def stored(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / name).read_text(encoding="ascii").splitlines()]


def test_one_event_of_every_type_and_schema_is_kept() -> None:
    """A new type or schema adds a line to events.ndjson, and none is ever taken away."""
    kept = {(event["type"], event["schema"]) for event in stored("events.ndjson")}
    assert kept == {(name, schema) for name in EVENT_TYPES for schema in range(1, SCHEMA[name] + 1)}


@pytest.mark.parametrize("event", stored("events.ndjson"), ids=lambda event: f"{event['type']}-{event['schema']}")
def test_a_stored_event_still_decodes(event: dict[str, Any]) -> None:
    """And if its schema is today's, it is written the same way again."""
    decoded = decode(event["type"], event["schema"], event["data"])
    assert type(decoded) is EVENT_TYPES[event["type"]]
    if event["schema"] == SCHEMA[event["type"]]:
        assert encode(decoded) == (event["type"], event["schema"], event["data"])


def _turn_passed_from_1_to_2(data: Data) -> Data:
    return {"to": data["seat"], "direction": data["direction"], "owe": data.get("stack", 0)}


def test_a_game_written_in_an_older_schema_replays(monkeypatch: pytest.MonkeyPatch) -> None:
    """old_game.ndjson was written as if TurnPassed had once had other keys: its upcaster bridges the difference."""
    monkeypatch.setitem(codec.SCHEMA, "TurnPassed", 2)
    monkeypatch.setitem(codec.UPCASTERS, ("TurnPassed", 1), _turn_passed_from_1_to_2)
    events = [decode(event["type"], event["schema"], event["data"]) for event in stored("old_game.ndjson")]
    state = replay(events)
    assert (state.turn, state.owe, state.turns) == (1, 2, 1)
    assert format_position(state).startswith("hands=R7,Y3/G1,G4,G6/B5,B9,YS draw=B1,B3 pile=R+2,R5")


def test_what_no_upcaster_leads_to_today_is_an_error() -> None:
    """An unknown type, a schema of the future and data of another form are named, not guessed at."""
    for name, schema, data, message in (
        ("Teleported", 1, {}, "no such event type: 'Teleported'"),
        ("TakiClosed", 2, {}, "no such schema of TakiClosed: 2"),
        ("TakiClosed", 0, {}, "no such schema of TakiClosed: 0"),
        ("TakiClosed", 1, {"seat": 1}, "TakiClosed: unknown key: 'seat'"),
        ("LastCardDue", 1, {}, "LastCardDue: missing key: 'seat'"),
        ("LastCardDue", 1, {"seat": "1"}, "LastCardDue: not a whole number: '1'"),
        ("LastCardDue", 1, {"seat": True}, "LastCardDue: not a whole number: True"),
        ("LastCardDue", 1, [], r"LastCardDue: not an object: \[\]"),
        ("CardPlayed", 1, {"seat": 0, "card": 7, "lead": "R7"}, "CardPlayed: not a text: 7"),
        ("CardPlayed", 1, {"seat": 0, "card": "Q7", "lead": "R7"}, "CardPlayed: not a card: 'Q7'"),
        ("CardPlayed", 1, {"seat": 0, "card": "R7", "lead": "R0"}, "CardPlayed: not a lead: 'R0'"),
        ("CardsDrawn", 1, {"seat": 0, "cards": "R7", "reason": "turn"}, "CardsDrawn: not a list: 'R7'"),
        ("CardsDrawn", 1, {"seat": 0, "cards": [], "reason": "joy"}, "CardsDrawn: 'joy' is not a valid DrawReason"),
        ("CardsDrawn", 1, {"seat": 0, "cards": [], "reason": "turn", "locked": 0}, "CardsDrawn: a flag is 1 or absent"),
    ):
        with pytest.raises(ValueError, match=message):
            decode(name, schema, data)  # type: ignore[arg-type]  # other forms are the point


def test_a_game_keeps_the_rules_version_that_it_began_with() -> None:
    """It is in the first event and in every state after; a server that does not know it does not guess."""
    first = stored("old_game.ndjson")[0]
    opening = decode(first["type"], first["schema"], first["data"])
    assert replay([opening]).rules_version == "1"
    of_the_future = State.parse("hands=R1/G1 pile=B1")._replace(rules_version="99")
    with pytest.raises(ValueError, match="rules version '99' is not among"):
        decide(of_the_future, of_the_future.turn, DRAW)
