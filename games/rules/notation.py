"""Commands and positions in text (section 15). Every error is a ValueError that names the word that is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeVar

from games.rules.cards import HIDDEN, LEAD_OF_CARD, Card, Color, Lead, Seat, in_canonical_order
from games.rules.commands import (
    ACCEPT,
    CLOSE,
    DRAW,
    END,
    LAST,
    LEAVE,
    STOP,
    TIMEOUT,
    Command,
    Play,
)
from games.rules.ruleset import DEFAULT_RULES, Ruleset, deck_cards
from games.rules.setup import SEATS_LEAST, SEATS_MOST
from games.rules.shuffle import SEED_BYTES
from games.rules.state import CLOCKWISE, COUNTERCLOCKWISE, NO_SEED, Again, Direction, Hand, State

T = TypeVar("T")

WORDS: Final[dict[str, Command]] = {
    "draw": DRAW,
    "close": CLOSE,
    "end": END,
    "last": LAST,
    "accept": ACCEPT,
    "leave": LEAVE,
    "timeout": TIMEOUT,
    "stop": STOP,
}
"""The commands of one word."""
_WORD_OF: Final = {command: word for word, command in WORDS.items()}
_AFTER_CARDS: Final = (("last",), ("close",), ("end",), ("last", "close"), ("last", "end"))


def parse_command(text: str) -> tuple[Command, ...]:
    """The atomic commands of one command text, in order: ``"play RT R3 last close"`` has four."""
    words = text.split()
    if not words:
        raise ValueError("an empty command")
    if words[0] == "play":
        return _parse_play(words[1:])
    if words[0] not in WORDS:
        raise ValueError(f"not a command: {_shown(words[0])}")
    if len(words) > 1:
        raise ValueError(f"nothing may follow {words[0]!r}: {_shown(words[1])}")
    return (WORDS[words[0]],)


def _parse_play(words: list[str]) -> tuple[Command, ...]:
    cards = 0
    while cards < len(words) and words[cards] not in WORDS:
        cards += 1
    if not cards:
        raise ValueError("play needs a card" + (f", not {_shown(words[0])}" if words else ""))
    plays = tuple(parse_play(word) for word in words[:cards])
    rest = tuple(words[cards:])
    if rest and rest not in _AFTER_CARDS:
        raise ValueError(f"after the cards come last, then close or end, not {_shown(' '.join(rest))}")
    return plays + tuple(WORDS[word] for word in rest)


def parse_play(word: str) -> Play:
    """One ``CARD`` or ``CARD=COLOR``."""
    code, named, color = word.partition("=")
    card = _parse_card(code)
    return Play(card, _parse_color(color) if named else None)


def format_command(commands: Sequence[Command]) -> str:
    """The text that ``parse_command`` reads as these commands."""
    words = [_word(command) for command in commands]
    return " ".join(["play", *words] if commands and isinstance(commands[0], Play) else words)


def _word(command: Command) -> str:
    if isinstance(command, Play):
        return command.card.code + (f"={command.color.value}" if command.color else "")
    return _WORD_OF[command]


def _shown(text: str) -> str:
    """A word as an error message may repeat it: ASCII and short, whatever a client sent."""
    return ascii(text if len(text) <= 40 else text[:40] + "…")


def _parse_card(code: str) -> Card:
    card = _KNOWN.get(code)
    if card is None:
        raise ValueError(f"not a card: {_shown(code)}")
    return card


_KNOWN: Final = {card.code: card for card in deck_cards(DEFAULT_RULES.deck)}
_COLORS: Final = {color.value: color for color in Color}


def _parse_color(letter: str) -> Color:
    color = _COLORS.get(letter)
    if color is None:
        raise ValueError(f"not a colour (R, G, B, Y): {_shown(letter)}")
    return color


# ---- positions


def format_position(state: State) -> str:
    """The canonical line: hands, draw and pile always, every other key only if it differs from its default."""
    words = position_words(state)
    defaults = default_words(state)
    return " ".join(f"{key}={value}" for key, value in words.items() if value != defaults.get(key))


def position_words(state: State) -> dict[str, str]:
    """Every key of the position with its value, in canonical order."""
    return {
        "hands": "/".join(_format_hand(state, Seat(seat)) for seat in range(state.seats)),
        "draw": format_cards(state.draw),
        "pile": format_cards(state.pile),
        "lead": state.lead.code,
        "turn": str(state.turn),
        "dir": "+" if state.direction == CLOCKWISE else "-",
        "owe": str(state.owe),
        "taki": state.taki.value if state.taki else "-",
        "run": state.run.value if state.run else "-",
        "again": state.again.value if state.again else "-",
        "plus3": "-" if state.plus3 is None else str(state.plus3),
        "answer": _format_seats(state.answer),
        "last": _format_seats(state.last),
        "locked": _format_seats(state.locked),
        "stages": "/".join(map(str, state.stages)) or "-",
        "idle": str(state.idle),
        "turns": str(state.turns),
        "shuffles": str(state.shuffles),
        "seed": state.seed.hex(),
        "winner": _format_winner(state),
    }


_DEFAULT_WORDS: Final = {
    "turn": "0",
    "dir": "+",
    "owe": "0",
    "taki": "-",
    "run": "-",
    "again": "-",
    "plus3": "-",
    "answer": "-",
    "last": "-",
    "locked": "-",
    "stages": "-",
    "idle": "0",
    "turns": "0",
    "shuffles": "1",
    "seed": NO_SEED.hex(),
    "winner": "-",
}
POSITION_KEYS: Final = ("hands", "draw", "pile", "lead", *_DEFAULT_WORDS)
"""Every key of a position, in canonical order."""


def default_words(state: State) -> dict[str, str]:
    """What an absent key means in this position; the lead has a default if the top card is coloured."""
    top = state.pile[0] if state.pile else HIDDEN
    return {**_DEFAULT_WORDS, "lead": LEAD_OF_CARD[top].code} if top in LEAD_OF_CARD else _DEFAULT_WORDS


def format_cards(cards: Iterable[Card]) -> str:
    return ",".join(card.code for card in cards) or "-"


def parse_cards(text: str) -> Hand:
    """The cards of a list as ``format_cards`` writes it, in its order."""
    return () if text == "-" else tuple(_parse_card(code) for code in text.split(","))


def _format_hand(state: State, seat: Seat) -> str:
    return "x" if seat in state.left else format_cards(state.hands[seat])


def _format_seats(seats: Iterable[Seat]) -> str:
    return ",".join(map(str, sorted(seats))) or "-"


def _format_winner(state: State) -> str:
    if not state.over:
        return "-"
    return "none" if state.winner is None else str(state.winner)


def parse_position(line: str, rules: Ruleset = DEFAULT_RULES) -> State:
    """The state of a position line. Seats that left are taken to have left in ascending order."""
    words = split_words(line, POSITION_KEYS)
    for required in ("hands", "pile"):
        if required not in words:
            raise ValueError(f"a position needs {required}=")
    return _Position(words, rules).state()


def split_words(line: str, known: Iterable[str]) -> dict[str, str]:
    """The ``key=value`` words of a line. ValueError names a word of another form, an unknown or a repeated key."""
    words: dict[str, str] = {}
    for word in line.split():
        key, equals, value = word.partition("=")
        if not equals or not value:
            raise ValueError(f"not key=value: {_shown(word)}")
        if key not in known:
            raise ValueError(f"no such key: {_shown(key)}")
        if key in words:
            raise ValueError(f"given twice: {_shown(key)}")
        words[key] = value
    return words


class _Position:
    """The words of one position line, read key by key."""

    def __init__(self, words: Mapping[str, str], rules: Ruleset) -> None:
        self.words = words
        self.rules = rules
        hands = words["hands"].split("/")
        if not SEATS_LEAST <= len(hands) <= SEATS_MOST:
            raise self._wrong("hands", f"a table has {SEATS_LEAST} to {SEATS_MOST} seats")
        self.seats = len(hands)
        self.left = tuple(Seat(seat) for seat, hand in enumerate(hands) if hand == "x")
        self.hands = tuple(() if hand == "x" else in_canonical_order(self._cards("hands", hand)) for hand in hands)
        self.pile = self._cards("pile", words["pile"])
        if not self.pile:
            raise self._wrong("pile", "a card must lie there")

    def state(self) -> State:
        plus3 = self._read("plus3", self._seat, None)
        winner = self.words.get("winner", "-")
        return State(
            rules=self.rules,
            hands=self.hands,
            draw=self._draw(),
            pile=self.pile,
            lead=self._lead(),
            turn=self._turn(),
            direction=self._direction(),
            owe=self._count("owe", 0),
            taki=self._read("taki", _parse_color, None),
            run=self._read("run", _parse_color, None),
            again=self._read("again", Again, None),
            plus3=plus3,
            answer=self._seats("answer"),
            last=self._seats("last"),
            locked=self._seats("locked"),
            stages=self._stages(),
            idle=self._count("idle", 0),
            turns=self._count("turns", 0),
            shuffles=self._count("shuffles", 1),
            seed=self._seed(),
            over=winner != "-",
            winner=None if winner in ("-", "none") else self._read("winner", self._seat, None),
            left=self.left,
        )

    def _wrong(self, key: str, why: str) -> ValueError:
        return ValueError(f"{key}={_shown(self.words.get(key, ''))}: {why}")

    def _read(self, key: str, read: Callable[[str], T], default: T) -> T:
        """The value of a key by its reader, whose ValueError gets the key's name; absent or "-" is the default."""
        text = self.words.get(key, "-")
        if text == "-":
            return default
        try:
            return read(text)
        except ValueError as error:
            raise self._wrong(key, str(error)) from None

    def _cards(self, key: str, text: str) -> Hand:
        try:
            return parse_cards(text)
        except ValueError as error:
            raise self._wrong(key, str(error)) from None

    def _draw(self) -> Hand:
        text = self.words.get("draw", "*")
        if text != "*":
            return self._cards("draw", text)
        named = Counter(card for cards in (*self.hands, self.pile) for card in cards)
        rest = Counter(deck_cards(self.rules.deck))
        rest.subtract(named)
        missing = [card.code for card, count in rest.items() if count < 0]
        if missing:
            raise self._wrong("hands", f"more {missing[0]} than the deck holds")
        return in_canonical_order(rest.elements())

    def _lead(self) -> Lead:
        top = self.pile[0]
        if "lead" not in self.words:
            if top not in LEAD_OF_CARD:
                raise ValueError(f"a position needs lead= when {top.code} lies on top")
            return LEAD_OF_CARD[top]
        try:
            return Lead.parse(self.words["lead"])
        except ValueError:
            raise self._wrong("lead", "not a lead (R7, R or any)") from None

    def _direction(self) -> Direction:
        text = self.words.get("dir", "+")
        if text not in ("+", "-"):
            raise self._wrong("dir", "not + or -")
        return CLOCKWISE if text == "+" else COUNTERCLOCKWISE

    def _turn(self) -> Seat:
        turn = Seat(0) if "turn" not in self.words else self._read("turn", self._seat, None)
        if turn is None:
            raise self._wrong("turn", "not a seat")
        return turn

    def _seat(self, text: str) -> Seat:
        seat = parse_count(text)
        if seat >= self.seats:
            raise ValueError("no such seat")
        return Seat(seat)

    def _seats(self, key: str) -> tuple[Seat, ...]:
        def read(text: str) -> tuple[Seat, ...]:
            seats = [self._seat(part) for part in text.split(",")]
            if len(set(seats)) < len(seats):
                raise ValueError("a seat is named twice")
            return tuple(sorted(seats))

        nobody: tuple[Seat, ...] = ()
        return self._read(key, read, nobody)

    def _count(self, key: str, default: int) -> int:
        return self._read(key, parse_count, default)

    def _stages(self) -> tuple[int, ...]:
        def read(text: str) -> tuple[int, ...]:
            return tuple(parse_count(part) for part in text.split("/"))

        no_stages: tuple[int, ...] = ()
        stages = self._read("stages", read, no_stages)
        if bool(stages) != self.rules.ladder:
            raise self._wrong("stages", "needed in ladder mode, and only there")
        if stages and len(stages) != self.seats:
            raise self._wrong("stages", f"there are {self.seats} seats")
        if any(not 1 <= stage <= self.rules.hand_size for stage in stages):
            raise self._wrong("stages", f"not a stage from 1 to {self.rules.hand_size}")
        return stages

    def _seed(self) -> bytes:
        return self._read("seed", parse_seed, NO_SEED)


def parse_count(text: str) -> int:
    """A whole number of at most nine digits, without a sign: ``int`` alone would take "+1", "1_0" and "٣"."""
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise ValueError("not a whole number")
    return int(text)


def parse_seed(text: str) -> bytes:
    """A seed as 64 hexadecimal digits."""
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES or len(text) != 2 * SEED_BYTES:
        raise ValueError(f"a seed has {2 * SEED_BYTES} hexadecimal digits")
    return seed
