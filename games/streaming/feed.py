"""A game as this process follows it: read, folded and written as bytes once for all who follow it here."""

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol
from uuid import UUID

from games import chain
from games.api.answers import event_json, frozen_json, view_json
from games.fold import Folded, StoredEvent, begin, fold
from games.models import Game, Phase
from games.rules.cards import Seat
from games.rules.state import NO_SEED
from games.rules.views import redact, view_for
from games.selectors import seen
from games.streaming.hints import PRESENCE
from games.streaming.hub import MISSED
from games.streaming.presence import NOBODY, Presence
from games.streaming.present import Presences, presences
from games.streaming.reading import Known, Read
from games.streaming.sse import NOW, frame
from players.api.answers import instant

if TYPE_CHECKING:
    from games.streaming.feeds import Feeds

KEPT_EVENTS: Final = 48
"""So many of the last events are kept, for those who are a little behind; who is further behind reads the table."""

Viewer = Seat | None


class Follower(Protocol):
    """Whoever is to look at the feed again when it has changed."""

    def wake(self) -> None:
        """Look again."""


class Written:
    """An event, and what is sent of it to each viewer: the same bytes for all from whom nothing is hidden."""

    __slots__ = ("_all", "_own", "stored")

    def __init__(self, stored: StoredEvent) -> None:
        self.stored = stored
        self._all: bytes | None = None
        self._own: dict[Viewer, bytes] | None = None

    def frame(self, viewer: Viewer) -> bytes:
        """The event as this viewer may know it."""
        if self._all is not None:
            return self._all
        written = (self._own or {}).get(viewer)
        if written is None:
            written = event_frame(self.stored, viewer)
            if redact(self.stored.event, None) is self.stored.event:  # nobody knows less than a spectator
                self._all = written
            else:
                self._own = {**(self._own or {}), viewer: written}
        return written


def event_frame(stored: StoredEvent, viewer: Viewer) -> bytes:
    """An event of the log as this viewer may know it, as the list of events has it."""
    return frame("event", event_json(seen(stored, viewer)), version=stored.version)


class Told(NamedTuple):
    """Something that all followers are told alike while it lasts: its bytes, and by what a change of it is known."""

    key: object
    frame: bytes


