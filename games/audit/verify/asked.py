"""Which command an event began: what must have been asked for such an event to be told first."""

from typing import Final

from games.audit.verify.ahead import Ahead
from games.audit.verify.chaining import Entry
from games.rules.cards import KING, Seat
from games.rules.commands import ACCEPT, CLOSE, DRAW, END, LAST, LEAVE, STOP, TIMEOUT, Command, Play
from games.rules.events import (
    CardPlayed,
    CardsDrawn,
    DrawReason,
    Event,
    GameEnded,
    LastCardDeclared,
    LastCardMissed,
    PileReshuffled,
    SeatLeft,
    TakiClosed,
    TakiLeftOpen,
    TurnPassed,
    WindowAccepted,
    WindowClosed,
    WindowOutcome,
)

_PERSONS: Final = frozenset({"seat", "bot"})
_SYSTEM: Final = frozenset({"clock", "staff", "server", "host"})
_SEATS: Final = frozenset("0123456789")


def acting_seat(actor: str) -> Seat | None:
    """The seat that an actor `seat:N` or `bot:N` acts for; None for the clock, the host, staff and the server."""
    kind, _, number = actor.partition(":")
    return Seat(int(number)) if kind in _PERSONS and number in _SEATS else None


def known_actor(actor: str) -> bool:
    """Somebody who can be named in a log."""
    return actor in _SYSTEM or acting_seat(actor) is not None


def concerned_seat(event: Event) -> Seat | None:
    """Whose act the event is, for those that say it."""
    return event.seat if isinstance(event, CardPlayed | WindowAccepted | LastCardDeclared | SeatLeft) else None


def asked(ahead: Ahead, entry: Entry) -> Command | None:
    """The command whose first event this is; None if no command begins so. ``entry`` is the next one of ``ahead``."""
    event = entry.event
    if acting_seat(entry.actor) is None:
        return _asked_by_system(event, by_clock=entry.actor == "clock")
    match event:
        case CardPlayed():
            return Play(event.card, event.color)
        case LastCardMissed():
            return _after_missed(ahead)
        case WindowClosed(outcome=WindowOutcome.KING):
            return Play(KING)
        case _:
            return _BEGUN_BY.get(type(event))


_BEGUN_BY: Final[dict[type[Event], Command]] = {
    CardsDrawn: DRAW,
    PileReshuffled: DRAW,
    TurnPassed: END,
    TakiLeftOpen: END,
    TakiClosed: CLOSE,
    WindowAccepted: ACCEPT,
    LastCardDeclared: LAST,
    SeatLeft: LEAVE,
}


def _asked_by_system(event: Event, *, by_clock: bool) -> Command | None:
    if isinstance(event, SeatLeft):
        return LEAVE
    if isinstance(event, GameEnded):
        return STOP
    return TIMEOUT if by_clock else None


def _after_missed(ahead: Ahead) -> Command | None:
    """Penalties come before the card that was laid, or before what was drawn."""
    place = 0
    while (entry := ahead.peek(place)) is not None:
        match entry.event:
            case LastCardMissed() | PileReshuffled() | CardsDrawn(reason=DrawReason.LAST_CARD):
                place += 1
            case CardPlayed() as played:
                return Play(played.card, played.color)
            case _:
                return DRAW
    return DRAW
