"""Who is connected, in the words of the stream. Nothing here hangs on a hand, or on who has answered a +3."""

from typing import NamedTuple

from games.clock import missed_in_a_row, moment
from games.fold import Folded
from games.models import Game, Phase
from games.rules.cards import Seat
from games.streaming.presence import Presence
from players.api.answers import instant


class Entry(NamedTuple):
    """A player's seat. ``deadline``: when the absent player's turn is lost, if it is its turn; ``missed``: in a row."""

    seat: Seat
    connected: bool
    since: str | None
    away: bool
    missed: int
    deadline: str | None

    def json(self) -> dict[str, object]:
        """As it is sent."""
        return self._asdict()


class Presences(NamedTuple):
    """All players' seats, and how many others watch."""

    entries: tuple[Entry, ...]
    spectators: int


def presences(game: Game, folded: Folded, presence: Presence) -> Presences:
    """What is told of a game of which this is known; its seating must have been read along."""
    seats = [Seat(row.seat) for row in game.seating.all() if row.player_id is not None]
    return Presences(tuple(_entry(seat, game, folded, presence) for seat in seats), presence.spectators)


def _entry(seat: Seat, game: Game, folded: Folded, presence: Presence) -> Entry:
    connected = seat in presence.since
    at = presence.since.get(seat) or presence.gone.get(seat)
    since = instant(moment(at)) if at else None
    deadline = None if connected else _deadline(seat, game, folded)
    return Entry(seat, connected, since, seat in game.away, missed_in_a_row(folded.clock, seat), deadline)


def _deadline(seat: Seat, game: Game, folded: Folded) -> str | None:
    """The turn's; a window's is the same for every seat, and whether this one has answered is not to be seen."""
    waits = game.phase == Phase.PLAYING and game.turn == seat and folded.state.plus3 is None
    return instant(game.deadline) if waits and game.deadline and seat not in game.away else None
