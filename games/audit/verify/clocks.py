"""The clocks of a log: which banks and deadlines follow from its own times (docs/clocks.md).

The table's settings are not in the log. What is not given is learnt from it: the first deadline tells how long a
turn and a full bank are together, the first deadline of a seat whose bank was overdrawn where one ends and the other
begins, the first window's how long an answer may take. From then on every deadline and every bank must follow.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from games.audit.verify.chaining import Entry, told_of
from games.audit.verify.errors import Forged, shown
from games.audit.verify.lines import Line, read_time
from games.clock import UNTOUCHED_MS, Clock, Limits, moment, stop_time, tick, timestamp
from games.rules.cards import Seat
from games.rules.events import (
    BankChanged,
    ClockCredited,
    DeadlineSet,
    Event,
    GameEnded,
    GameStarted,
    TurnPassed,
    WindowOpened,
)

MOST_INCREMENT: Final = 600
START: Final = 4
"""The version of the first deadline, if the table has a turn clock: the start's last event."""
MOST_MS: Final = 1_000_000_000
"""Longer than any turn with its bank."""
LEAST_GAME_MS: Final = 5 * 60_000
SKEW_MS: Final = 5_000
"""By so much the database's clock, which counts what is credited, may differ from that of the times in the log."""
MOST_SPARE_MS: Final = 60_000
"""What that difference, and seconds rounded up, may come to in a game, beyond twice its length."""


class Learnt(NamedTuple):
    """A table's clock as far as it is known, in milliseconds: of a turn, of a full bank, of a window.

    None: not known (yet). ``increments``: those that are still possible, in seconds.
    """

    turn: int | None = None
    bank: int | None = None
    window: int | None = None
    increments: tuple[int, ...] = tuple(range(MOST_INCREMENT + 1))


class _Turn(NamedTuple):
    """A turn that has ended: who had it, for how long, and whether the clock ended it."""

    seat: Seat
    used: int
    by_clock: bool


def learnt_of(limits: Limits) -> Learnt:
    """All that is to be known of a table whose settings are given."""
    turn = None if limits.turn_seconds is None else 1_000 * limits.turn_seconds
    return Learnt(turn, 1_000 * limits.bank_seconds, 1_000 * limits.reaction_seconds, (limits.increment_seconds,))


