"""Events as stored data."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from tests.tournaments.rules.desk import Desk, knockout
from tests.tournaments.rules.laws import Choice, bring_to_an_end, live
from tests.tournaments.rules.test_laws import run
from tournaments.rules.codec import EVENT_TYPES, Encoded, decode, encode
from tournaments.rules.events import Event
from tournaments.rules.terms import NoShows, Seeding


def events_of_all_types() -> dict[str, Event]:
    """One event of every type, from random lives."""
    found: dict[str, Event] = {}
    for seed in range(200):
        chance = random.Random(seed)
        desk = Desk(
            knockout(3, 2, 8, check_in=bool(seed % 2), seeding=Seeding.LIST, no_shows=list(NoShows)[seed % 3 // 2])
        )
        if seed % 2:
            run(desk, 10)
        choices = [Choice(chance.randrange(24), chance.randrange(40), chance.randrange(1, 9999)) for _ in range(40)]
        live(desk, choices, chance)
        bring_to_an_end(desk, chance)
        for line in desk.log:
            data = json.loads(json.dumps(encode(line.event)))
            assert decode(Encoded(*data)) == line.event
            found.setdefault(type(line.event).__name__, line.event)
        if len(found) == len(EVENT_TYPES):
            break
    return found


def test_every_event_of_every_type_survives_json() -> None:
    """Random lives make events of each type; each comes back as it was."""
    assert events_of_all_types().keys() == EVENT_TYPES.keys()


def test_what_is_none_or_false_is_not_written() -> None:
    """So each event has one spelling."""
    data = encode(Desk(knockout()).log[0].event).data
    assert data["terms"] == {
        "format": "knockout",
        "table_kind": "single",
        "table_size": 4,
        "go_on": 2,
        "capacity": 100,
        "seeding": "list",
        "no_shows": "leave_out",
        "waiting_list": 1,
    }


@pytest.mark.parametrize(
    ("kind", "schema", "data", "message"),
    [
        ("NoSuchEvent", 1, {}, "unknown type"),
        ("EntryPromoted", 2, {"entry": 1}, "not known yet"),
        ("EntryPromoted", 1, {}, "lacks 'entry'"),
        ("EntryPromoted", 1, {"entry": "1"}, "expected int"),
        ("EntryPromoted", 1, {"entry": True}, "expected int"),
        ("EntryPromoted", 1, {"entry": 1, "name": "x"}, "has no 'name'"),
        ("EntryPromoted", 1, [], "expected dict"),
        ("TournamentCancelled", 1, {"cause": "weather"}, "weather"),
        ("EntriesSeeded", 1, {"order": 5}, "expected list"),
    ],
)
def test_data_that_are_no_event_are_refused(kind: str, schema: int, data: Any, message: str) -> None:
    """With what is wrong."""
    with pytest.raises(ValueError, match=message):
        decode(Encoded(kind, schema, data))
