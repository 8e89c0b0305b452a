"""What can be wrong with an act on a game: plain exceptions with data, which know no HTTP.

None of them has written anything. Every text a person reads is made from them at the edge.
"""

from collections.abc import Sequence
from uuid import UUID

from games.rules.refusals import Refusal


class GameError(Exception):
    """Whatever the games app refuses; only its subclasses are raised."""


class GameNotFound(GameError):
    """There is no such game, or the caller may not know of it."""

    def __init__(self, game_id: UUID) -> None:
        super().__init__(game_id)
        self.game_id = game_id


class WrongPhase(GameError):
    """The game is not in the phase, or the lobby not in the condition, that the act needs.

    ``code`` is one of ``WRONG_PHASE_CODES``; ``phase`` is the game's.
    """

    def __init__(self, code: str, phase: str) -> None:
        if code not in WRONG_PHASE_CODES:
            raise ValueError(code)
        super().__init__(code, phase)
        self.code = code
        self.phase = phase


WRONG_PHASE_CODES = frozenset(
    {
        "not_started",  # the game is still in the lobby (or was aborted there): it has no position and no log
        "already_started",  # the lobby is closed
        "finished",  # the game is over or was aborted: nobody moves any more
        "not_finished",  # the full log is told only when the game is over
        "game_full",  # no seat is free
        "seat_taken",  # somebody sits there
        "already_seated",  # the player sits at this table
        "frozen",  # the log does not verify: nothing is added to it before staff has looked
        "seats_empty",  # a start needs every seat taken
        "seat_free",  # nobody sits there
        "host_seat",  # the host is not taken off its own table
    }
)


class NotSeated(GameError):
    """The caller has no seat at this table."""


class NotHost(GameError):
    """Only the host (or, where it says so, staff) may do this."""


class NoHost(NotHost):
    """The table has no host (a tournament's): nobody joins, leaves, kicks or asks for a rematch there."""


class Kicked(GameError):
    """The host took the player off this table, so that it does not sit down there again."""


class ReasonMissing(GameError):
    """Staff says why it ends a game."""


class InviteCodeWrong(GameError):
    """The table is private, and the code given is not its own."""


class NoSuchSeat(GameError):
    """The table has no seat of this number; ``seats`` is how many it has."""

    def __init__(self, seats: int) -> None:
        super().__init__(seats)
        self.seats = seats


class NoSuchVersion(GameError):
    """The game has no such version; ``version`` is its last one."""

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.version = version


class NoSuchLevel(GameError):
    """No built-in bot has this level; ``levels`` are those there are."""

    def __init__(self, levels: Sequence[str]) -> None:
        super().__init__(levels)
        self.levels = tuple(levels)


class TooManyOpenGames(GameError):
    """The player sits at as many games that are not over as it may; ``limit`` is how many."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.limit = limit


class StaleVersion(GameError):
    """The game has moved on since the version that the caller saw; ``version`` is the present one."""

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.version = version


class CommandIdReused(GameError):
    """The command id belongs to another command, or to somebody else's."""


class MoveRefused(GameError):
    """The rules refuse the command: the code, the rule's id ("U6"), and the version it was judged at."""

    def __init__(self, refusal: Refusal, rule: str, version: int) -> None:
        super().__init__(refusal, rule, version)
        self.refusal = refusal
        self.rule = rule
        self.version = version


class ChainBroken(GameError):
    """The stored events do not lead to the stored head hash: the log was altered. No move is taken on it."""

    def __init__(self, game_id: UUID, version: int) -> None:
        super().__init__(game_id, version)
        self.game_id = game_id
        self.version = version


class LogUnreadable(GameError, ValueError):
    """A stored event is none that this release knows: it was altered, or a newer release wrote it.

    No move is taken on it. It is not frozen for that: a process of an older release must not stop a game that is whole.
    """

    def __init__(self, game_id: UUID, version: int) -> None:
        super().__init__(game_id, version)
        self.game_id = game_id
        self.version = version
