"""The clock: what the log says about time, and what is due. Pure: the time is an argument, in milliseconds.

All times are whole milliseconds since 1970 UTC, all durations end in their unit. A turn has ``turn_seconds`` from
its beginning, whatever is played within it, and after them what is left in its seat's bank; a window has
``reaction_seconds`` from its opening. docs/clocks.md says it in words.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from games import chain
from games.rules.cards import Seat
from games.rules.events import (
    BankChanged,
    ClockCredited,
    DeadlineSet,
    Event,
    GameAborted,
    GameEnded,
    GameStarted,
    LastCardDue,
    SeatAway,
    SeatLeft,
    SeatReturned,
    TurnMissed,
    TurnPassed,
    WindowAccepted,
    WindowClosed,
    WindowOpened,
)
from games.rules.state import State

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)

AWAY_AFTER: Final = 2
"""After so many missed turns in a row a seat is away."""
UNTOUCHED_MS: Final = 30 * 24 * 3_600_000
"""A game without a turn clock ends when nothing has happened in it for so long."""
LEAST_LOST_MS: Final = 500
"""Less lost time than this is not credited."""
BOT_PATIENCE_MS: Final = 2_000
"""How long a bot's move may be on its way before the sweep wakes the bot again."""
LEAST_PAUSE_MS: Final = 400
MOST_PAUSE_MS: Final = 1_600
"""How long a bot on turn waits when a person sits at the table."""
LEAST_ANSWER_MS: Final = 1_000
MOST_ANSWER_MS: Final = 3_000
"""Within which time of a window's opening a bot answers when a person sits at the table (W8)."""


@dataclass(frozen=True, slots=True)
class Limits:
    """A table's clock settings; ``turn_seconds`` and ``game_minutes`` may be without limit (None).

    ``bot_pause_percent``: how long bots pause at a table with people, of the usual; the server's choice.
    """

    turn_seconds: int | None
    reaction_seconds: int
    game_minutes: int | None = None
    bank_seconds: int = 0
    increment_seconds: int = 0
    bot_pause_percent: int = 100


class Clock(NamedTuple):
    """What the log says about time and absence. Versions and times are 0 where nothing of the kind has been.

    ``due_at``: when a seat last came down to an unsaid last card. ``window_version`` and ``window_at``: of the
    opening of the window that is open; 0 when none is. ``turn_version`` and ``turn_at``: of the beginning of the
    turn; ``turn_at`` is 0 from when a window opens. ``counted_from``: time lost since then is still to be credited.
    ``turn_credit`` and ``credit`` are the milliseconds credited to the turn and to the table. ``banks`` has a pair
    (seat, milliseconds) for each bank that is not as at the beginning, ``missed`` one (seat, turns) for each seat
    that missed turns in a row; ``away`` are the seats that are away; all three ascending.
    """

    started_at: int = 0
    ended_at: int = 0
    last_at: int = 0
    deadline: int | None = None
    due_at: int = 0
    window_version: int = 0
    window_at: int = 0
    turn_version: int = 0
    turn_at: int = 0
    counted_from: int = 0
    turn_credit: int = 0
    credit: int = 0
    banks: tuple[tuple[Seat, int], ...] = ()
    missed: tuple[tuple[Seat, int], ...] = ()
    away: tuple[Seat, ...] = ()


def tick(clock: Clock, event: Event, version: int, at: int, actor: str = "") -> Clock:
    """The clock after an event that was recorded as ``version`` at the time ``at``, an act of ``actor``."""
    if clock.missed and actor.startswith("seat:") and not isinstance(event, WindowAccepted):
        clock = clock._replace(missed=_put(clock.missed, Seat(int(actor[5:])), 0))
    match event:
        case TurnPassed():
            return clock._replace(last_at=at, turn_version=version, turn_at=at, turn_credit=0, counted_from=at)
        case DeadlineSet():
            return clock._replace(last_at=at, deadline=event.at)
        case LastCardDue():
            return clock._replace(last_at=at, due_at=at)
        case WindowOpened():
            return clock._replace(last_at=at, window_version=version, window_at=at, turn_at=0, counted_from=at)
        case WindowClosed():
            return clock._replace(last_at=at, window_version=0, window_at=0)
        case GameStarted():
            return clock._replace(last_at=at, started_at=at, turn_version=version, turn_at=at, counted_from=at)
        case GameEnded() | GameAborted():
            return clock._replace(last_at=at, ended_at=at, deadline=None, window_version=0, window_at=0)
        case BankChanged() | ClockCredited() | TurnMissed() | SeatAway() | SeatReturned() | SeatLeft():
            return _tick_table(clock, event)._replace(last_at=at, counted_from=_counted(clock, event, at))
        case _:
            return clock if clock.last_at == at else clock._replace(last_at=at)


