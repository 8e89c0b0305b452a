"""One game in figures: a tiny game counted by hand, and random games counted by another way."""

from dataclasses import replace
from typing import Any

import pytest

from games.figures.counting import count
from games.rules import codec
from games.rules.cards import BREAKER, KING, PLUS_THREE, Card, Lead, Seat
from games.rules.events import (
    CardPlayed,
    CardsDealt,
    CardsDrawn,
    DrawReason,
    EndReason,
    Event,
    GameEnded,
    GameStarted,
    LastCardDeclared,
    LastCardMissed,
    PileReshuffled,
    Placing,
    SeedRevealed,
    TurnPassed,
    WindowAccepted,
    WindowClosed,
    WindowOpened,
    WindowOutcome,
)
from games.rules.ruleset import DEFAULT_RULES, Mode
from games.rules.state import CLOCKWISE
from tests.pages.logs import random_log, recorded

ZERO, ONE, TWO = Seat(0), Seat(1), Seat(2)
R5 = Lead.parse("R5")


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, text.split()))


def test_a_tiny_game_counted_by_hand() -> None:
    """Three seats, four turns: what was laid, drawn, asked, said, and left in hand."""
    rules = replace(DEFAULT_RULES, hand_size=3, voluntary_draw=True)
    hands = (cards("R5 R7 +3"), cards("R1 G1 G3"), cards("B1 X3 K"))
    pile = cards("Y1 Y3 Y4 Y5 Y6 Y7 Y8")
    groups: list[tuple[str, int, list[Event]]] = [
        ("server", 0, [GameStarted("1", rules, 3, ZERO), CardsDealt(hands, pile, Card.parse("R8"), ())]),
        ("seat:0", 1_000, [CardPlayed(ZERO, Card.parse("R5"), None, R5), TurnPassed(ONE, CLOCKWISE, 0)]),
        ("seat:1", 2_000, [CardsDrawn(ONE, cards("Y1"), DrawReason.TURN), TurnPassed(TWO, CLOCKWISE, 0)]),
        ("seat:2", 3_000, [
            CardsDrawn(TWO, cards("Y3"), DrawReason.TURN), PileReshuffled((), 1), TurnPassed(ZERO, CLOCKWISE, 0)
        ]),
        ("seat:0", 4_000, [CardPlayed(ZERO, PLUS_THREE, None, R5), WindowOpened(ZERO, (ONE, TWO))]),
        ("seat:1", 5_000, [WindowAccepted(ONE)]),
        ("seat:2", 6_000, [
            CardPlayed(TWO, BREAKER, None, R5),
            CardsDrawn(ZERO, cards("Y4 Y5 Y6"), DrawReason.BREAKER),
            WindowClosed(ZERO, WindowOutcome.BREAKER),
            LastCardMissed(TWO),
            LastCardDeclared(ONE),
            TurnPassed(ONE, CLOCKWISE, 0),
        ]),
        ("server", 90_000, [
            GameEnded(ONE, EndReason.STOPPED, (Placing(1, ONE, 4, 0),)), SeedRevealed("00" * 32)
        ]),
    ]  # fmt: skip
    found = count(recorded(groups))
    assert (found.mode, found.seats, found.house_rules) == ("single", 3, {"hand_size": 3, "voluntary_draw": True})
    assert (found.first, found.winner, found.reason) == (0, 1, "stopped")
    assert (found.events, found.turns, found.duration_ms, found.reshuffles) == (20, 5, 90_000, 1)
    assert (found.drawn, found.laid, found.clears) == ([3, 1, 1], [2, 0, 1], [0, 0, 0])
    assert (found.declared, found.missed) == (1, 1)
    assert found.played == {"R5": 1, "+3": 1, "X3": 1}
    assert found.held == {
        "R7": 1,
        "Y4": 1,
        "Y5": 1,
        "Y6": 1,
        "R1": 1,
        "G1": 1,
        "G3": 1,
        "Y1": 1,
        "B1": 1,
        "K": 1,
        "Y3": 1,
    }
    assert (found.windows, found.answers) == ({"breaker": 1}, {"asked": 2, "accepted": 1})
    assert found.drawn_for == {"turn": 2, "breaker": 3}
    assert KING.code in found.held


@pytest.mark.parametrize("number", range(6))
def test_random_games_recounted_from_their_stored_data(number: int) -> None:
    """By type names and plain data alone, as an export has them; and no card is lost."""
    mode = Mode.LADDER if number % 2 else Mode.SINGLE
    log = random_log(number, seats=2 + number, rules=replace(DEFAULT_RULES, mode=mode, hand_size=4))
    found = count(log)
    plain: list[tuple[str, dict[str, Any]]] = [(stored.type, stored.data) for stored in log]

    def some(kind: str) -> list[dict[str, Any]]:
        return [data for name, data in plain if name == kind]

    assert found.events == len(plain)
    assert found.turns == 1 + len(some("TurnPassed"))
    assert sum(found.laid) == sum(found.played.values()) == len(some("CardPlayed"))
    for seat in range(found.seats):
        assert found.laid[seat] == sum(data["seat"] == seat for data in some("CardPlayed"))
        assert found.drawn[seat] == sum(len(data["cards"]) for data in some("CardsDrawn") if data["seat"] == seat)
        assert found.clears[seat] == sum(data["seat"] == seat for data in some("StageCleared"))
    assert sum(found.drawn_for.values()) == sum(found.drawn)
    assert sum(found.windows.values()) == len(some("WindowClosed"))
    assert found.answers.get("accepted", 0) == len(some("WindowAccepted"))
    assert found.answers.get("asked", 0) == sum(len(data["asked"]) for data in some("WindowOpened"))
    assert (found.declared, found.missed) == (len(some("LastCardDeclared")), len(some("LastCardMissed")))
    assert found.reshuffles == len(some("PileReshuffled"))
    given_back = sum(len(data["cards"]) for data in some("SeatLeft"))
    dealt = sum(map(len, some("CardsDealt")[0]["hands"]))
    assert sum(found.held.values()) == dealt + sum(found.drawn) - sum(found.laid) - given_back
    assert (
        found.duration_ms
        == max(stored.recorded_at for stored in log).timestamp() * 1000 - log[0].recorded_at.timestamp() * 1000
    )
    assert found.first == some("GameStarted")[0]["first"]
    assert found.winner == some("GameEnded")[0].get("winner")


def test_a_log_that_is_no_finished_game_is_refused() -> None:
    """Not begun, or not ended."""
    log = random_log(1)
    for part in ((), log[1:], log[:-1]):
        with pytest.raises((ValueError, IndexError)):
            count(part)
    assert set(codec.EVENT_TYPES) > {stored.type for stored in log}
