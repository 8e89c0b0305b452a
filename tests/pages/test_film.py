"""A film is the game: folded, it gives at each version what the viewer saw, and nothing else."""

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from games.clock import Limits
from games.pages.film import TOPS, Viewer, film
from games.pages.finish import finishes
from games.rules.cards import BREAKER, KING, PLUS_THREE, Card, Seat
from games.rules.events import (
    CardPlayed,
    CardsDrawn,
    DrawReason,
    Event,
    WindowAccepted,
    WindowClosed,
    WindowOpened,
    WindowOutcome,
)
from games.rules.evolve import evolve
from games.rules.ruleset import DEFAULT_RULES, LastCard, Mode
from games.rules.state import NOT_STARTED, State
from games.rules.views import view_for
from tests.pages.logs import random_log, recorded

GAME = UUID("018f0000-0000-7000-8000-000000000001")
LIMITS = Limits(60, 8, bank_seconds=30)
TABLES = [
    (2, DEFAULT_RULES),
    (4, replace(DEFAULT_RULES, mode=Mode.LADDER, hand_size=3)),
    (10, replace(DEFAULT_RULES, breaker_stops_win=True, plus_three_on_stack=True)),
    (5, replace(DEFAULT_RULES, last_card=LastCard.OFF, voluntary_draw=True, taki_all=True)),
]


def folded(made: dict[str, Any]) -> list[dict[str, Any]]:
    """What the page's script does with the steps."""
    found: list[dict[str, Any]] = []
    now: dict[str, Any] = {"hands": {}}
    for step in made["steps"]:
        now = {**now, **step, "hands": {**now["hands"], **step.get("hands", {})}}
        found.append(now)
    return found


def expected(state: State, viewer: Viewer) -> dict[str, Any]:
    seen = state if viewer == "all" else view_for(state, viewer if isinstance(viewer, int) else None).state
    hands = {
        seat: [card.code for card in hand] if viewer in ("all", seat) else len(hand)
        for seat, hand in enumerate(seen.hands)
    }
    return {
        "hands": hands,
        "draw": len(state.draw),
        "pile": len(state.pile),
        "top": [card.code for card in state.pile[:TOPS]],
        "lead": state.lead.code,
        "turn": state.turn,
        "direction": state.direction,
        "owe": state.owe,
        "plus3": state.plus3,
        "answer": list(seen.answer),
        "locked": list(seen.locked),
        "last": list(state.last),
        "stages": list(state.stages),
        "left": list(state.left),
        "winner": state.winner,
    }


@pytest.mark.parametrize(("seats", "rules"), TABLES)
def test_the_steps_folded_are_what_the_viewer_saw(seats: int, rules: Any) -> None:
    """At every version, for every seat, a spectator, and with every hand open."""
    log = random_log(seats, rules=rules, seats=seats)
    for viewer in ("all", "spectator", *map(Seat, range(seats))):
        made = film(GAME, log, viewer, LIMITS)  # type: ignore[arg-type]
        assert len(made["steps"]) == len(made["at"]) == len(made["who"]) == len(made["types"]) == len(log)
        state = NOT_STARTED
        for stored, now in zip(log, folded(made), strict=True):
            state = evolve(state, stored.event)
            want = expected(state, viewer)  # type: ignore[arg-type]
            assert {key: now[key] for key in want} == want, stored.version


def test_a_film_says_only_what_changed() -> None:
    """Most steps are a few keys; every one is needed."""
    log = random_log(1)
    steps = film(GAME, log, "all", LIMITS)["steps"]
    before: dict[str, Any] = {"hands": {}}
    for step in steps:
        for key, value in step.items():
            assert key not in before or before[key] != value
        before = {**before, **step, "hands": {**before["hands"], **step.get("hands", {})}}
    assert sum(map(len, steps)) < 6 * len(steps)


def test_a_seat_is_not_told_who_accepted() -> None:
    """W8: neither by the seat an event is about nor in the photo-finish."""
    log = random_log(10, seats=6)
    for viewer in (Seat(2), "spectator"):
        made = film(GAME, log, viewer, LIMITS)
        for stored, who in zip(log, made["who"], strict=True):
            if isinstance(stored.event, WindowAccepted):
                assert who == (2 if stored.event.seat == viewer else -1)
        told = [answer for one in made["finishes"] for answer in one["answers"] if answer["kind"] == "accept"]
        assert {answer["seat"] for answer in told} <= {-1, 2}
        assert not [answer for answer in told if answer["seat"] == -1 and "bot" in answer]
        assert {answer["kind"] for one in made["finishes"] for answer in one["answers"]} <= {
            "accept", "breaker", "king", "left"
        }  # fmt: skip


