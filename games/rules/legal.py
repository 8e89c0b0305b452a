"""What a seat may do now, and why not the rest."""

from __future__ import annotations

from games.rules.allowed import allowed_on_turn, breaker_locked, takes_color
from games.rules.cards import BREAKER, KING, Card, Seat
from games.rules.commands import (
    ACCEPT,
    ALL_COMMANDS,
    CLOSE,
    COLORED_PLAYS,
    COMMAND_ID,
    DRAW,
    END,
    LAST,
    LEAVE,
    PLAIN_PLAY,
    Command,
    DeclareLastCard,
    Leave,
    Play,
)
from games.rules.decide import decide
from games.rules.draw import draw_refusal
from games.rules.refusals import Refused
from games.rules.state import State
from games.rules.taki_run import close_refusal, end_refusal
from games.rules.window import king_may_answer


def legal_commands(state: State, seat: Seat) -> tuple[Command, ...]:
    """Every atomic command that ``decide`` accepts from this seat: plays in the order of the hand, then the others.

    Empty once the game is over or the seat has left. The system's Timeout and Stop are never among them.
    """
    if state.over or seat in state.left:
        return ()
    commands: list[Command] = []
    if state.plus3 is not None:
        if seat in state.answer:
            _answers(state, seat, commands)
    elif seat == state.turn:
        _plays(state, seat, commands)
        _without_card(state, commands)
    if seat in state.last:
        commands.append(LAST)
    commands.append(LEAVE)
    return tuple(commands)


def _answers(state: State, seat: Seat, commands: list[Command]) -> None:
    hand = state.hands[seat]
    if KING in hand and king_may_answer(state, seat):
        commands.append(PLAIN_PLAY[KING])
    if BREAKER in hand and not breaker_locked(state, seat, hand):
        commands.append(PLAIN_PLAY[BREAKER])
    commands.append(ACCEPT)


def _plays(state: State, seat: Seat, commands: list[Command]) -> None:
    allowed = allowed_on_turn(state)
    hand = state.hands[seat]
    previous = None
    for card in hand:
        if card is previous or card not in allowed:
            continue
        previous = card
        if card.color is None and takes_color(state, card):
            commands.extend(COLORED_PLAYS[card])
        elif card is not BREAKER or not breaker_locked(state, seat, hand):
            commands.append(PLAIN_PLAY[card])


def _without_card(state: State, commands: list[Command]) -> None:
    if draw_refusal(state) is None:
        commands.append(DRAW)
    if state.run is not None and close_refusal(state) is None:
        commands.append(CLOSE)
    if not (state.run is None and state.again is None) and end_refusal(state) is None:
        commands.append(END)


def may_act(state: State, seat: Seat) -> bool:
    """The seat has a legal command other than leaving and saying "last card"."""
    return any(not isinstance(command, Leave | DeclareLastCard) for command in legal_commands(state, seat))


def refusal(state: State, seat: Seat | None, command: Command) -> Refused | None:
    """Why ``decide`` would refuse this command; None if it would not."""
    try:
        decide(state, seat, command)
    except Refused as refused:
        return refused
    return None


def grey_cards(state: State, seat: Seat) -> tuple[tuple[Card, Refused], ...]:
    """The kinds of card in the seat's hand that it cannot lay now, each with the reason, in canonical order."""
    playable = {command.card for command in legal_commands(state, seat) if isinstance(command, Play)}
    grey = [card for card in dict.fromkeys(state.hands[seat]) if card not in playable]
    return tuple((card, refused) for card in grey if (refused := refusal(state, seat, PLAIN_PLAY[card])))


def legal_mask(state: State, seat: Seat) -> tuple[bool, ...]:
    """One flag for each of ALL_COMMANDS, True where it is legal for this seat: an agent's action mask."""
    legal = {COMMAND_ID[command] for command in legal_commands(state, seat)}
    return tuple(number in legal for number in range(len(ALL_COMMANDS)))
