"""Every event decided again: whose act it was, whether the rules allow it, and what they make of it."""

from typing import Final, NamedTuple

from games.audit.verify.ahead import Ahead
from games.audit.verify.asked import acting_seat, asked, concerned_seat, known_actor
from games.audit.verify.chaining import Entry, told_of
from games.audit.verify.clocks import Timekeeper
from games.audit.verify.errors import Forged
from games.audit.verify.steps import Scribe, Step
from games.clock import AWAY_AFTER, missed_in_a_row, within_grace
from games.rules.cards import Seat
from games.rules.commands import CLOSE, Accept, Command, Leave, Stop, Timeout
from games.rules.decide import Advance, advance
from games.rules.events import (
    BankChanged,
    CardsDrawn,
    ClockCredited,
    DeadlineSet,
    DrawReason,
    EndReason,
    Event,
    GameAborted,
    GameEnded,
    PileReshuffled,
    SeatAway,
    SeatLeft,
    SeatReturned,
    SeedRevealed,
    TakiClosed,
    TakiLeftOpen,
    TurnMissed,
    TurnPassed,
)
from games.rules.evolve import evolve
from games.rules.notation import format_command
from games.rules.refusals import Refused
from games.rules.state import State


class _Act(NamedTuple):
    """What was carried out last: by whom, the version of its last event, and its events."""

    actor: str = ""
    version: int = 0
    events: tuple[Event, ...] = ()


MOST_OUTSIDE: Final = 100


