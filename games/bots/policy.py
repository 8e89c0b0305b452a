"""What a bot is: a function from what its seat may see and do to one command."""

import hashlib
from collections.abc import Sequence
from typing import Protocol, TypeVar

from games.rules.commands import LAST, Command, Leave
from games.rules.views import View

Option = TypeVar("Option")


class Policy(Protocol):
    """Chooses one of the seat's legal commands.

    ``legal`` is never empty; the seed's 32 bytes are all the chance there is, so equal arguments give equal moves.
    """

    def __call__(self, view: View, legal: tuple[Command, ...], seed: bytes) -> Command: ...


def serious(legal: Sequence[Command]) -> tuple[Command, ...]:
    """The commands that go on with the game: all but leaving it; "last card" alone when it can be said."""
    if LAST in legal:
        return (LAST,)
    return tuple(command for command in legal if not isinstance(command, Leave))


def pick(options: Sequence[Option], seed: bytes) -> Option:
    """One of the options, by the seed."""
    return options[int.from_bytes(hashlib.sha256(b"pick" + seed).digest()[:8], "big") % len(options)]
