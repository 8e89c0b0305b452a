"""The table of the second engine: seats, piles, turns, and how time passes (sections 4, 8–11 of the rules)."""

from dataclasses import dataclass, field

from tests.rules.second.cards import color_of, face_of, in_order, shuffled

Lead = tuple[str | None, str | None]
ANY: Lead = (None, None)


@dataclass
class Table:
    """Everything that a position names, and what the text needs besides. Changed in place."""

    rules: dict[str, str | int | bool]
    hands: list[list[str]]
    draw: list[str]
    pile: list[str]
    lead: Lead = ANY
    turn: int = 0
    direction: int = 1
    owe: int = 0
    taki: str | None = None
    run: str | None = None
    again: str | None = None
    plus3: int | None = None
    answer: set[int] = field(default_factory=set)
    last: set[int] = field(default_factory=set)
    locked: set[int] = field(default_factory=set)
    stages: list[int] = field(default_factory=list)
    idle: int = 0
    turns: int = 0
    shuffles: int = 1
    seed: bytes = bytes(32)
    winner: str = "-"
    left: list[int] = field(default_factory=list)
    moved: bool = False
    """A card was played or drawn in this turn (Z3)."""
    run_ended_by_plus: bool = False
    """The part before was a Plus that P3 ended in a run (U11)."""

    def words(self) -> dict[str, str]:
        """The position as section 15 writes it, every key."""
        color, face = self.lead
        return {
            "hands": "/".join("x" if seat in self.left else _cards(hand) for seat, hand in enumerate(self.hands)),
            "draw": _cards(self.draw),
            "pile": _cards(self.pile),
            "lead": color + (face or "") if color else "any",
            "turn": str(self.turn),
            "dir": "+" if self.direction == 1 else "-",
            "owe": str(self.owe),
            "taki": self.taki or "-",
            "run": self.run or "-",
            "again": self.again or "-",
            "plus3": "-" if self.plus3 is None else str(self.plus3),
            "answer": _seats(self.answer),
            "last": _seats(self.last),
            "locked": _seats(self.locked),
            "stages": "/".join(map(str, self.stages)) or "-",
            "idle": str(self.idle),
            "turns": str(self.turns),
            "shuffles": str(self.shuffles),
            "seed": self.seed.hex(),
            "winner": self.winner,
        }

    # ---- seats

    def seats_in(self) -> list[int]:
        return [seat for seat in range(len(self.hands)) if seat not in self.left]

    def turn_order(self, first: int) -> list[int]:
        around = [(first + self.direction * place) % len(self.hands) for place in range(len(self.hands))]
        return [seat for seat in around if seat not in self.left]

    def next_seat(self, seat: int) -> int:
        """Who left is passed over (T6), and who waits (G4); a seat that is alone follows itself."""
        others = [other for other in self.turn_order(seat) if other != seat and self.hands[other]]
        return others[0] if others else seat

    def at_last_stage(self, seat: int) -> bool:
        return not self.stages or self.stages[seat] == 1

    def winning_plus3_open(self) -> bool:
        """W7, breaker_stops_win: with both piles dry no such window opens."""
        owner = self.plus3
        stops = bool(self.rules["breaker_stops_win"]) and not self.dry()
        return owner is not None and stops and not self.hands[owner] and self.at_last_stage(owner)

    # ---- piles

    def dry(self) -> bool:
        return not self.draw and len(self.pile) == 1

    def take(self, seat: int, count: int) -> list[str]:
        """Z1: card by card, reshuffling when one must be drawn and there is none."""
        taken: list[str] = []
        while len(taken) < count and not self.dry():
            if not self.draw:
                self.draw = shuffled(self.seed, self.shuffles, self.pile[1:])
                self.shuffles += 1
                del self.pile[1:]
            taken.append(self.draw.pop(0))
        self.hands[seat] = in_order(self.hands[seat] + taken)
        if taken:
            self.card_moved()
        if len(self.hands[seat]) != 1:
            self.last.discard(seat)
        return taken

    def lay(self, seat: int, card: str) -> None:
        """The card lies on top, and whoever else waits is dealt what it freed (G4)."""
        waiting = self.waiting_but(seat)
        self.hands[seat].remove(card)
        self.last.discard(seat)
        self.pile.insert(0, card)
        self.card_moved()
        for other in waiting:
            self.take(other, self.stages[other])

    def waiting_but(self, seat: int) -> list[int]:
        winning = self.plus3 if self.winning_plus3_open() else None
        return [other for other in self.seats_in() if other not in (seat, winning) and not self.hands[other]]

    def card_moved(self) -> None:
        self.idle, self.moved = 0, True

    # ---- turns

    def pass_turn(self, *, skip: bool = False) -> None:
        self.again = None
        following = self.next_seat(self.turn)
        self.begin_turn(self.next_seat(following) if skip else following)
        if self.winner == "-" and self.turns >= int(self.rules["max_turns"]):
            self.end("none")

    def begin_turn(self, seat: int) -> None:
        """The turn of the seat on turn is over (Z3), and that of this seat begins (T4: its lock falls)."""
        if not self.moved:
            self.idle += 1
            if self.idle >= 2 * len(self.seats_in()):
                self.end("none")
                return
        self.turns += 1
        self.turn, self.moved = seat, False
        self.locked.discard(seat)

    def end(self, winner: str) -> None:
        """E1: what is open is dropped."""
        self.winner = winner
        self.owe, self.taki, self.run, self.again, self.plus3 = 0, None, None, None, None
        self.answer, self.last, self.locked = set(), set(), set()

    # ---- last card, win and stage

    def call_last_cards(self, first: int) -> None:
        """L3."""
        for seat in self.turn_order(first):
            if seat in self.last:
                self.last.discard(seat)
                self.take(seat, int(self.rules["last_card_penalty"]))

    def note_last_card(self, seat: int) -> None:
        """L1: the seat has played down to what it holds now."""
        if len(self.hands[seat]) == 1 and self.rules["last_card"] == "penalty":
            self.last.add(seat)

    def win_or_clear(self, seat: int) -> None:
        """E1, G2, G3."""
        if self.hands[seat]:
            return
        if self.at_last_stage(seat):
            self.end(str(seat))
            return
        self.stages[seat] -= 1
        self.take(seat, self.stages[seat])

    # ---- what may be played

    def holds_color_of_run(self) -> bool:
        return any(color_of(card) == self.run for card in self.hands[self.turn])

    def unplayable(self, card: str) -> str | None:
        """Why the seat on turn could not play this card, whether or not it holds it."""
        if self.owe:
            answers = face_of(card) == "+2" or card == "K" or (card == "+3" and self.rules["plus_three_on_stack"])
            return None if answers else "STACK_ACTIVE"
        if self.run:
            return None if self._fits_run(card) else "NOT_IN_RUN"
        if self.again == "king" or color_of(card) is None or self.lead == ANY:
            return None
        color, face = self.lead
        return None if color_of(card) == color or face_of(card) == face else "DOES_NOT_MATCH"

    def _fits_run(self, card: str) -> bool:
        if card == "C":
            unfinished = bool(self.rules["taki_all"]) and self.holds_color_of_run()
            return bool(self.rules["change_color_in_run"]) and not unfinished
        return card == "ST" or color_of(card) == self.run

    def can_play(self) -> bool:
        return any(card != "X3" and self.unplayable(card) is None for card in self.hands[self.turn])


def _cards(cards: list[str]) -> str:
    return ",".join(cards) or "-"


def _seats(seats: set[int]) -> str:
    return ",".join(map(str, sorted(seats))) or "-"
