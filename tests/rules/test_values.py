"""The values of the rules: cards and leads are one object a kind; the deal, the shuffle and seats have bounds."""

from __future__ import annotations

import copy
import pickle

import pytest

from games.rules.cards import ANY_LEAD, CARDS, HIDDEN, LEADS, Card, Color, Face, Lead, Seat
from games.rules.codec import EVENT_TYPES
from games.rules.commands import DRAW, PLAIN_PLAY, STOP, TIMEOUT
from games.rules.decide import advance, decide
from games.rules.events import (
    BankChanged,
    ClockCredited,
    DeadlineSet,
    GameAborted,
    SeatAway,
    SeatReturned,
    SeedCommitted,
    SeedRevealed,
    TurnMissed,
)
from games.rules.evolve import evolve, replay
from games.rules.legal import grey_cards, legal_commands
from games.rules.refusals import Refusal, Refused
from games.rules.ruleset import DEFAULT_RULES, Ruleset, house_rule_from_text, house_rules_schema
from games.rules.setup import start
from games.rules.shuffle import shuffled
from games.rules.state import NOT_STARTED, State
from games.rules.views import evolve_view, redact, view_for


@pytest.mark.parametrize("value", [*CARDS, HIDDEN, *LEADS])
def test_a_card_or_lead_stays_one_object_however_it_travels(value: Card | Lead) -> None:
    """Copies, pickles (between processes) and its own code all lead to the same object."""
    assert copy.copy(value) is value
    assert copy.deepcopy(value) is value
    assert pickle.loads(pickle.dumps(value)) is value  # noqa: S301  # our own bytes
    assert type(value).parse(value.code) is value
    assert str(value) == value.code
    assert repr(value) == f"{type(value).__name__}({value.code!r})"


def test_what_is_no_card_and_no_lead_is_named() -> None:
    with pytest.raises(ValueError, match="not a card: 'R2'"):
        Card.parse("R2")
    with pytest.raises(ValueError, match="not a lead: 'ST'"):
        Lead.parse("ST")


def test_a_lead_is_found_by_what_it_is() -> None:
    assert Lead.of(None) is ANY_LEAD
    assert Lead.of(Color.RED).code == "R"
    assert Lead.of(Color.RED, Face.TAKI).code == "RT"
    assert Card.parse("GT") in Lead.parse("RT").matches
    assert Card.parse("G+2") not in Lead.parse("R+").matches


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seats": 1}, "a table has 2 to 10 seats, not 1"),
        ({"seats": 11}, "a table has 2 to 10 seats, not 11"),
        ({"first": Seat(4)}, "no such seat: 4"),
        ({"first": Seat(-1)}, "no such seat: -1"),
        ({"seed": b"short"}, "a seed has 32 bytes, not 5"),
    ],
)
def test_a_deal_out_of_bounds_is_named(change: dict[str, object], message: str) -> None:
    table = {"rules": DEFAULT_RULES, "seats": 4, "first": Seat(0), "seed": bytes(32), **change}
    with pytest.raises(ValueError, match=message):
        start(**table)  # type: ignore[arg-type]  # what is out of bounds is the point


@pytest.mark.parametrize("seat", [None, Seat(2), Seat(-1)])
def test_a_command_comes_from_a_seat_of_the_table(seat: Seat | None) -> None:
    with pytest.raises(ValueError, match="no such seat"):
        decide(State.parse("hands=R1/G1 pile=B1"), seat, DRAW)


@pytest.mark.parametrize("command", [TIMEOUT, STOP])
def test_the_systems_commands_come_from_no_seat(command: object) -> None:
    with pytest.raises(ValueError, match="a seat may not ask for"):
        decide(State.parse("hands=R1/G1 pile=B1"), Seat(0), command)  # type: ignore[arg-type]  # either of the two


def test_what_the_table_tells_leaves_the_position_as_it_is() -> None:
    """Commitment, clocks, absence, abort and seed are facts that the rules do not know."""
    state, seat = State.parse("hands=R1/G1 pile=B1"), Seat(1)
    clocks = (DeadlineSet(1), DeadlineSet(None), BankChanged(seat, 5), ClockCredited(7))
    absence = (TurnMissed(seat, 2), SeatAway(seat), SeatReturned(seat))
    facts = (SeedCommitted("ab", ("cd",)), *clocks, *absence, GameAborted(), SeedRevealed("ef"))
    assert all(evolve(state, event) == state for event in facts)
    assert {type(event).__name__ for event in facts} < set(EVENT_TYPES)


@pytest.mark.parametrize("viewer", [None, Seat(0), Seat(2)])
def test_the_deal_is_redacted_as_the_view_is(viewer: Seat | None) -> None:
    """The square holds from the very first event on, and nobody is told the draw pile."""
    events = start(rules=DEFAULT_RULES, seats=3, first=Seat(1), seed=bytes(range(32)))
    view = view_for(NOT_STARTED, viewer)
    for event in events:
        view = evolve_view(view, redact(event, viewer))
    assert view == view_for(replay(events), viewer)
    assert set(view.state.draw) == {HIDDEN}
    assert [HIDDEN in hand for hand in view.state.hands] == [seat != viewer for seat in range(3)]


