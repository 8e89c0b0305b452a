"""The state after an event. It copies outcomes and knows no rules; it accepts every event in every state.

The same functions fold a view: there the cards that the viewer may not know are HIDDEN, in the state and in the
redacted event alike.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar, assert_never

from games.rules.cards import HIDDEN, LEAD_OF_CARD, Seat, in_canonical_order
from games.rules.events import (
    BankChanged,
    CardPlayed,
    CardsDealt,
    CardsDrawn,
    ClockCredited,
    DeadlineSet,
    Event,
    FurtherCard,
    GameAborted,
    GameEnded,
    GameStarted,
    LastCardDeclared,
    LastCardDue,
    LastCardMissed,
    PileReshuffled,
    RunStarted,
    SeatAway,
    SeatLeft,
    SeatReturned,
    SeedCommitted,
    SeedRevealed,
    StackCancelled,
    StageCleared,
    TakiClosed,
    TakiLeftOpen,
    TurnIdled,
    TurnMissed,
    TurnPassed,
    WindowAccepted,
    WindowClosed,
    WindowOpened,
)
from games.rules.state import NO_SEED, NOT_STARTED, State

T = TypeVar("T")


def evolve(state: State, event: Event) -> State:  # noqa: C901  # one case an event, the most frequent first
    match event:
        case CardPlayed():
            return _card_played(state, event)
        case TurnPassed():
            return _turn_passed(state, event)
        case CardsDrawn():
            return _cards_drawn(state, event)
        case DeadlineSet() | BankChanged() | ClockCredited() | TurnMissed() | SeatAway() | SeatReturned():
            return state
        case SeedCommitted() | GameAborted() | SeedRevealed():
            return state
        case RunStarted():
            return state._replace(run=event.color, taki=None)
        case TakiLeftOpen():
            return state._replace(run=None, taki=event.color)
        case TakiClosed():
            return state._replace(run=None, taki=None)
        case FurtherCard():
            return state._replace(again=event.again)
        case LastCardDue():
            return state._replace(last=tuple(sorted({*state.last, event.seat})))
        case LastCardDeclared() | LastCardMissed():
            return state._replace(last=_without(state.last, event.seat))
        case WindowOpened():
            return state._replace(plus3=event.seat, answer=event.asked)
        case WindowAccepted():
            return state._replace(answer=_without(state.answer, event.seat))
        case WindowClosed():
            return state._replace(plus3=None, answer=())
        case StageCleared():
            return state._replace(stages=_put(state.stages, event.seat, event.stage))
        case PileReshuffled():
            return _pile_reshuffled(state, event)
        case StackCancelled():
            return state._replace(owe=0)
        case TurnIdled():
            return state._replace(idle=event.idle)
        case SeatLeft():
            return _seat_left(state, event)
        case GameEnded():
            return _game_ended(state, event)
        case GameStarted():
            return _game_started(state, event)
        case CardsDealt():
            return _cards_dealt(state, event)
        case _:
            assert_never(event)


def replay(events: Iterable[Event], *, seed: bytes = NO_SEED) -> State:
    """The state after these events from the first on. ``seed`` is the game's, which no event before the end tells."""
    state = NOT_STARTED._replace(seed=seed)
    for event in events:
        state = evolve(state, event)
    return state


def _card_played(state: State, event: CardPlayed) -> State:
    seat, hands = event.seat, state.hands
    hand = hands[seat]
    place = hand.index(event.card if event.card in hand else HIDDEN)
    return state._replace(
        hands=(*hands[:seat], hand[:place] + hand[place + 1 :], *hands[seat + 1 :]),
        pile=(event.card, *state.pile),
        lead=event.lead,
        again=None,
        last=_without(state.last, seat) if state.last else state.last,
        idle=0,
    )


def _turn_passed(state: State, event: TurnPassed) -> State:
    return state._replace(
        turn=event.to,
        direction=event.direction,
        owe=event.owe,
        again=None,
        locked=_without(state.locked, event.to) if state.locked else state.locked,
        turns=state.turns + 1,
    )


def _cards_drawn(state: State, event: CardsDrawn) -> State:
    if not event.cards:
        return state
    seat, hands = event.seat, state.hands
    return state._replace(
        hands=(*hands[:seat], in_canonical_order(hands[seat] + event.cards), *hands[seat + 1 :]),
        draw=state.draw[len(event.cards) :],
        last=_without(state.last, seat) if state.last else state.last,
        locked=tuple(sorted({*state.locked, seat})) if event.locked else state.locked,
        idle=0,
    )


def _pile_reshuffled(state: State, event: PileReshuffled) -> State:
    return state._replace(draw=state.draw + event.order, pile=state.pile[:1], shuffles=event.shuffle + 1)


def _seat_left(state: State, event: SeatLeft) -> State:
    seat = event.seat
    return state._replace(
        hands=_put(state.hands, seat, ()),
        draw=state.draw + event.cards,
        answer=_without(state.answer, seat),
        last=_without(state.last, seat),
        locked=_without(state.locked, seat),
        left=(*state.left, seat),
        shuffles=max(state.shuffles, event.shuffle + 1),
        idle=0,
    )


def _game_ended(state: State, event: GameEnded) -> State:
    return state._replace(
        over=True,
        winner=event.winner,
        owe=0,
        taki=None,
        run=None,
        again=None,
        plus3=None,
        answer=(),
        last=(),
        locked=(),
    )


def _game_started(state: State, event: GameStarted) -> State:
    stages = (event.rules.hand_size,) * event.seats if event.rules.ladder else ()
    return state._replace(
        rules_version=event.rules_version,
        rules=event.rules,
        hands=((),) * event.seats,
        turn=event.first,
        stages=stages,
    )


def _cards_dealt(state: State, event: CardsDealt) -> State:
    return state._replace(
        hands=event.hands,
        draw=event.draw,
        pile=(event.opening,),
        lead=LEAD_OF_CARD[event.opening],
        shuffles=1,
    )


def _without(seats: tuple[Seat, ...], seat: Seat | None) -> tuple[Seat, ...]:
    return tuple(other for other in seats if other != seat)


def _put(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*values[:place], value, *values[place + 1 :])
