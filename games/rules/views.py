"""What a viewer may know: of a state, and of an event. The only door through which either leaves the server."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from games.rules.cards import HIDDEN, Card, Seat
from games.rules.events import (
    CardsDealt,
    CardsDrawn,
    Event,
    PileReshuffled,
    SeatLeft,
    WindowAccepted,
    WindowOpened,
)
from games.rules.evolve import evolve
from games.rules.state import NO_SEED, State


class View(NamedTuple):
    """A state as ``viewer`` sees it (None: a spectator).

    Cards that it may not know are HIDDEN, the seed is zeros, ``locked`` and ``answer`` hold at most the viewer
    itself: who has a locked Breaker, and who has not answered a +3, is nobody else's business (T4, W8).
    """

    viewer: Seat | None
    state: State


def view_for(state: State, viewer: Seat | None) -> View:
    """The state as this seat sees it, or as a spectator does."""
    hands = tuple(hand if seat == viewer else _hidden(hand) for seat, hand in enumerate(state.hands))
    return View(
        viewer,
        state._replace(
            hands=hands,
            draw=_hidden(state.draw),
            seed=NO_SEED,
            locked=_only(state.locked, viewer),
            answer=_only(state.answer, viewer),
        ),
    )


def evolve_view(view: View, event: Event) -> View:
    """The view after an event that was redacted for the same viewer."""
    return View(view.viewer, evolve(view.state, event))


def redact(event: Event, viewer: Seat | None) -> Event:
    """The event as this seat may know it, or as a spectator may."""
    match event:
        case CardsDrawn(seat=seat, cards=cards) if seat != viewer and cards:
            return replace(event, cards=_hidden(cards), locked=False)
        case CardsDealt(hands=hands):
            shown = tuple(hand if seat == viewer else _hidden(hand) for seat, hand in enumerate(hands))
            return replace(event, hands=shown, draw=_hidden(event.draw))
        case PileReshuffled(order=order):
            return replace(event, order=_hidden(order))
        case SeatLeft(cards=cards):
            return replace(event, cards=_hidden(cards))
        case WindowOpened(asked=asked):
            return replace(event, asked=_only(asked, viewer))
        case WindowAccepted(seat=seat) if seat != viewer:
            return WindowAccepted(None)
        case _:
            return event


def _hidden(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    return (HIDDEN,) * len(cards)


def _only(seats: tuple[Seat, ...], viewer: Seat | None) -> tuple[Seat, ...]:
    return (viewer,) if viewer is not None and viewer in seats else ()
