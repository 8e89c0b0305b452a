"""The bot that gets rid of cards: it prefers playing, keeps its colourless cards, and closes its TAKIs."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from games.bots.policy import pick, serious
from games.rules.cards import BREAKER, CHANGE_COLOR, KING, PLUS_THREE, SUPER_TAKI, Card, Color, Face
from games.rules.commands import ACCEPT, CLOSE, DRAW, END, Command, Play
from games.rules.state import Hand, State
from games.rules.views import View

FEW_CARDS: Final = 2
"""From so few cards in another hand on, an attack is worth a good card."""
DEAR_STACK: Final = 4
"""From so many cards on, a King is not too good to be spent on a stack."""

_ATTACKS: Final = frozenset({Face.PLUS_TWO, Face.STOP, Face.CHANGE_DIRECTION})
_LAST_OF_A_RUN: Final = {Face.PLUS_TWO: 4, Face.STOP: 3, Face.CHANGE_DIRECTION: 2, Face.PLUS: 1, Face.TAKI: -2}
"""The better the effect of a face, the later in a run it is laid; a TAKI on top could not be closed."""


def choose(view: View, legal: tuple[Command, ...], seed: bytes) -> Command:
    """The most useful command; the seed decides among equals."""
    state = view.state
    if view.viewer is None:
        raise ValueError("a spectator does not play")
    options = serious(legal)
    if len(options) == 1:
        return options[0]
    hand = state.hands[view.viewer]
    plays = [command for command in options if isinstance(command, Play)]
    if ACCEPT in options:
        return _answer(state, plays)
    if state.run is not None:
        return _run_on(state, hand, plays, options, seed)
    return _on_turn(view, hand, plays, options, seed)


# ---- in a +3 window


def _answer(state: State, plays: list[Play]) -> Command:
    """A Breaker saves three cards and costs the other three; a King saves them and gives the turn."""
    cards = {play.card: play for play in plays}
    if BREAKER in cards:
        return cards[BREAKER]
    won_unless_broken = state.plus3 is not None and not state.hands[state.plus3]
    if KING in cards and not won_unless_broken:
        return cards[KING]
    return ACCEPT


# ---- in a run


def _run_on(state: State, hand: Hand, plays: list[Play], options: tuple[Command, ...], seed: bytes) -> Command:
    """Lay what can be laid, the best effect last; then close, and leave the TAKI open only if it must be."""
    worth_laying = [play for play in plays if _worth_laying(state, hand, play, options)]
    if worth_laying:
        return _best(worth_laying, lambda play: -_lateness(play.card, hand), seed)
    for ending in (CLOSE, END):
        if ending in options:
            return ending
    return pick(options, seed)


def _worth_laying(state: State, hand: Hand, play: Play, options: tuple[Command, ...]) -> bool:
    card = play.card
    if len(hand) == 1:
        return card.face is not Face.PLUS or state.rules.plus_finishes or END not in options
    if card is CHANGE_COLOR or card is SUPER_TAKI:
        return False
    if card.face is Face.TAKI and CLOSE in options:
        return any(other.color is state.run and other.face is not Face.TAKI for other in hand)
    return True


def _lateness(card: Card, hand: Hand) -> int:
    if card.face is Face.PLUS and all(other.color is card.color for other in hand):
        return -1  # laid as the very last card it would not win (P3)
    return _LAST_OF_A_RUN.get(card.face, 0) if card.face else 0


# ---- on one's turn


def _on_turn(view: View, hand: Hand, plays: list[Play], options: tuple[Command, ...], seed: bytes) -> Command:
    scores = {play: _score(view, hand, play) for play in plays}
    good = [play for play in plays if scores[play] > 0 or not (DRAW in options or END in options)]
    if good:
        return _best(good, scores.__getitem__, seed)
    for way_out in (DRAW, END):
        if way_out in options:
            return way_out
    return pick(options, seed)


def _score(view: View, hand: Hand, play: Play) -> int:
    """How much the play is worth; 0 or less: drawing one card is better, if that is allowed."""
    card = play.card
    if len(hand) == 1:
        return 0 if card is BREAKER or _is_plus_that_cannot_win(view, card) else 1000
    if card.color is not None:
        return _score_of_colored(view, hand, card, card.color)
    return _score_of_colorless(view, hand, play)


def _is_plus_that_cannot_win(view: View, card: Card) -> bool:
    return card.face is Face.PLUS and not view.state.rules.plus_finishes


def _score_of_colored(view: View, hand: Hand, card: Card, color: Color) -> int:
    further = _held(hand)[color] - 1
    score = 100 - 2 * further  # a colour of which there is little is got rid of: what is left makes longer runs
    if card.face is Face.TAKI:
        return score + 30 * further if further else 20  # alone it lies open for the next seat
    if card.face is Face.PLUS:
        return score + 15 if further else 30
    if card.face in _ATTACKS:
        return score + (60 if _somebody_is_close(view) else 5)
    return score + 10


def _score_of_colorless(view: View, hand: Hand, play: Play) -> int:
    """Kept as long as something else can be laid, unless it does a lot now."""
    color = play.color or view.state.lead.color
    further = _held(hand)[color] if color else 0
    if play.card is SUPER_TAKI:
        return 30 * further + further if further else 5
    if play.card is PLUS_THREE:
        return 150 if _somebody_is_close(view) else 15
    if play.card is CHANGE_COLOR:
        return 10 + further
    if play.card is KING:
        return 8 if not view.state.owe or view.state.owe >= DEAR_STACK or len(hand) <= FEW_CARDS + 1 else -1
    return -1  # a Breaker of one's own costs three cards (B2)


def _somebody_is_close(view: View) -> bool:
    hands, left = view.state.hands, view.state.left
    return any(
        0 < len(hand) <= FEW_CARDS for seat, hand in enumerate(hands) if seat != view.viewer and seat not in left
    )


def _held(hand: Hand) -> Counter[Color]:
    return Counter(card.color for card in hand if card.color is not None)


def _best(plays: Sequence[Play], worth: Callable[[Play], int], seed: bytes) -> Play:
    most = max(worth(play) for play in plays)
    return pick([play for play in plays if worth(play) == most], seed)
