"""A game's ranking as a table's result."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final
from uuid import UUID

from games.rules import codec
from games.rules.events import GameEnded, Placing
from games.selectors import events_load, export_iter
from tournaments.rules import EntryNo, Place, Result

LAST_EVENTS: Final = 16
"""Among so many events at the end of a log its ranking is looked for first."""


def result_of(game_id: UUID, version: int, seats: Sequence[EntryNo]) -> Result:
    """The result of a finished game of so many events, for the entries on its seats. ValueError without a ranking."""
    for event in _from_the_end(game_id, version):
        if isinstance(event, GameEnded):
            return as_result(event.ranking, seats)
    raise ValueError(f"game {game_id} has no ranking")


def as_result(ranking: Iterable[Placing], seats: Sequence[EntryNo]) -> Result:
    """The ranking of seats as one of entries."""
    return tuple(Place(p.rank, seats[p.seat], p.stage or None, p.cards) for p in ranking)


def live_result(stages: Sequence[int], cards: Sequence[int], left: Sequence[int], seats: Sequence[EntryNo]) -> Result:
    """How a game that is being played stands, by E2 and G5: stage, cards, and last those who left."""
    keys: dict[int, tuple[int, ...]] = {}
    for seat, number in enumerate(cards):
        gone = seat in left
        keys[seat] = (1, -left.index(seat)) if gone else (0, stages[seat] if stages else 0, number)
    ranks = {seat: 1 + sum(other < key for other in keys.values()) for seat, key in keys.items()}
    places = (Place(ranks[s], seats[s], stages[s] if stages else None, cards[s]) for s in keys)
    return tuple(sorted(places, key=lambda place: (place.rank, place.entry)))


def _from_the_end(game_id: UUID, version: int) -> Iterator[Any]:
    last = events_load(game_id=game_id, seat=None, after=max(0, version - LAST_EVENTS), limit=LAST_EVENTS)
    yield from (codec.decode(seen.type, seen.schema, seen.data) for seen in last)
    yield from (stored.event for stored in export_iter(game_id=game_id))