class GameFeed:
    """The game's row, its fold, its last events. ``version`` is the fold's; 0 in the lobby.

    `ready` once it is known as far as the row says; `gone` when the game is not there (any more as it was), or
    `broken`: its log cannot be read.
    """

    def __init__(self, game_id: UUID, feeds: "Feeds", folded: Folded | None) -> None:
        self.game_id = game_id
        self.game: Game | None = None
        self.folded = folded or begin(chain.genesis(game_id), NO_SEED)
        self.followers: set[Follower] = set()
        self.ready = asyncio.Event()
        self.gone = self.broken = False
        self.presence: Presence = NOBODY
        self._feeds = feeds
        self._kept: deque[Written] = deque(maxlen=KEPT_EVENTS)
        self._views: dict[Viewer, bytes] = {}
        self._seats: dict[UUID, Seat] = {}
        self._clock: Told | None = None
        self._present: tuple[Presence, Presences] | None = None
        self._forced = False

    @property
    def version(self) -> int:
        """How far the log is known here."""
        return self.folded.version

    @property
    def settled(self) -> bool:
        """What is known of row and log is of one moment."""
        return self.game is not None and self.game.version == self.version

    def heard(self, message: str) -> None:
        """A hint: read again, unless it tells what is known already."""
        if message == PRESENCE:
            self._feeds.presence_changed(self)
        elif not message.isdigit() or int(message) > self.version:
            self._forced = self._forced or message != MISSED
            self._feeds.mark(self)

    def known(self) -> Known:
        """What is known, for reading on from there."""
        game = self.game
        if game is None or self._forced or not self.settled:
            return Known(self.game_id, self.version)
        frozen = game.frozen_at is not None
        return Known(self.game_id, self.version, game.lobby_revision, game.seating_revision, frozen)

    def take(self, read: Read) -> bool:
        """Take in what was read; False when there is more to read. Those who follow look again when there is not."""
        events = read.events
        if read.broken:
            self.end(broken=True)
            return True
        if read.game.version < self.version or (events and events[0].version != self.version + 1):
            self.end()  # the log is not the one that was followed: a database was restored
            return True
        self.folded = fold(self.folded, events)
        self.game, self._forced = read.game, False
        if self.ready.is_set():
            self._kept.extend(Written(stored) for stored in events)
        self._views.clear()
        self._present = self._clock = None
        self._seats = {row.player_id: Seat(row.seat) for row in read.game.seating.all() if row.player_id is not None}
        if not self.settled:
            return False
        self.ready.set()
        self.wake_all()
        return True

    def end(self, *, broken: bool = False) -> None:
        """There is nothing to follow any more."""
        self.gone, self.broken = True, broken
        self.ready.set()
        self.wake_all()

    def wake_all(self) -> None:
        """All who follow look again."""
        for follower in tuple(self.followers):
            follower.wake()

    def viewer(self, player_id: UUID) -> Viewer:
        """The player's seat now; None for a spectator."""
        return self._seats.get(player_id)

    def after(self, version: int, limit: int) -> Sequence[Written] | None:
        """The events after a version, at most so many; None when they are no longer kept here."""
        if version >= self.version:
            return ()
        if not self._kept or self._kept[0].stored.version > version + 1:
            return None
        begin_at = version + 1 - self._kept[0].stored.version
        return [self._kept[at] for at in range(begin_at, min(len(self._kept), begin_at + limit))]

    def view_frame(self, viewer: Viewer) -> bytes:
        """The position as this viewer sees it. Only while `settled`, and not in the lobby."""
        found = self._views.get(viewer)
        if found is None:
            game = self.row
            view = {**view_json(view_for(self.folded.state, viewer), game), "now": NOW}
            found = self._views[viewer] = frame("view", view, version=game.version)
        return found

    def clock(self) -> Told:
        """Whose turn it is and until when: sent with the first look and whenever it changes."""
        if self._clock is None:
            self._clock = self._clock_told()
        return self._clock

    def _clock_told(self) -> Told:
        game = self.row
        deadline = None if game.deadline is None else instant(game.deadline)
        bank = [left // 1_000 for left in game.banks] or None
        told = {"turn": game.turn, "deadline": deadline, "bank": bank, "frozen": frozen_json(game), "now": NOW}
        return Told((game.turn, deadline, tuple(game.banks), game.frozen_at), frame("clock", told))

    def presence_told(self, before: object) -> Told | None:
        """What is to be told of who is connected to somebody who knows ``before``, another `Told`'s key."""
        key = self._presences()
        if key == before:
            return None
        known = {entry.seat: entry for entry in before.entries} if isinstance(before, Presences) else {}
        seats = [entry.json() for entry in key.entries if known.get(entry.seat) != entry]
        return Told(key, frame("presence", {"seats": seats, "spectators": key.spectators, "now": NOW}))

    def _presences(self) -> "Presences":
        if self._present is None or self._present[0] is not self.presence:
            self._present = (self.presence, presences(self.row, self.folded, self.presence))
        return self._present[1]

    @property
    def over(self) -> bool:
        """Nothing more will be told."""
        return self.game is not None and self.game.phase in (Phase.FINISHED, Phase.ABORTED)

    @property
    def row(self) -> Game:
        """The game's row, which has been read."""
        if self.game is None:
            raise RuntimeError("nothing has been read yet")
        return self.game


def seat_of(game: Game, player_id: UUID) -> Viewer:
    """The player's seat, from the seating that was read along; None for a spectator."""
    return next((Seat(row.seat) for row in game.seating.all() if row.player_id == player_id), None)
