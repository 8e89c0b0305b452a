"""A command against a state: the events it makes, or Refused. The way in to every rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, assert_never

from games.rules.cards import Seat
from games.rules.commands import (
    Accept,
    CloseTaki,
    Command,
    DeclareLastCard,
    Draw,
    EndTurn,
    Leave,
    Play,
    Stop,
    Timeout,
)
from games.rules.draft import Draft
from games.rules.draw import draw, draw_refusal
from games.rules.events import EndReason, Event, TakiClosed
from games.rules.last_card import declare_last_card, last_card_refusal
from games.rules.leave import leave
from games.rules.play import play_on_turn
from games.rules.refusals import Refusal, Refused
from games.rules.ruleset import KNOWN_VERSIONS
from games.rules.state import State
from games.rules.taki_run import close, close_refusal, end, end_refusal
from games.rules.timeout import time_out
from games.rules.window import answer


class Advance(NamedTuple):
    """What a command came to: its events, and the state after them."""

    events: tuple[Event, ...]
    state: State


def decide(state: State, seat: Seat | None, command: Command, *, within_grace: bool = False) -> tuple[Event, ...]:
    """The events of one atomic command of this seat; ``seat`` is None for Timeout and Stop, which are the system's.

    ``within_grace``: the command came within ``last_card_grace_seconds`` (L3).
    Raises Refused if the rules do not allow it, ValueError if no seat of the table asks, or if the game began with a
    version of the rules that is not known here.
    """
    return advance(state, seat, (command,), within_grace=within_grace).events


def advance(state: State, seat: Seat | None, commands: Sequence[Command], *, within_grace: bool = False) -> Advance:
    """A whole command, part by part, all or nothing (section 15); errors as in ``decide``.

    Parts after the one that ends the game are ignored. After a Plus that ended its run (U11) the next part may
    close the TAKI or leave it, though the turn has passed.
    """
    if state.rules_version not in KNOWN_VERSIONS:
        raise ValueError(f"rules version {state.rules_version!r} is not among {sorted(KNOWN_VERSIONS)}")
    draft = Draft(state, within_grace=within_grace)
    for command in commands:
        if draft.state.over and draft.events:
            break
        run_ended, draft.plus_ended_run = draft.plus_ended_run, False
        if run_ended and isinstance(command, CloseTaki | EndTurn):
            _close_after_plus(draft, command)
        else:
            _decide(draft, seat, command)
    return Advance(tuple(draft.events), draft.state)


def _close_after_plus(draft: Draft, command: CloseTaki | EndTurn) -> None:
    if isinstance(command, CloseTaki) and draft.state.taki is not None:
        draft.tell(TakiClosed())


def _decide(draft: Draft, seat: Seat | None, command: Command) -> None:
    if draft.state.over:
        raise Refused(Refusal.GAME_OVER, "E1")
    if isinstance(command, Timeout | Stop):
        _decide_for_system(draft, seat, command)
        return
    if seat is None or not 0 <= seat < draft.state.seats:
        raise ValueError(f"no such seat: {seat}")
    if seat in draft.state.left:
        raise Refused(Refusal.SEAT_LEFT, "Z4")
    _decide_for_seat(draft, seat, command)


def _decide_for_system(draft: Draft, seat: Seat | None, command: Timeout | Stop) -> None:
    if seat is not None:
        raise ValueError(f"a seat may not ask for {type(command).__name__}")
    if isinstance(command, Stop):
        draft.end_game(None, EndReason.STOPPED)
    else:
        time_out(draft)


def _decide_for_seat(
    draft: Draft, seat: Seat, command: Play | Draw | CloseTaki | EndTurn | DeclareLastCard | Accept | Leave
) -> None:
    if isinstance(command, Leave):
        leave(draft, seat)
    elif isinstance(command, DeclareLastCard):
        _allow(last_card_refusal(draft.state, seat))
        declare_last_card(draft, seat)
    elif draft.state.plus3 is not None:
        answer(draft, seat, command)
    elif isinstance(command, Accept):
        raise Refused(Refusal.NO_WINDOW, "W2")
    elif seat != draft.state.turn:
        raise Refused(Refusal.NOT_YOUR_TURN, "T1")
    else:
        _decide_on_turn(draft, seat, command)


def _decide_on_turn(draft: Draft, seat: Seat, command: Play | Draw | CloseTaki | EndTurn) -> None:
    match command:
        case Play():
            play_on_turn(draft, seat, command)
        case Draw():
            _allow(draw_refusal(draft.state))
            draw(draft, seat)
        case CloseTaki():
            _allow(close_refusal(draft.state))
            close(draft)
        case EndTurn():
            _allow(end_refusal(draft.state))
            end(draft)
        case _:
            assert_never(command)


def _allow(refused: Refused | None) -> None:
    if refused:
        raise refused
