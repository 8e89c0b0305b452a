"""What is to be read again: each once, in the order in which it was marked first."""

import asyncio
from uuid import UUID


class Marks:
    """The ids that wait to be read."""

    def __init__(self) -> None:
        self._marked: dict[UUID, None] = {}
        self._any = asyncio.Event()

    def add(self, key: UUID) -> None:
        """It is to be read."""
        self._marked[key] = None
        self._any.set()

    def discard(self, key: UUID) -> None:
        """It need not be read any more."""
        self._marked.pop(key, None)

    async def taken(self, most: int) -> list[UUID]:
        """The next ones, once there are any; they are marked no longer. None of them if all were discarded."""
        await self._any.wait()
        batch = list(self._marked)[:most]
        for key in batch:
            del self._marked[key]
        if not self._marked:
            self._any.clear()
        return batch
