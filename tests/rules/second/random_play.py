"""Random tables, mostly short of cards, and random commands, legal and not, for the two engines."""

import random
from dataclasses import dataclass

from games.rules.cards import Seat
from games.rules.legal import legal_commands
from games.rules.notation import format_command
from games.rules.ruleset import DEFAULT_RULES
from games.rules.state import State
from tests.rules.second.cards import COLORLESS, COLORS, DECK, FACES, KINDS, color_of, face_of, in_order
from tests.rules.second.commands import Part
from tests.rules.second.table import Table

CHOICES: dict[str, tuple[str | int | bool, ...]] = {
    "mode": ("single", "ladder"),
    "voluntary_draw": (False, True),
    "last_card": ("penalty", "penalty", "off"),
    "last_card_penalty": (4, 1, 2, 8),
    "open_taki": (True, True, False),
    "taki_all": (False, True),
    "change_color_in_run": (True, False),
    "king_on_plus_three": (True, True, False),
    "plus_three_on_stack": (False, True),
    "breaker_stops_win": (False, True),
    "king_lead": ("any", "under"),
    "super_taki_color": ("lead", "choose"),
    "two_player_direction": ("pass", "skip"),
    "max_turns": (10000, 10000, 15, 7, 3),
    "plus_finishes": (False, False, True),
    "plus_may_draw": (False, True),
}


@dataclass
class Chance:
    """A source of chance with the few questions that are asked of it."""

    source: random.Random

    def of(self, probability: float) -> bool:
        return self.source.random() < probability

    def seat(self, table: Table) -> int:
        """Mostly one that may act."""
        if self.of(0.25):
            return self.source.randrange(len(table.hands))
        return self.source.choice(sorted(table.answer)) if table.answer and self.of(0.8) else table.turn


def random_table(chance: Chance) -> Table:
    """A table under way: small hands, few cards in the piles, any house rules, sometimes a seat that waits."""
    source = chance.source
    rules = DEFAULT_RULES.as_mapping()
    if chance.of(0.85):
        rules |= {name: source.choice(values) for name, values in CHOICES.items() if chance.of(0.4)}
    cards = _random_cards(chance)
    hands = [[cards.pop() for _ in range(source.choice((1, 1, 2, 2, 3, 4, 6)))] for _ in range(source.randint(2, 5))]
    top = next(card for card in cards if color_of(card))
    cards.remove(top)
    pile = [top, *(cards.pop() for _ in range(source.choice((0, 0, 1, 2, 3))))]
    draw = cards[: source.choice((0, 0, 1, 2, 3, 5, 9, 30))]
    stages = [source.choice((1, 1, 2, 2, 3, 4, 8)) for _ in hands] if rules["mode"] == "ladder" else []
    if stages and stages[-1] < 8 and chance.of(0.3):
        hands[-1], draw, pile = [], [], [top]
    lead = (color_of(top), face_of(top))
    direction = source.choice((1, -1))
    return Table(rules, [in_order(hand) for hand in hands], draw, pile, lead, direction=direction, stages=stages)


def _random_cards(chance: Chance) -> list[str]:
    """Shuffled; often of two colours only, with many cards that do something on top."""
    cards = list(DECK)
    if chance.of(0.6):
        colors = chance.source.sample(COLORS, 2)
        cards = [card for card in cards if color_of(card) is None or color_of(card) in colors]
        cards.sort(key=lambda card: chance.source.random() + 0.35 * (face_of(card) in COLORLESS + FACES[8:]))
    else:
        chance.source.shuffle(cards)
    return cards


def random_command(chance: Chance, table: Table, state: State) -> tuple[int | None, list[Part]]:
    """Who asks for what. About half of it is legal; ``state`` is the same table as the first engine knows it."""
    if chance.of(0.03):
        return None, [("stop",) if chance.of(0.1) else ("timeout",)]
    if table.last and chance.of(0.15):
        return chance.source.choice(sorted(table.last)), [("last",)]
    seat = chance.seat(table)
    if chance.of(0.012):
        return seat, [("leave",)]
    legal = _legal(chance, seat, state) if chance.of(0.6) else None
    if legal is None and chance.of(0.4):
        return seat, [(chance.source.choice(("draw", "close", "end", "last", "accept")),)]
    first = legal or _random_play(chance, table, seat)
    return seat, [first, *_more(chance, table, seat)] if first[0] == "play" else [first]


def _legal(chance: Chance, seat: int, state: State) -> Part | None:
    """A legal command but leave and last, plays before others."""
    texts = [format_command([command]) for command in legal_commands(state, Seat(seat))]
    plays = [text for text in texts if text.startswith("play")]
    others = [text for text in texts if text in ("draw", "close", "end", "accept")]
    chosen = plays if plays and (chance.of(0.7) or not others) else others
    return as_part(chance.source.choice(chosen)) if chosen else None


def as_part(text: str) -> Part:
    """One part of a command from its text."""
    word, _, card = text.partition(" ")
    code, _, color = card.partition("=")
    return (word, code, color) if card else (word,)


def _more(chance: Chance, table: Table, seat: int) -> list[Part]:
    """Further parts of one command: cards, last, close or end."""
    parts: list[Part] = []
    while chance.of(0.33):
        parts.append(_random_play(chance, table, seat))
    if chance.of(0.17):
        parts.append(("last",))
    if chance.of(0.25):
        parts.append((chance.source.choice(("close", "end")),))
    return parts


def _random_play(chance: Chance, table: Table, seat: int) -> Part:
    hand = table.hands[seat]
    card = chance.source.choice(hand if hand and chance.of(0.9) else KINDS)
    named = chance.of(0.7 if card in ("C", "ST") else 0.04)
    return ("play", card, chance.source.choice(COLORS) if named else "")


def as_text(parts: list[Part]) -> str:
    """The command as section 15 writes it."""
    words = [part[1] + (f"={part[2]}" if part[2] else "") if part[0] == "play" else part[0] for part in parts]
    return " ".join(["play", *words] if parts[0][0] == "play" else words)
