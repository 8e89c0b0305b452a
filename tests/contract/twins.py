"""A game's twin: the same log, but other cards wherever one viewer has never looked (law 8, in the database).

Whoever is sent something else of the twin than of the game was told of a hidden card.
"""

import json
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from uuid import UUID

import pgtrigger
from django.db import connection, transaction

from games import chain, store
from games.fold import StoredEvent
from games.models import Game
from games.rules import codec
from games.rules.cards import Card, Seat, in_canonical_order
from games.rules.events import CardPlayed, CardsDealt, CardsDrawn, Event, PileReshuffled, SeatLeft
from games.table import forget_all

Number = int
"""Of one card of the deck: two R7 have two numbers."""


class Deck:
    """Where every single card of a game is, and whether the viewer has seen it."""

    def __init__(self, viewer: Seat | None) -> None:
        self.viewer = viewer
        self.codes: list[Card] = []
        self.seen: set[Number] = set()
        self.hands: list[list[Number]] = []
        self.draw: list[Number] = []
        self.pile: list[Number] = []
        self.told: list[tuple[Event, tuple[tuple[Number, ...], ...]]] = []
        """Each event that names cards which somebody may not know, with their numbers in its order."""

    def follow(self, event: Event) -> None:
        """One event further."""
        named: tuple[tuple[Number, ...], ...] = ()
        match event:
            case CardsDealt():
                named = self._dealt(event)
            case CardPlayed():
                self._played(event.seat, event.card)
            case CardsDrawn():
                named = (self._drawn(event.seat, len(event.cards)),)
            case PileReshuffled():
                rest, self.pile = self.pile[1:], self.pile[:1]
                named = (self._in_order(rest, event.order),)
                self.draw += named[0]
            case SeatLeft():
                hand, self.hands[event.seat] = self.hands[event.seat], []
                named = (self._in_order(hand, event.cards),)
                self.draw += named[0]
        self.told.append((event, named))

    def _dealt(self, event: CardsDealt) -> tuple[tuple[Number, ...], ...]:
        hands = tuple(tuple(map(self._new, hand)) for hand in event.hands)
        draw = tuple(map(self._new, event.draw))
        opening = self._new(event.opening)
        self.hands, self.draw, self.pile = [list(hand) for hand in hands], list(draw), [opening]
        self.seen |= {opening, *draw[len(draw) - len(event.turned) :]}
        if self.viewer is not None:
            self.seen |= {*hands[self.viewer]}
        return (*hands, draw)

    def _new(self, card: Card) -> Number:
        self.codes.append(card)
        return len(self.codes) - 1

    def _played(self, seat: Seat, card: Card) -> None:
        number = next(number for number in self.hands[seat] if self.codes[number] is card)
        self.hands[seat].remove(number)
        self.pile.insert(0, number)
        self.seen.add(number)

    def _drawn(self, seat: Seat, count: int) -> tuple[Number, ...]:
        drawn, self.draw = tuple(self.draw[:count]), self.draw[count:]
        self.hands[seat] += drawn
        if seat == self.viewer:
            self.seen |= {*drawn}
        return drawn

    def _in_order(self, numbers: Sequence[Number], order: Sequence[Card]) -> tuple[Number, ...]:
        """Which of these cards each of the order is."""
        left, found = list(numbers), []
        for card in order:
            number = next(number for number in left if self.codes[number] is card)
            left.remove(number)
            found.append(number)
        return tuple(found)

    def exchanged(self, chance: random.Random) -> list[Card]:
        """The card of each number, those that the viewer has never seen dealt out anew among their places."""
        places = [number for number in range(len(self.codes)) if number not in self.seen]
        cards = [self.codes[number] for number in places]
        chance.shuffle(cards)
        codes = list(self.codes)
        for number, card in zip(places, cards, strict=True):
            codes[number] = card
        return codes


def twin_events(events: Sequence[StoredEvent], viewer: Seat | None, chance: random.Random) -> list[Event]:
    """The same events with other hidden cards; as many of them differ as the viewer has not seen."""
    deck = Deck(viewer)
    for stored in events:
        deck.follow(stored.event)
    codes = deck.exchanged(chance)
    return [_with_cards(event, [[codes[number] for number in part] for part in named]) for event, named in deck.told]


def _with_cards(event: Event, named: list[list[Card]]) -> Event:
    match event:
        case CardsDealt():
            hands = tuple(in_canonical_order(hand) for hand in named[:-1])
            return replace(event, hands=hands, draw=tuple(named[-1]))
        case CardsDrawn() | SeatLeft():
            return replace(event, cards=tuple(named[0]))
        case PileReshuffled():
            return replace(event, order=tuple(named[0]))
        case _:
            return event


_REWRITE = """
    UPDATE games_gameevent AS old SET data = new.data, hash = new.hash
    FROM unnest(%s::jsonb[], %s::bytea[], %s::int[]) AS new (data, hash, version)
    WHERE old.game_id = %s AND old.version = new.version
"""


@contextmanager
def twin_of(game_id: UUID, viewer: Seat | None, chance: random.Random) -> Iterator[int]:
    """Within it the game is its twin; how many events differ. Within a transaction; afterwards all is as before."""
    events = store.log(game_id=game_id)
    with pgtrigger.ignore(), transaction.atomic():
        changed = _rewritten(game_id, events, twin_events(events, viewer, chance))
        forget_all()
        yield changed
        transaction.set_rollback(True)
    forget_all()


def _rewritten(game_id: UUID, events: Sequence[StoredEvent], twins: Sequence[Event]) -> int:
    """Write the twin's events with hashes that hold."""
    seed, head, changed = store.server_seed_of(game_id), chain.genesis(game_id), 0
    rows: list[tuple[str, bytes, int]] = []
    for stored, event in zip(events, twins, strict=True):
        twin = stored._replace(event=event, data=codec.encode(event).data)
        head = store.hash_of(head, seed, twin)
        changed += twin.data != stored.data
        rows.append((json.dumps(twin.data), head, twin.version))
    with connection.cursor() as cursor:
        cursor.execute(_REWRITE, [*map(list, zip(*rows, strict=True)), game_id])
    Game.objects.filter(pk=game_id).update(head_hash=head)
    return changed