@pytest.mark.parametrize(
    ("word", "over", "winner"), [("", False, None), (" winner=none", True, None), (" winner=1", True, 1)]
)
def test_a_position_says_whether_and_by_whom_it_was_won(word: str, over: bool, winner: int | None) -> None:
    line = f"hands=R1/G1 draw=- pile=R9{word}"
    state = State.parse(line)
    assert (state.over, state.winner, str(state)) == (over, winner, line)


def test_a_command_within_the_grace_calls_for_no_penalty_and_the_word_stays_due() -> None:
    """L3; case files have no clock."""
    state = State.parse("hands=G4/R3,B3,B4 pile=R1 draw=Y1,Y3,Y4,Y5 turn=1 last=0")
    late = [type(event).__name__ for event in decide(state, Seat(1), PLAIN_PLAY[Card.parse("R3")])]
    in_time = advance(state, Seat(1), (PLAIN_PLAY[Card.parse("R3")],), within_grace=True)
    assert late[0] == "LastCardMissed"
    assert in_time.state.last == (0,)
    assert decide(state, Seat(1), PLAIN_PLAY[Card.parse("R3")], within_grace=True) == in_time.events


def test_a_refusal_keeps_its_code_and_rule_when_it_travels() -> None:
    """Between processes an exception is its arguments."""
    travelled = pickle.loads(pickle.dumps(Refused(Refusal.TAKI_ON_TOP, "U6")))  # noqa: S301  # our own bytes
    assert (travelled.refusal, travelled.rule) == (Refusal.TAKI_ON_TOP, "U6")


def test_shuffling_nothing_or_one_card_needs_no_randomness() -> None:
    assert shuffled(bytes(32), 0, ()) == ()
    assert shuffled(bytes(32), 7, ("only",)) == ("only",)


def test_a_shuffle_is_fair_to_every_order() -> None:
    """All six orders of three cards come up about equally often over the shuffles of one game."""
    orders = [shuffled(bytes(32), number, "abc") for number in range(3000)]
    counts = sorted(orders.count(order) for order in set(orders))
    assert len(counts) == 6
    assert counts[0] > 400
    assert counts[-1] < 600


def test_a_locked_breaker_on_ones_own_turn_is_grey() -> None:
    """No game comes to this (a turn unlocks it), but a position may say so, and list and refusal must agree."""
    state = State.parse("hands=X3,G3/G1 pile=R9 locked=0")
    assert PLAIN_PLAY[Card.parse("X3")] not in legal_commands(state, Seat(0))
    reasons = {card.code: refused.refusal.value for card, refused in grey_cards(state, Seat(0))}
    assert reasons == {"X3": "BREAKER_LOCKED", "G3": "DOES_NOT_MATCH"}


def test_the_house_rules_schema_says_what_a_ruleset_takes() -> None:
    """Names, defaults and bounds are the ruleset's own."""
    schema = house_rules_schema()
    properties = schema["properties"]
    assert isinstance(properties, dict)
    assert {name: kind["default"] for name, kind in properties.items()} == DEFAULT_RULES.as_mapping()
    assert properties["hand_size"] == {"type": "integer", "minimum": 3, "maximum": 10, "default": 8}
    assert properties["mode"] == {"type": "string", "enum": ["single", "ladder"], "default": "single"}
    assert properties["taki_all"] == {"type": "boolean", "default": False}
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"mode": "team"}, "house rule mode: 'team' is not one of single, ladder"),
        ({"hand_size": 11}, "house rule hand_size: 11 is not a whole number from 3 to 10"),
        ({"hand_size": 8.0}, "house rule hand_size: 8.0 is not a whole number from 3 to 10"),
        ({"hand_size": True}, "house rule hand_size: True is not a whole number from 3 to 10"),
        ({"taki_all": 1}, "house rule taki_all: 1 is not true or false"),
        ({"speed": 1}, "no such house rule: 'speed'"),
    ],
)
def test_a_bad_house_rule_is_named(values: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Ruleset.from_mapping(values)


def test_a_ruleset_made_by_hand_is_checked_too() -> None:
    with pytest.raises(ValueError, match="house rule mode: 'ladder' is not one of"):
        Ruleset(mode="ladder")  # type: ignore[arg-type]  # another type is the point


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("speed", "1", "no such house rule: 'speed'"),
        ("taki_all", "yes", "house rule taki_all: 'yes' is not true or false"),
        ("hand_size", "٣", "is not a whole number from 3 to 10"),
        ("hand_size", "1000000", "is not a whole number from 3 to 10"),
    ],
)
def test_a_house_rule_in_text_is_of_the_rules_type(name: str, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        house_rule_from_text(name, text)