class Timekeeper:
    """Follows a log's times, event by event, and says which clock events are to come next."""

    def __init__(self, limits: Limits | None = None, full_bank: int | None = 0) -> None:
        """``limits``: the table's settings, where they are known; else ``full_bank`` is what `full_bank` found."""
        self.clock = Clock()
        self.limits = limits
        self.known = learnt_of(limits) if limits else Learnt(bank=full_bank)
        self._turns: list[_Turn] = []
        self._begins: Seat | None = None
        self._window_opens = False
        self._deadline: int | None = None
        self.at = 0

    def note(self, turn: Seat, entry: Entry) -> None:
        """An event that was recorded; ``turn`` is the seat on turn before it."""
        event, self.at = entry.event, entry.at
        match event:
            case TurnPassed(to=to):
                self._end_turn(turn, entry)
                self._begins, self._window_opens = to, False
            case GameStarted(first=first):
                self._begins = first
            case WindowOpened():
                self._end_turn(turn, entry)
                self._begins, self._window_opens = None, True
            case ClockCredited(seconds) if self._deadline is not None:
                self._deadline += 1_000 * seconds
            case GameEnded():
                self._turns, self._begins, self._window_opens, self._deadline = [], None, False, None
            case _:
                pass
        self.clock = tick(self.clock, event, entry.version, entry.at, entry.actor)

    def _end_turn(self, seat: Seat, entry: Entry) -> None:
        clock = self.clock
        if clock.turn_at and self.known.turn is not None:
            self._turns.append(_Turn(seat, entry.at - clock.turn_at - clock.turn_credit, entry.actor == "clock"))

    def settle(self, found: Sequence[Entry], version: int) -> None:
        """What was noted since the last time comes to these clock events, no more and no less; ``version``: the next.

        Forged names the first one that is missing, too many or other than it follows.
        """
        told = [entry.event for entry in found]
        self._learn(told, version)
        expected = self._expected(told)
        for place, event in enumerate(expected):
            if place >= len(told) or told[place] != event:
                raise _wrong(version + place, told[place] if place < len(told) else None, event)
        if len(told) > len(expected):
            raise _wrong(version + len(expected), told[len(expected)], None)
        for entry in found:
            self.clock = tick(self.clock, entry.event, entry.version, entry.at, entry.actor)
        self._turns, self._begins, self._window_opens, self._deadline = [], None, False, self.clock.deadline

    @property
    def unsettled(self) -> bool:
        """Something was noted that may call for clock events."""
        return (
            bool(self._turns or self._begins is not None or self._window_opens) or self._deadline != self.clock.deadline
        )

    def nothing_due(self) -> bool:
        """What was noted so far calls for no clock event."""
        learning = self._window_opens and self.known.window is None
        return not self.unsettled or not (learning or self._expected(()))

    def _expected(self, told: Sequence[Event]) -> tuple[Event, ...]:
        banks = self._banks(self.known.increments[0])
        before, full = dict(self.clock.banks), self.known.bank
        changed = [BankChanged(seat, left) for seat, left in sorted(banks.items()) if left != before.get(seat, full)]
        if full is None:  # the log does not tell how banks are kept
            changed = [event for event in told if isinstance(event, BankChanged)]
        deadline = self._deadline_after(banks)
        return (*changed, *(() if deadline == self.clock.deadline else (DeadlineSet(deadline),)))

    def _deadline_after(self, banks: Mapping[Seat, int]) -> int | None:
        known = self.known
        if self._begins is not None:
            return None if known.turn is None else self.at + known.turn + self._bank(banks, self._begins)
        if self._window_opens:
            return None if known.window is None else self.at + known.window
        return self._deadline

    def _bank(self, banks: Mapping[Seat, int], seat: Seat) -> int:
        left = banks.get(seat)
        return dict(self.clock.banks).get(seat, self.known.bank or 0) if left is None else left

    def _banks(self, increment: int) -> dict[Seat, int]:
        """The banks of those whose turns have ended, if so many seconds are given back for a turn."""
        banks: dict[Seat, int] = {}
        turn, full = self.known.turn, self.known.bank
        if turn is None or not full:
            return banks
        for ended in self._turns:
            left = max(0, self._bank(banks, ended.seat) - max(0, ended.used - turn))
            banks[ended.seat] = min(full, left + (0 if ended.by_clock else 1_000 * increment))
        return banks

    # ---- learning

    def _learn(self, told: Sequence[Event], version: int) -> None:
        deadline = next((event.at for event in told if isinstance(event, DeadlineSet)), self.clock.deadline)
        if self.limits is None and deadline is not None:
            if self._begins is not None and self.known.turn is None and not self.clock.turn_credit and version <= START:
                self._learn_turn(_seconds(deadline - self.at, version), version)
            if self._window_opens and self.known.window is None:
                self.known = self.known._replace(window=_seconds(deadline - self.at, version))
        if self._turns and len(self.known.increments) > 1 and self.known.bank:
            self._learn_increment(told, version)

    def _learn_turn(self, turn_and_bank: int, version: int) -> None:
        self.known = self.known._replace(turn=_seconds(turn_and_bank - (self.known.bank or 0), version))

    def _learn_increment(self, told: Sequence[Event], version: int) -> None:
        """Only those increments remain that make the banks what the log says they are."""
        now = {event.seat: event.left for event in told if isinstance(event, BankChanged)}
        possible = self.known.increments
        if all(self._agrees(self._banks(it), now) for it in (possible[0], possible[-1])):
            return  # a bank never falls as the increment grows, so all between agree, too
        left = tuple(it for it in possible if self._agrees(self._banks(it), now))
        if not left:
            expected = self._expected(told)
            raise _wrong(version, told[0] if told else None, expected[0] if expected else None)
        self.known = self.known._replace(increments=left)

    def _agrees(self, banks: Mapping[Seat, int], now: Mapping[Seat, int]) -> bool:
        before = dict(self.clock.banks)
        full = self.known.bank or 0
        return (
            all(now.get(seat, before.get(seat, full)) == left for seat, left in banks.items())
            and now.keys() <= banks.keys()
        )

    # ---- what the clock may do

    def refuse_timeout(self, at: int) -> str:
        """Why the clock may not end a turn or window now; empty if it may."""
        deadline = self.clock.deadline
        if deadline is None:
            return "no deadline runs"
        return f"the deadline is {timestamp(moment(deadline))}" if at < deadline else ""

    def refuse_stop(self, at: int) -> str:
        """Why the clock may not end the game now; empty if it may, as far as its settings are known."""
        clock = self.clock
        if self.limits is not None:
            stop_at = stop_time(clock, self.limits)
            return "" if stop_at is not None and stop_at <= at else "the time of the table is not up"
        forgotten = self.known.turn is None and at >= clock.last_at + UNTOUCHED_MS
        played = at >= clock.started_at + LEAST_GAME_MS + clock.credit
        return "" if forgotten or played else "no table's time is up so soon"

    def refuse_credit(self, credited: ClockCredited, at: int) -> str:
        """Why so much time cannot have been lost; empty if it can."""
        passed, given = at - self.clock.counted_from, 1_000 * credited.seconds
        if credited.seconds < 1:
            return "at least a second is credited"
        if given - 1_000 > passed + SKEW_MS:
            return f"only {passed} ms have passed"
        in_all = 2 * (at - self.clock.started_at) + MOST_SPARE_MS
        return "" if self.clock.credit + given <= in_all else "more has been credited in all than the game has lasted"