class Referee:
    """Goes through a log after its start, one act at a time. What it raises is Forged."""

    def __init__(
        self, ahead: Ahead, times: Timekeeper, state: State, server_seed: bytes, scribe: Scribe | None = None
    ) -> None:
        """``state``: the position dealt; the clock has been told of the start. ``scribe`` is told each step."""
        self.ahead = ahead
        self._scribe = scribe
        self.times = times
        self.state = state
        self.ended: GameEnded | None = None
        self.aborted = False
        self.revealed = False
        self.commands = 0
        self.outside: list[str] = []
        self._persons: set[Seat] = set()
        self._server_seed = server_seed
        self._act = _Act()
        self._settled = False
        self._timed_out: Seat | None = None
        self._away_due: Seat | None = None

    def judge(self) -> None:
        """Go through all of it."""
        while (entry := self.ahead.peek()) is not None:
            if self._timed_out is not None and not isinstance(entry.event, TurnMissed):
                self._note_uncounted(entry, self._timed_out)
            if isinstance(entry.event, BankChanged | DeadlineSet):
                self._settle_clock(entry)
            elif self.times.unsettled and entry.at != self.times.at:
                self.times.settle((), entry.version)
            else:
                self._next(entry)
        if self.times.unsettled:
            self.times.settle((), self.ahead.version + 1)
        if self._away_due is not None:
            raise Forged("the log breaks off", version=self.ahead.version, expected=told_of(SeatAway(self._away_due)))
        if self.ended is not None and not self.revealed:
            raise Forged("the log does not end by revealing the seed", version=self.ahead.version)

    def _settle_clock(self, first: Entry) -> None:
        found: list[Entry] = []
        while (entry := self.ahead.peek()) is not None and isinstance(entry.event, BankChanged | DeadlineSet):
            self._require_author(entry, "server", self.times.at)
            found.append(entry)
            self.ahead.take()
            if isinstance(entry.event, DeadlineSet):
                break
        self.times.settle(found, first.version)
        self._settled = True

    def _next(self, entry: Entry) -> None:
        if self._away_due is not None and not isinstance(entry.event, SeatAway):
            raise _otherwise(entry, SeatAway(self._away_due), "who misses so many turns is away")
        if self.ended is not None:
            self._after_end(entry)
            return
        match entry.event:
            case ClockCredited() as credited:
                self._credit(entry, credited)
            case SeatReturned(seat):
                self._require(entry, seat in self.times.clock.away, "who is not away cannot return")
                self._tell(entry, f"seat:{seat}", "server")
            case TurnMissed() as missed:
                self._miss_turn(entry, missed)
            case SeatAway(seat):
                self._go_away(entry, seat)
            case _:
                self._carry_out(entry)

    # ---- acts of the rules

    def _carry_out(self, entry: Entry) -> None:
        if self._closed_after_plus(entry):
            self._write(entry, acting_seat(entry.actor), CLOSE)
            self._take(TakiClosed(), entry.actor, entry.at)
            self.state = evolve(self.state, TakiClosed())
            return
        command = asked(self.ahead, entry)
        if command is None or not known_actor(entry.actor):
            raise Forged("nothing that may be asked begins so", version=entry.version, found=_told(entry))
        seat = self._seat_of(entry, command)
        decided = self._decided(entry, seat, command)
        if not decided.events:
            raise Forged("it makes nothing happen", version=entry.version, found=_told(entry))
        self._write(entry, seat, command)
        turn = self.state.turn
        for expected in decided.events:
            self._take(expected, entry.actor, entry.at, turn)
            turn = expected.to if isinstance(expected, TurnPassed) else turn
        timed_out = isinstance(command, Timeout) and self.state.plus3 is None and not decided.state.over
        self._timed_out = self.state.turn if timed_out else None
        self.state = decided.state
        self.commands += 1
        self._act = _Act(entry.actor, self.ahead.version, decided.events)
        last = decided.events[-1]
        self.ended = last if isinstance(last, GameEnded) else None

    def _decided(self, entry: Entry, seat: Seat | None, command: Command) -> Advance:
        grace = within_grace(self.times.clock, self.state, entry.at)
        try:
            return advance(self.state, seat, (command,), within_grace=grace)
        except Refused as refused:
            what = f"{entry.actor} may not {format_command((command,))}: {refused.refusal.value} (rule {refused.rule})"
            raise Forged(what, version=entry.version, found=_told(entry), expected=self._whose_turn()) from None
        except ValueError as error:
            raise Forged(str(error), version=entry.version, found=_told(entry)) from None

    def _whose_turn(self) -> str:
        state = self.state
        if state.plus3 is None:
            return f"an act that the rules allow, seat {state.turn} being on turn"
        return f"an answer to the +3 of seat {state.plus3} by one of the seats {', '.join(map(str, state.answer))}"

    def _note_outside(self, version: int, what: str) -> None:
        if len(self.outside) < MOST_OUTSIDE:
            self.outside.append(f"version {version}: {what}")

    def _note_hands(self, entry: Entry, seat: Seat) -> None:
        """Who sits where is not in the log: a bot that takes over from somebody who is not away is told of."""
        if entry.actor.startswith("seat:"):
            self._persons.add(seat)
        elif seat in self._persons and seat not in self.times.clock.away:
            self._persons.remove(seat)
            self._note_outside(entry.version, f"seat {seat} is played by a bot from here on, and is not away")

    def _note_uncounted(self, entry: Entry, seat: Seat) -> None:
        """Built-in bots miss no turns, and a bot may have taken over; else somebody is spared from being away."""
        if seat in self._persons:
            self._note_outside(entry.version, f"seat {seat} lets its turn pass, and it is not counted as missed")
        self._timed_out = None

    def _seat_of(self, entry: Entry, command: Command) -> Seat | None:
        """The seat that acts: the actor's own, or that of a leaver whom the clock or the server makes leave."""
        seat, concerned = acting_seat(entry.actor), concerned_seat(entry.event)
        if seat is not None:
            self._require(entry, concerned in (None, seat), f"{entry.actor} acts for its own seat only")
            self._require(entry, self._present(entry, seat, command), f"seat {seat} is away and has not returned")
            self._note_hands(entry, seat)
            return seat
        match command:
            case Leave():
                gone = self._act.events == (SeatAway(concerned),) if concerned is not None else False
                self._require(entry, entry.actor == "server" or (entry.actor == "clock" and gone), "nobody leaves so")
                self._note_outside(entry.version, f"seat {concerned} is made to leave by the {entry.actor}")
                return concerned
            case Timeout():
                self._refuse(entry, self.times.refuse_timeout(entry.at))
            case Stop() if entry.actor == "clock":
                self._refuse(entry, self.times.refuse_stop(entry.at))
            case _:
                self._require(entry, entry.actor in ("staff", "server"), f"{entry.actor} may not do this")
                self._note_outside(entry.version, f"the game is stopped by the {entry.actor}")
        return None

    def _present(self, entry: Entry, seat: Seat, command: Command) -> bool:
        """Who is away comes back before it acts, but to leave; a window that one accepts unasked, whatever the hand, is
        accepted with the next thing that is recorded.
        """
        clock = self.times.clock
        if not entry.actor.startswith("seat:") or seat not in clock.away or isinstance(command, Leave):
            return True
        return isinstance(command, Accept) and entry.at == self.times.at

    def _closed_after_plus(self, entry: Entry) -> bool:
        """U11: after a Plus that could not win in a run, the same command may still close the TAKI."""
        act = self._act
        if not isinstance(entry.event, TakiClosed) or (act.actor, act.version) != (entry.actor, entry.version - 1):
            return False
        plus = any(isinstance(event, CardsDrawn) and event.reason is DrawReason.PLUS for event in act.events)
        left_open = any(isinstance(event, TakiLeftOpen) for event in act.events)
        return plus and left_open and self.state.taki is not None and entry.at == self.times.at

    # ---- acts of the table

    def _credit(self, entry: Entry, credited: ClockCredited) -> None:
        self._refuse(entry, self.times.refuse_credit(credited, entry.at))
        self._note_outside(entry.version, f"{credited.seconds} s are credited, as nobody looked at the clocks")
        self._tell(entry, "clock")

    def _miss_turn(self, entry: Entry, missed: TurnMissed) -> None:
        seat, clock = self._timed_out, self.times.clock
        if seat is None or (self._act.version, self.times.at) != (entry.version - 1, entry.at):
            raise Forged("no turn was missed", version=entry.version, found=_told(entry))
        expected = TurnMissed(seat, missed_in_a_row(clock, seat) + 1)
        if missed != expected:
            raise _otherwise(entry, expected, "another turn was missed")
        gone = expected.in_a_row >= AWAY_AFTER and seat not in clock.away
        self._tell(entry, "clock")
        self._away_due = seat if gone else None

    def _go_away(self, entry: Entry, seat: Seat) -> None:
        here = 0 <= seat < self.state.seats and seat not in self.state.left and seat not in self.times.clock.away
        self._require(entry, here, "it is not there to go away")
        if self._away_due is not None and (seat, entry.actor, entry.at) != (self._away_due, "clock", self.times.at):
            raise _otherwise(entry, SeatAway(self._away_due), "another seat missed its turns")
        if self._away_due is None:
            self._note_outside(entry.version, f"seat {seat} is away by the server's word")
        self._tell(entry, "server" if self._away_due is None else "clock")
        self._away_due = None

    def _after_end(self, entry: Entry) -> None:
        """`GameAborted` if it was stopped for good, then `SeedRevealed`, and nothing more."""
        if self.revealed:
            raise Forged("nothing may follow the revealed seed", version=entry.version, found=_told(entry))
        if isinstance(entry.event, GameAborted) and not self.aborted:
            stopped = self.ended is not None and self.ended.reason is EndReason.STOPPED
            self._require(entry, stopped and entry.at == self.times.at, "only a game that was stopped is aborted")
            self._tell(entry, self._act.actor)
            self.aborted = True
            return
        self._take(SeedRevealed(self._server_seed.hex()), "server", self.times.at)
        self.revealed = True

    # ---- one event

    def _write(self, entry: Entry, seat: Seat | None, what: Command | Event) -> None:
        if self._scribe is None:
            return
        apart = True if self._settled else None if self.times.nothing_due() and self.ended is None else False
        self._scribe(Step(entry.actor, seat, what, entry.at, self.state.turns, apart))
        self._settled = False

    def _tell(self, entry: Entry, *actors: str) -> None:
        """An event of the table, which leaves the position as it is, by one of these actors."""
        if entry.actor not in actors:
            raise Forged("not its act", version=entry.version, found=_told(entry), expected=" or ".join(actors))
        self._write(entry, acting_seat(entry.actor), entry.event)
        self.ahead.take()
        self.times.note(self.state.turn, entry)
        self._timed_out = None
        self._act = _Act(entry.actor, entry.version, (entry.event,))

    def _take(self, expected: Event, actor: str, at: int, turn: Seat | None = None) -> None:
        """The next event must be this one, of this actor at this time."""
        entry = self.ahead.take()
        if entry is None:
            version = self.ahead.version + 1
            raise Forged("the log breaks off", version=version, found="its end", expected=told_of(expected))
        if entry.event != expected:
            raise _otherwise(entry, expected, _blame(expected))
        self._require_author(entry, actor, at)
        self.times.note(self.state.turn if turn is None else turn, entry)

    def _require_author(self, entry: Entry, actor: str, at: int) -> None:
        if (entry.actor, entry.at) != (actor, at):
            found = f"{_told(entry)} by {entry.actor}"
            when = "" if entry.at == at else f", {entry.at - at} ms after the event before it"
            what = "it is by another" if entry.actor != actor else "it belongs to what was told just before"
            raise Forged(what, version=entry.version, found=found + when, expected=f"by {actor}, at the same time")

    def _require(self, entry: Entry, holds: bool, what: str) -> None:
        if not holds:
            raise Forged(what, version=entry.version, found=f"{_told(entry)} by {entry.actor}")

    def _refuse(self, entry: Entry, why: str) -> None:
        self._require(entry, not why, why)


def _told(entry: Entry) -> str:
    return told_of(entry.event)


def _otherwise(entry: Entry, expected: Event, what: str) -> Forged:
    return Forged(what, version=entry.version, found=_told(entry), expected=told_of(expected))


def _blame(expected: Event) -> str:
    match expected:
        case PileReshuffled() | SeatLeft():
            return "the shuffle is not the seed's"
        case CardsDrawn():
            return "other cards lie on top, by the seed"
        case GameEnded():
            return "the game ends otherwise"
        case SeedRevealed():
            return "the game is over"
        case _:
            return "the rules make something else of it"
