"""What a record holds."""

from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from games.audit.verify.lines import Seal
from games.clock import Limits
from games.rules.cards import Seat
from games.rules.commands import Command
from games.rules.events import ClockCredited, GameAborted, SeatAway, SeatReturned, TurnMissed
from games.rules.ruleset import Ruleset

Told = ClockCredited | SeatReturned | TurnMissed | SeatAway | GameAborted
"""Events that no command of the rules makes."""


class Sitting(NamedTuple):
    """Who sat on a seat from a version of the game on: a person by name, or a built-in bot by its level."""

    seat: Seat
    name: str
    bot: bool
    from_version: int = 0


@dataclass(frozen=True, slots=True)
class Tags:
    """What stands above the moves. ``began`` is in milliseconds since 1970 UTC, seeds and hashes are bytes.

    Needed to replay: ``game``, ``rules_version``, ``rules``, ``seats``, ``clock``, ``began``, ``starter``, ``first``,
    ``commitment``, ``entropy``, ``seed``. Told for people, and checked: ``result``, ``ranking``, ``events``, ``head``.
    ``name`` and ``sittings`` are neither hashed nor checked.
    """

    game: UUID
    rules_version: str
    rules: Ruleset
    seats: int
    clock: Limits
    began: int
    starter: str
    first: Seat
    commitment: bytes
    entropy: tuple[bytes, ...]
    seed: bytes
    result: str
    ranking: str
    events: int
    head: bytes
    name: str = ""
    sittings: tuple[Sitting, ...] = ()
    seal: Seal | None = None


class Part(NamedTuple):
    """What one actor did at once: a command of section 15, or one event of the table.

    ``seat``: of whoever acts, or whom the server makes leave.
    """

    actor: str
    seat: Seat | None
    what: tuple[Command, ...] | Told


class Group(NamedTuple):
    """What happened at one time, and was recorded at once; ``at`` in milliseconds after the beginning.

    ``turn``: the number of the turn that it begins, or is the first to be told of; else None.
    """

    at: int
    turn: int | None
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """A game: its tags and its moves."""

    tags: Tags
    groups: tuple[Group, ...]