def full_bank(lines: Iterable[Line]) -> int | None:
    """What a full bank holds, in milliseconds, by the first deadline of a seat whose bank had been touched.

    0 if there are no banks, or none was ever touched (which is the same to a log). None if one was touched, but no
    deadline ever followed from it: then the log does not tell.
    """
    looking = _Looking()
    for line in lines:
        if looking.look(line):
            return looking.total - looking.turn
    return None if looking.banks else 0


class _Looking:
    """Looks for a turn that begins with a touched bank. Odd values are passed over: they are judged later."""

    def __init__(self) -> None:
        self.total = 0
        self.turn = 0
        self.banks: dict[int, int] = {}
        self._deadline = 0
        self._begun: tuple[int, str] | None = None

    def look(self, line: Line) -> bool:
        """Whether ``turn`` is known now."""
        data = line.data
        if self._begun is not None and self._begun[1] != line.at and self._found(self._deadline):
            return True
        match line.type, data:
            case "TurnPassed", {"to": int(to)}:
                self._begun = (to, line.at)
            case "BankChanged", {"seat": int(seat), "left": int(left)}:
                self.banks[seat] = left
            case "DeadlineSet", {"at": int(at)}:
                self._deadline = at
                self.total = self.total or at - read_time(line.at)
                return self._begun is not None and self._found(at)
            case (("WindowOpened" | "GameEnded" | "DeadlineSet"), _):
                self._begun = None
            case _:
                pass
        return False

    def _found(self, deadline: int) -> bool:
        """The turn that has begun has this deadline: was its seat's bank touched?"""
        begun, self._begun = self._begun, None
        if begun is None or begun[0] not in self.banks or not deadline:
            return False
        self.turn = deadline - read_time(begun[1]) - self.banks[begun[0]]
        return True


def _seconds(milliseconds: int, version: int) -> int:
    if not 0 < milliseconds <= MOST_MS or milliseconds % 1_000:
        what = "no table's clock runs so: a deadline is whole seconds away, and not for ever"
        raise Forged(what, version=version, found=shown(f"{milliseconds} ms", 40))
    return milliseconds


def _wrong(version: int, found: Event | None, expected: Event | None) -> Forged:
    return Forged(
        "the clock says otherwise",
        version=version,
        found=told_of(found) if found else "none",
        expected=told_of(expected) if expected else "no clock event",
    )