def _tick_table(
    clock: Clock, event: BankChanged | ClockCredited | TurnMissed | SeatAway | SeatReturned | SeatLeft
) -> Clock:
    match event:
        case BankChanged(seat, left):
            return clock._replace(banks=_put(clock.banks, seat, left, drop=None))
        case ClockCredited(seconds):
            given = 1_000 * seconds
            return clock._replace(turn_credit=clock.turn_credit + given, credit=clock.credit + given)
        case TurnMissed(seat, in_a_row):
            return clock._replace(missed=_put(clock.missed, seat, in_a_row))
        case SeatAway(seat):
            return clock._replace(away=tuple(sorted({*clock.away, seat})))
        case SeatReturned(seat) | SeatLeft(seat):
            away = tuple(other for other in clock.away if other != seat)
            return clock._replace(away=away, missed=_put(clock.missed, seat, 0))


def _counted(clock: Clock, event: Event, at: int) -> int:
    return at if isinstance(event, ClockCredited) else clock.counted_from


def _put(
    pairs: tuple[tuple[Seat, int], ...], seat: Seat, value: int, *, drop: int | None = 0
) -> tuple[tuple[Seat, int], ...]:
    """The pairs with this one in place of the seat's; without any if the value is ``drop``."""
    others = [pair for pair in pairs if pair[0] != seat]
    return tuple(sorted(others if value == drop else [*others, (seat, value)]))


def bank_of(clock: Clock, seat: Seat, limits: Limits) -> int:
    """The milliseconds left in the seat's bank."""
    return dict(clock.banks).get(seat, 1_000 * limits.bank_seconds)


def missed_in_a_row(clock: Clock, seat: Seat) -> int:
    """How many turns the seat has let pass since it last acted."""
    return dict(clock.missed).get(seat, 0)


def clock_events(
    clock: Clock, state: State, events: Iterable[Event], limits: Limits, now: int, *, by_clock: bool = False
) -> tuple[Event, ...]:
    """What ``events`` come to for banks and deadline: `BankChanged` and `DeadlineSet`, only where something changes.

    ``state`` is the position before the events; ``by_clock``: they are a timeout's, so no increment is given.
    """
    seat, turn_at, credit, deadline = state.turn, clock.turn_at, clock.turn_credit, clock.deadline
    banks = {Seat(other): bank_of(clock, Seat(other), limits) for other in range(state.seats)}
    for event in events:
        match event:
            case GameEnded() | GameAborted():
                return ()
            case ClockCredited(seconds):
                credit += 1_000 * seconds
                deadline = None if deadline is None else deadline + 1_000 * seconds
            case TurnPassed(to=to):
                banks[seat] = _bank_after(banks[seat], turn_at, credit, limits, now, by_clock=by_clock)
                seat, turn_at, credit = to, now, 0
                deadline = _after(now, limits.turn_seconds, banks[seat])
            case GameStarted():
                deadline = _after(now, limits.turn_seconds, 1_000 * limits.bank_seconds)
            case WindowOpened():
                banks[seat] = _bank_after(banks[seat], turn_at, credit, limits, now, by_clock=by_clock)
                turn_at, deadline = 0, _after(now, limits.reaction_seconds)
            case _:
                pass
    changed = [BankChanged(it, left) for it, left in banks.items() if left != bank_of(clock, it, limits)]
    return (*changed, *(() if deadline == clock.deadline else (DeadlineSet(deadline),)))


def _bank_after(bank: int, turn_at: int, credit: int, limits: Limits, now: int, *, by_clock: bool) -> int:
    """The bank at the end of a turn: less what was overdrawn, and the increment back, up to what it began with."""
    if not turn_at or limits.turn_seconds is None:
        return bank
    overdrawn = max(0, now - turn_at - credit - 1_000 * limits.turn_seconds)
    given = 0 if by_clock else 1_000 * limits.increment_seconds
    return min(1_000 * limits.bank_seconds, max(0, bank - overdrawn) + given)


