"""The clock: what the log says about time, and what is due. Pure: the time is an argument, in milliseconds.

All times are whole milliseconds since 1970 UTC, all durations end in their unit. A turn has ``turn_seconds`` from
its beginning, whatever is played within it; a window has ``reaction_seconds`` from its opening.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from games import chain
from games.rules.cards import Seat
from games.rules.events import (
    DeadlineSet,
    Event,
    GameAborted,
    GameEnded,
    GameStarted,
    LastCardDue,
    TurnPassed,
    WindowClosed,
    WindowOpened,
)
from games.rules.state import State

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)

BOT_PATIENCE_MS: Final = 2_000
"""How long a bot's move may be on its way before the sweep wakes the bot again."""
LEAST_ANSWER_MS: Final = 1_000
MOST_ANSWER_MS: Final = 3_000
"""Within which time of a window's opening a bot answers when a person sits at the table (W8)."""


@dataclass(frozen=True, slots=True)
class Limits:
    """A table's clock settings; ``turn_seconds`` and ``game_minutes`` may be without limit (None)."""

    turn_seconds: int | None
    reaction_seconds: int
    game_minutes: int | None = None


class Clock(NamedTuple):
    """What the log says about time. Versions and times are 0 where nothing of the kind has been.

    ``due_at``: when a seat last came down to an unsaid last card. ``window_version`` and ``window_at``: of the
    opening of the window that is open; 0 when none is.
    """

    started_at: int = 0
    ended_at: int = 0
    last_at: int = 0
    deadline: int | None = None
    due_at: int = 0
    window_version: int = 0
    window_at: int = 0


def tick(clock: Clock, event: Event, version: int, at: int) -> Clock:
    """The clock after an event that was recorded as ``version`` at the time ``at``."""
    match event:
        case DeadlineSet():
            return clock._replace(last_at=at, deadline=event.at)
        case LastCardDue():
            return clock._replace(last_at=at, due_at=at)
        case WindowOpened():
            return clock._replace(last_at=at, window_version=version, window_at=at)
        case WindowClosed():
            return clock._replace(last_at=at, window_version=0, window_at=0)
        case GameStarted():
            return clock._replace(last_at=at, started_at=at)
        case GameEnded() | GameAborted():
            return clock._replace(last_at=at, ended_at=at, deadline=None, window_version=0, window_at=0)
        case _:
            return clock if clock.last_at == at else clock._replace(last_at=at)


def new_deadline(clock: Clock, events: Iterable[Event], limits: Limits, now: int) -> DeadlineSet | None:
    """The event that tells the deadline after ``events``, or None when it stays (or the game is over)."""
    deadline = clock.deadline
    for event in events:
        match event:
            case GameEnded() | GameAborted():
                return None
            case TurnPassed() | GameStarted():
                deadline = _after(now, limits.turn_seconds)
            case WindowOpened():
                deadline = _after(now, limits.reaction_seconds)
            case _:
                pass
    return None if deadline == clock.deadline else DeadlineSet(deadline)


def within_grace(clock: Clock, state: State, now: int) -> bool:
    """A command now comes too soon after a last card fell due to call for its penalty (L3)."""
    return now < clock.due_at + 1_000 * state.rules.last_card_grace_seconds


def stop_time(clock: Clock, limits: Limits) -> int | None:
    """When the table's time is up (Z7); None without a limit or when the game is over."""
    if limits.game_minutes is None or clock.ended_at:
        return None
    return clock.started_at + 60_000 * limits.game_minutes


def bots_due(clock: Clock, state: State, bots: tuple[Seat, ...], limits: Limits) -> tuple[tuple[int, Seat], ...]:
    """From when on each built-in bot that may act is to act, the soonest first. ``bots``: the seats of bots.

    A bot on turn acts at once. In a window each answers after a time of its own, which hangs on the game's seed
    and not on its hand; where only bots are still in the game, at once.
    """
    if state.over or clock.ended_at or not bots:
        return ()
    if state.plus3 is None:
        return ((clock.last_at, state.turn),) if state.turn in bots else ()
    return tuple(
        sorted((_answer_time(clock, state, seat, bots, limits), seat) for seat in bots if seat in state.answer)
    )


def bot_overdue_at(due: tuple[tuple[int, Seat], ...], state: State) -> int | None:
    """When the sweep is to wake the bots; a bot that has been woken at once is given some time first."""
    if not due:
        return None
    return due[0][0] if state.plus3 is not None else due[0][0] + BOT_PATIENCE_MS


def milliseconds(time: datetime) -> int:
    """The time in whole milliseconds since 1970 UTC."""
    return (time - EPOCH) // _MILLISECOND


def moment(at: int) -> datetime:
    """The time of ``at`` milliseconds since 1970 UTC."""
    return EPOCH + timedelta(milliseconds=at)


def timestamp(time: datetime) -> str:
    """The time as RFC 3339 has it, in UTC with milliseconds: ``2026-05-01T12:00:00.000Z``."""
    return time.astimezone(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def _after(now: int, seconds: int | None) -> int | None:
    return None if seconds is None else now + 1_000 * seconds


def _answer_time(clock: Clock, state: State, seat: Seat, bots: tuple[Seat, ...], limits: Limits) -> int:
    if all(other in bots or other in state.left for other in range(state.seats)):
        return clock.window_at
    most = min(MOST_ANSWER_MS, 1_000 * limits.reaction_seconds - LEAST_ANSWER_MS)
    drawn = chain.private_bytes(state.seed, f"answer/{clock.window_version}/{seat}")
    return clock.window_at + LEAST_ANSWER_MS + int.from_bytes(drawn[:8], "big") % (most - LEAST_ANSWER_MS + 1)
