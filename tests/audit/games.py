"""Whole games as the server would have logged them, made without a database: any seats, rules, clocks and absences."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from games import chain, clock
from games.audit.verify.lines import Line, text_of
from games.clock import Clock, Limits, moment, tick, timestamp
from games.rules import codec
from games.rules.cards import Seat
from games.rules.commands import (
    ACCEPT,
    CLOSE,
    END,
    LAST,
    LEAVE,
    STOP,
    TIMEOUT,
    Command,
    DeclareLastCard,
    Leave,
    Play,
)
from games.rules.decide import advance
from games.rules.events import (
    ClockCredited,
    Event,
    GameAborted,
    SeatAway,
    SeatReturned,
    SeedCommitted,
    SeedRevealed,
    TurnMissed,
)
from games.rules.evolve import evolve
from games.rules.legal import legal_commands, may_act
from games.rules.refusals import Refused
from games.rules.ruleset import DEFAULT_RULES, Mode, Ruleset
from games.rules.setup import start
from games.rules.state import NOT_STARTED, State
from games.services.grace import advance_with_grace
from tests.rules.laws.random_games import random_house_rules

EPOCH_MS = 1_777_636_800_000
"""2026-05-01T12:00:00Z."""
USUAL = Limits(60, 8)


@dataclass
class Written:
    """A log being written: the position and the clock after it, and each event with its author and time."""

    game_id: UUID
    server_seed: bytes
    entropy: tuple[bytes, ...]
    limits: Limits
    state: State = NOT_STARTED
    clock: Clock = field(default_factory=Clock)
    told: list[tuple[Event, str, int]] = field(default_factory=list)

    def group(self, events: Iterable[tuple[Event, str]], at: int, *, by_clock: bool = False) -> None:
        """Append the events of one transaction, and the clock events that follow from them."""
        told = list(events)
        before = self.state
        for event, _ in told:
            self.state = evolve(self.state, event)
        plain = [event for event, _ in told]
        times = clock.clock_events(self.clock, before, plain, self.limits, at, by_clock=by_clock)
        told += [(event, "server") for event in times]
        if self.state.over:
            told.append((SeedRevealed(self.server_seed.hex()), "server"))
        for event, actor in told:
            self.told.append((event, actor, at))
            self.clock = tick(self.clock, event, len(self.told), at, actor)

    def lines(self) -> list[Line]:
        """The log, chained."""
        return chained(self.game_id, self.server_seed, self.told)

    def texts(self) -> list[str]:
        """The export."""
        return [text_of(line) for line in self.lines()]


def chained(game_id: UUID, server_seed: bytes, told: Sequence[tuple[Event, str, int]]) -> list[Line]:
    """The lines of these events, each with its hash."""
    lines = []
    for version, (event, actor, at) in enumerate(told, start=1):
        lines.append(Line(str(game_id), version, *codec.encode(event), actor, timestamp(moment(at)), ""))
    return rechained(lines, server_seed)


def rechained(lines: Sequence[Line], server_seed: bytes) -> list[Line]:
    """The same events with versions and hashes as whoever knows the seed can make them."""
    head = chain.genesis(UUID(lines[0].game))
    made = []
    for version, old in enumerate(lines, start=1):
        line = old._replace(version=version)
        canonical = chain.canonical_event(
            version=version, event_type=line.type, schema=line.schema, data=line.data, actor=line.actor, at=line.at
        )
        head = chain.event_hash(head, chain.salt(server_seed, version), canonical)
        made.append(line._replace(hash=head.hex()))
    return made


def begun(
    *,
    server_seed: bytes,
    rules: Ruleset = DEFAULT_RULES,
    seats: int = 3,
    limits: Limits = USUAL,
    first: Seat | None = None,
    at: int = EPOCH_MS,
) -> Written:
    """A log of a game that has just begun; the seed draws who begins, unless it is said."""
    entropy = tuple(b"entropy %d" % seat for seat in range(seats))
    digests = [chain.entropy_digest(given) for given in entropy]
    seed = chain.game_seed(server_seed, digests)
    who = chain.first_seat(seed, [Seat(seat) for seat in range(seats)]) if first is None else first
    written = Written(UUID(bytes=server_seed[:16]), server_seed, entropy, limits)
    written.state = written.state._replace(seed=seed)
    started, dealt = start(rules=rules, seats=seats, first=who, seed=seed)
    committed = SeedCommitted(chain.commitment(server_seed).hex(), tuple(digest.hex() for digest in digests))
    written.group([(started, "host"), (committed, "server"), (dealt, "server")], at)
    return written


def random_game(chance: random.Random, *, rules: Ruleset | None = None, turns: int | None = None) -> Written:
    """A whole game of random play, with every turn of fate that the server knows."""
    rules = random_house_rules(chance) if rules is None else rules
    seats = chance.choice((2, 2, 3, 3, 4, 4, 5, 6, 8, 10))
    written = begun(
        server_seed=chance.randbytes(32),
        rules=rules,
        seats=seats,
        limits=random_limits(chance),
        first=None if chance.random() < 0.5 else Seat(chance.randrange(seats)),
    )
    Fate(written, chance).play()
    return written


def random_limits(chance: random.Random) -> Limits:
    """Any clock."""
    return Limits(
        turn_seconds=chance.choice((None, 5, 20, 60, 86_400)),
        reaction_seconds=chance.choice((3, 8, 600)),
        game_minutes=chance.choice((None, None, 60)),
        bank_seconds=chance.choice((0, 0, 10, 300)),
        increment_seconds=chance.choice((0, 2, 30)),
    )


class Fate:
    """Plays a game to its end: acts, silences, absences, returns, pauses of the service, and a stop at times."""

    def __init__(self, written: Written, chance: random.Random) -> None:
        self.written = written
        self.chance = chance
        self.at = written.clock.last_at
        seats = range(written.state.seats)
        self.bots = {seat for seat in seats if chance.random() < 0.3}
        self.accepting = {seat for seat in seats if chance.random() < 0.2}
        self.forfeit = chance.random() < 0.3

    def play(self) -> None:
        """To the end."""
        while not self.written.state.over:
            self.step()

    def step(self) -> None:
        """One thing that happens."""
        luck = self.chance.random()
        if self.chance.random() < 0.02:  # somebody accepts windows unasked from now on, or no longer does
            self.accepting ^= {self.chance.randrange(self.written.state.seats)}
        self.at += self._pause()
        deadline = self.written.clock.deadline
        if deadline is not None and self.at > deadline and luck < 0.7:
            self.time_out()
        elif luck < 0.0005:
            self._stop()
        elif luck < 0.01 and self.written.clock.away:
            self._return(self.chance.choice(self.written.clock.away))
        elif luck < 0.014:
            self._credit()
        elif luck < 0.016:
            self._leave()
        elif luck < 0.018:
            self._abandon()
        else:
            self.act()

    def _pause(self) -> int:
        turn = 1_000 * (self.written.limits.turn_seconds or 60)
        return self.chance.choice((0, 0, 1, 700, 1_500, turn // 3, turn // 2, turn + 900, turn * 2))

    def tell(self, events: Iterable[Event], actor: str, before: Sequence[tuple[Event, str]] = (), **how: bool) -> None:
        """These events of this actor now, and what the table adds to them."""
        told = [*before, *((event, actor) for event in events)]
        state = self.written.state
        for event, _ in told:
            state = evolve(state, event)
        for seat in sorted(self.accepting):
            if seat in state.answer:
                accepts, state = advance(state, Seat(seat), (ACCEPT,))
                told += [(event, f"seat:{seat}") for event in accepts]
        self.written.group(told, self.at, **how)

    def _decide(self, seat: Seat | None, commands: Sequence[Command]) -> tuple[tuple[Event, ...], State]:
        state, now = self.written.state, self.written.clock
        return advance_with_grace(state, seat, commands, within_grace=clock.within_grace(now, state, self.at))

    def act(self) -> None:
        """A seat that may act does something legal."""
        state = self.written.state
        staying = [Seat(seat) for seat in range(state.seats) if seat not in state.left]
        seat = self.chance.choice([seat for seat in staying if may_act(state, seat) or seat in state.last])
        commands = self._commands(seat)
        events, _ = self._decide(seat, commands)
        away = seat in self.written.clock.away
        if seat in self.bots or (away and self.chance.random() < 0.8):
            self.tell(events, f"bot:{seat}")
        else:
            back: list[tuple[Event, str]] = [(SeatReturned(seat), f"seat:{seat}")] if away else []
            self.tell(events, f"seat:{seat}", self._lost() + back)

    def _lost(self) -> list[tuple[Event, str]]:
        """Lost time that is credited before a move; seldom."""
        since = self.at - self.written.clock.counted_from
        if since < 3_000 or self.chance.random() > 0.05:
            return []
        return [(ClockCredited(self.chance.randint(1, since // 1_000)), "clock")]

    def _commands(self, seat: Seat) -> tuple[Command, ...]:
        """A command of section 15, often of several parts."""
        legal = [command for command in legal_commands(self.written.state, seat) if not isinstance(command, Leave)]
        commands: tuple[Command, ...] = (self.chance.choice(legal),)
        while isinstance(commands[0], Play) and self.chance.random() < 0.6:
            longer = (*commands, self._part(seat, commands))
            try:
                self._decide(seat, longer)
            except Refused:
                break
            commands = longer
            if not isinstance(longer[-1], Play | DeclareLastCard):
                break
        return commands

    def _part(self, seat: Seat, commands: Sequence[Command]) -> Command:
        _, state = self._decide(seat, commands)
        rest: list[Command] = [CLOSE, END]
        if isinstance(commands[-1], Play):
            plays = [command for command in legal_commands(state, seat) if isinstance(command, Play)]
            rest += [LAST, *plays, *plays]
        return self.chance.choice(rest)

    def time_out(self) -> None:
        """The clock comes."""
        written = self.written
        turn, window = written.state.turn, written.state.plus3 is not None
        decided, state = self._decide(None, (TIMEOUT,))
        events = [*decided]
        if not window and not state.over and turn not in self.bots:
            in_a_row = clock.missed_in_a_row(written.clock, turn) + 1
            events.append(TurnMissed(turn, in_a_row))
            if in_a_row >= clock.AWAY_AFTER and turn not in written.clock.away:
                events += self._gone(turn, state)
        self.tell(events, "clock", by_clock=True)

    def _gone(self, seat: Seat, state: State) -> list[Event]:
        leaves = advance(state, seat, (LEAVE,)).events if self.forfeit else ()
        return [SeatAway(seat), *leaves]

    def _abandon(self) -> None:
        state = self.written.state
        here = [seat for seat in range(state.seats) if seat not in state.left and seat not in self.written.clock.away]
        if here:
            self.tell(self._gone(Seat(self.chance.choice(here)), state), "server")

    def _return(self, seat: Seat) -> None:
        self.tell([SeatReturned(seat)], self.chance.choice((f"seat:{seat}", "server")))

    def _credit(self) -> None:
        lost = self.at - self.written.clock.counted_from
        if lost >= clock.LEAST_LOST_MS and self.written.clock.deadline is not None:
            self.tell([ClockCredited(-(-lost // 1_000))], "clock")

    def _leave(self) -> None:
        state = self.written.state
        seat = Seat(self.chance.choice([seat for seat in range(state.seats) if seat not in state.left]))
        actor = self.chance.choice((f"seat:{seat}", "server"))
        self.tell(self._decide(seat, (LEAVE,))[0], actor)

    def _stop(self) -> None:
        actor = self.chance.choice(("staff", "server"))
        events = list(self._decide(None, (STOP,))[0])
        self.tell([*events, GameAborted()] if self.chance.random() < 0.5 else events, actor)


def long_game(turns: int = 2_500) -> Written:
    """A ladder of ten seats; with so many turns it has a good 10,000 events."""
    rules = replace(DEFAULT_RULES, mode=Mode.LADDER, hand_size=10, max_turns=turns)
    written = begun(server_seed=bytes(range(1, 33)), rules=rules, seats=10)
    fate = Fate(written, random.Random(10_000))
    fate.bots, fate.accepting = set(), set()
    while not written.state.over:
        fate.at += 1_500
        fate.act()
    return written