# ---- the photo-finish


def window(*groups: tuple[str, int, list[Event]], seat: int = 0, asked: tuple[int, ...] = (1, 2, 3)) -> tuple[Any, ...]:
    played = CardPlayed(Seat(seat), PLUS_THREE, None, NOT_STARTED.lead)
    opened: list[Event] = [played, WindowOpened(Seat(seat), tuple(map(Seat, asked)))]
    return recorded([("seat:0", 1_000, opened), *groups])


def test_answers_are_told_to_the_millisecond() -> None:
    """In the order in which the server took them, with who was a bot."""
    log = window(
        ("bot:2", 2_234, [WindowAccepted(Seat(2))]),
        ("seat:1", 2_235, [WindowAccepted(Seat(1))]),
        ("seat:3", 6_000, [WindowAccepted(Seat(3)), WindowClosed(Seat(0), WindowOutcome.ACCEPTED)]),
    )
    (one,) = finishes(log, "all", 8)
    assert {key: one[key] for key in ("open", "close", "seat", "outcome", "ms", "limit")} == {
        "open": 2, "close": 6, "seat": 0, "outcome": "accepted", "ms": 5_000, "limit": 8_000
    }  # fmt: skip
    assert [(a["seat"], a["kind"], a["ms"], a["bot"], a["version"]) for a in one["answers"]] == [
        (2, "accept", 1_234, True, 3),
        (1, "accept", 1_235, False, 4),
        (3, "accept", 5_000, False, 5),
    ]


def test_a_breaker_spares_those_who_had_not_answered() -> None:
    """Whoever saw that seat's game knows the card, but not who else was still asked."""
    lead = NOT_STARTED.lead
    broken: list[Event] = [
        CardPlayed(Seat(3), BREAKER, None, lead),
        CardsDrawn(Seat(0), (Card.parse("R1"),) * 3, DrawReason.BREAKER),
        WindowClosed(Seat(0), WindowOutcome.BREAKER),
    ]
    log = window(("seat:1", 1_500, [WindowAccepted(Seat(1))]), ("seat:3", 1_900, broken))
    (one,) = finishes(log, "all", 8)
    assert [(answer["seat"], answer["kind"]) for answer in one["answers"]] == [
        (1, "accept"), (3, "breaker"), (2, "spared")
    ]  # fmt: skip
    (seen,) = finishes(log, Seat(2), 8)
    assert [(answer["seat"], answer["kind"]) for answer in seen["answers"]] == [(-1, "accept"), (3, "breaker")]


def test_a_king_that_answers_is_laid_after_the_window_closed() -> None:
    """W4: the log closes the window first; the photo-finish knows the King all the same."""
    king: list[Event] = [
        WindowClosed(Seat(0), WindowOutcome.KING),
        CardPlayed(Seat(1), KING, None, NOT_STARTED.lead),
    ]
    (one,) = finishes(window(("seat:1", 1_750, king)), "all", 8)
    assert [(answer["seat"], answer["kind"], answer.get("ms")) for answer in one["answers"]] == [
        (1, "king", 750), (2, "spared", None), (3, "spared", None)
    ]  # fmt: skip


def test_who_lets_the_time_pass_is_late() -> None:
    """Told by name when every hand is open."""
    (one,) = finishes(window(("clock", 9_000, [WindowClosed(Seat(0), WindowOutcome.TIMEOUT)])), "all", 8)
    assert [(answer["seat"], answer["kind"]) for answer in one["answers"]] == [(1, "late"), (2, "late"), (3, "late")]


@pytest.mark.parametrize("number", range(4))
def test_every_window_of_a_game_has_its_finish(number: int) -> None:
    """As many as were opened and closed; whoever was asked is accounted for once."""
    log = random_log(number, seats=5, rules=replace(DEFAULT_RULES, mode=Mode.LADDER, hand_size=4))
    found = finishes(log, "all", 8)
    opened = [stored for stored in log if isinstance(stored.event, WindowOpened)]
    closed = [stored.version for stored in log if isinstance(stored.event, WindowClosed)]
    assert [one["close"] for one in found] == closed
    for one, stored in zip(found, opened, strict=False):
        assert one["open"] == stored.version
        assert isinstance(stored.event, WindowOpened)
        assert sorted(answer["seat"] for answer in one["answers"]) == sorted(stored.event.asked)