def overdrawn(clock: Clock, limits: Limits, now: int) -> bool:
    """The turn now costs its seat's bank, so that lost time is to be credited before the move is."""
    if not clock.turn_at or limits.turn_seconds is None:
        return False
    return now > clock.turn_at + clock.turn_credit + 1_000 * limits.turn_seconds


def credit_for(lost_ms: int) -> ClockCredited | None:
    """What is given back for so many milliseconds lost, in whole seconds and rather more than less."""
    return None if lost_ms < LEAST_LOST_MS else ClockCredited(-(-lost_ms // 1_000))


def lost_from(clock: Clock, limits: Limits) -> int | None:
    """Since when lost time is to be credited; None when no clock runs."""
    runs = clock.deadline is not None or limits.game_minutes is not None
    return clock.counted_from if runs and not clock.ended_at else None


def within_grace(clock: Clock, state: State, now: int) -> bool:
    """A command now comes too soon after a last card fell due to call for its penalty (L3)."""
    return now < clock.due_at + 1_000 * state.rules.last_card_grace_seconds


def stop_time(clock: Clock, limits: Limits) -> int | None:
    """When the table's time is up (Z7), or when a game without a turn clock counts as forgotten; None for never."""
    if clock.ended_at:
        return None
    times = []
    if limits.game_minutes is not None:
        times.append(clock.started_at + 60_000 * limits.game_minutes + clock.credit)
    if limits.turn_seconds is None:
        times.append(clock.last_at + UNTOUCHED_MS)
    return min(times, default=None)


def bots_due(
    clock: Clock, state: State, bots: tuple[Seat, ...], limits: Limits, *, paced: bool
) -> tuple[tuple[int, Seat], ...]:
    """From when on each bot that may act is to act, the soonest first. ``bots``: the seats that bots play.

    ``paced``: a person sits at the table, so that bots take their time. It hangs on the game's seed and not on
    their hands. Where only bots play, they act at once.
    """
    if state.over or clock.ended_at or not bots:
        return ()
    if state.plus3 is None:
        return ((_turn_time(clock, state, limits, paced=paced), state.turn),) if state.turn in bots else ()
    return tuple(
        sorted((_answer_time(clock, state, seat, limits, paced=paced), seat) for seat in bots if seat in state.answer)
    )


def bot_overdue_at(due: tuple[tuple[int, Seat], ...], state: State, *, paced: bool) -> int | None:
    """When the sweep is to wake the bots; a bot that has been woken at once is given some time first."""
    if not due:
        return None
    return due[0][0] if paced or state.plus3 is not None else due[0][0] + BOT_PATIENCE_MS


def milliseconds(time: datetime) -> int:
    """The time in whole milliseconds since 1970 UTC."""
    return (time - EPOCH) // _MILLISECOND


def moment(at: int) -> datetime:
    """The time of ``at`` milliseconds since 1970 UTC."""
    return EPOCH + timedelta(milliseconds=at)


def timestamp(time: datetime) -> str:
    """The time as RFC 3339 has it, in UTC with milliseconds: ``2026-05-01T12:00:00.000Z``."""
    return time.astimezone(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def _after(now: int, seconds: int | None, bank: int = 0) -> int | None:
    return None if seconds is None else now + 1_000 * seconds + bank


def _turn_time(clock: Clock, state: State, limits: Limits, *, paced: bool) -> int:
    if not paced:
        return clock.last_at
    pause = _drawn(state, f"pause/{clock.turn_version}/{state.turn}", LEAST_PAUSE_MS, MOST_PAUSE_MS)
    return clock.turn_at + pause * limits.bot_pause_percent // 100


def _answer_time(clock: Clock, state: State, seat: Seat, limits: Limits, *, paced: bool) -> int:
    if not paced:
        return clock.window_at
    most = min(MOST_ANSWER_MS, 1_000 * limits.reaction_seconds - LEAST_ANSWER_MS)
    pause = _drawn(state, f"answer/{clock.window_version}/{seat}", LEAST_ANSWER_MS, most)
    return clock.window_at + min(most, pause * limits.bot_pause_percent // 100)


def _drawn(state: State, purpose: str, least: int, most: int) -> int:
    drawn = chain.private_bytes(state.seed, purpose)
    return least + int.from_bytes(drawn[:8], "big") % (most - least + 1)
