"""A stream of events of which some may be looked at before they are taken."""

from collections import deque
from collections.abc import Iterator

from games.audit.verify.chaining import Entry

MOST_AHEAD = 256
"""No command has so many events that must be seen to know it."""


class Ahead:
    """The entries still to come. What is looked at has been checked against the chain already."""

    def __init__(self, entries: Iterator[Entry]) -> None:
        self._entries = entries
        self._seen: deque[Entry] = deque()
        self.version = 0

    def peek(self, place: int = 0) -> Entry | None:
        """The entry so many places ahead; None at the end, and past `MOST_AHEAD`."""
        while len(self._seen) <= place < MOST_AHEAD:
            entry = next(self._entries, None)
            if entry is None:
                return None
            self._seen.append(entry)
        return self._seen[place] if place < MOST_AHEAD else None

    def take(self) -> Entry | None:
        """The next entry, which is then gone; None at the end."""
        entry = self._seen.popleft() if self._seen else next(self._entries, None)
        if entry is not None:
            self.version = entry.version
        return entry
