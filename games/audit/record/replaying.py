"""The log of a record: its moves played again from its seed, with the clock that its tags name."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from games import chain
from games.audit.record.game import Group, Part, Record, Tags
from games.audit.record.printing import words_of
from games.audit.verify.chaining import hash_after
from games.audit.verify.checking import Verified
from games.audit.verify.errors import Forged, Unreadable, shown
from games.audit.verify.lines import Line
from games.clock import Clock, clock_events, moment, tick, timestamp, within_grace
from games.rules import codec
from games.rules.commands import TIMEOUT, CloseTaki, Command, EndTurn
from games.rules.decide import advance
from games.rules.events import Event, GameStarted, Placing, SeedCommitted, SeedRevealed
from games.rules.evolve import evolve
from games.rules.refusals import Refused
from games.rules.ruleset import KNOWN_VERSIONS
from games.rules.setup import start
from games.rules.state import NOT_STARTED, State


def lines_of(record: Record) -> Iterator[Line]:
    """The log, each line with its hash. Forged if the rules do not allow a move; Unreadable for later rules."""
    replay = _Replay(record.tags)
    yield from replay.lines(_opening(record.tags), 0)
    for group in record.groups:
        timed_out = any(part.what == (TIMEOUT,) for part in group.parts)
        yield from replay.lines(replay.told(group), group.at, by_clock=timed_out)


def require_claims(record: Record, verified: Verified) -> None:
    """What the tags say of the end is what the moves lead to. Forged."""
    tags = record.tags
    facts: tuple[tuple[str, object, object], ...] = (
        ("number of events", verified.version, tags.events),
        ("head", verified.head_hash.hex(), tags.head.hex()),
        ("result", result_of(verified), tags.result),
        ("ranking", ranking_of(verified.ranking), tags.ranking),
    )
    for name, found, expected in facts:
        if found != expected:
            what = f"the moves lead to another {name} than the record says"
            raise Forged(what, version=verified.version, found=shown(str(found)), expected=shown(str(expected)))


def result_of(verified: Verified) -> str:
    """Why it ended, who won, and whether it counts: ``won 2``, ``stopped``, ``stopped aborted``."""
    winner = [] if verified.state.winner is None else [str(verified.state.winner)]
    reason = [verified.reason.value] if verified.reason else []
    return " ".join([*reason, *winner, *(["aborted"] if verified.aborted else [])])


def ranking_of(placings: tuple[Placing, ...]) -> str:
    """Rank and seat, from first to last: ``1:2 2:0 2:1``."""
    return " ".join(f"{placing.rank}:{placing.seat}" for placing in placings)


Acts = Sequence[tuple[Event, str]]
"""Events, each with its actor."""


def _opening(tags: Tags) -> Acts:
    if tags.rules_version not in KNOWN_VERSIONS:
        raise Unreadable(f"the game was played by version {shown(tags.rules_version, 40)} of the rules")
    seed = chain.game_seed(tags.seed, tags.entropy)
    started, dealt = start(rules=tags.rules, seats=tags.seats, first=tags.first, seed=seed)
    if isinstance(started, GameStarted):
        started = replace(started, rules_version=tags.rules_version)
    committed = SeedCommitted(tags.commitment.hex(), tuple(digest.hex() for digest in tags.entropy))
    return (started, tags.starter), (committed, "server"), (dealt, "server")


class _Replay:
    """The position, the clock and the chain as they grow."""

    def __init__(self, tags: Tags) -> None:
        self.tags = tags
        self.state: State = NOT_STARTED._replace(seed=chain.game_seed(tags.seed, tags.entropy))
        self.clock = Clock()
        self.version = 0
        self.head = chain.genesis(tags.game)

    def told(self, group: Group) -> Acts:
        """The events of what was done at once, without those of the clock."""
        if group.turn is not None and group.turn != self.state.turns + 1:
            what = f"the record counts turn {group.turn} here; it is turn {self.state.turns + 1}"
            raise Unreadable(what)
        state, clock, told = self.state, self.clock, list[tuple[Event, str]]()
        for part in group.parts:
            for commands in _decided_apart(part):
                events, state = self._decide(state, clock, part, commands, self._time(group.at))
                told.extend((event, part.actor) for event in events)
                for event in events:
                    clock = tick(clock, event, self.version + len(told), self._time(group.at), part.actor)
            if not isinstance(part.what, tuple):
                told.append((part.what, part.actor))
        return told

    def _decide(
        self, state: State, clock: Clock, part: Part, commands: tuple[Command, ...], at: int
    ) -> tuple[tuple[Event, ...], State]:
        try:
            return advance(state, part.seat, commands, within_grace=within_grace(clock, state, at))
        except Refused as refused:
            what = f"{part.actor} may not {words_of(part)}: {refused.refusal.value} (rule {refused.rule})"
            raise Forged(what, version=self.version + 1) from None
        except ValueError as error:
            raise Forged(f"{part.actor}: {words_of(part)}: {error}", version=self.version + 1) from None

    def _time(self, elapsed: int) -> int:
        return self.tags.began + elapsed

    def lines(self, acts: Acts, elapsed: int, *, by_clock: bool = False) -> Iterator[Line]:
        """The lines of these events and what follows from them: banks and deadlines, and at the end the seed."""
        at, before = self._time(elapsed), self.state
        for event, _ in acts:
            self.state = evolve(self.state, event)
        plain = [event for event, _ in acts]
        times = clock_events(self.clock, before, plain, self.tags.clock, at, by_clock=by_clock)
        end: Acts = [(SeedRevealed(self.tags.seed.hex()), "server")] if self.state.over and not before.over else []
        for event, actor in (*acts, *((event, "server") for event in times), *end):
            self.version += 1
            self.clock = tick(self.clock, event, self.version, at, actor)
            yield self._chained(event, actor, at)

    def _chained(self, event: Event, actor: str, at: int) -> Line:
        encoded, seal = codec.encode(event), self.tags.seal if isinstance(event, SeedRevealed) else None
        line = Line(str(self.tags.game), self.version, *encoded, actor, timestamp(moment(at)), "", seal)
        self.head = hash_after(self.head, self.tags.seed, line)
        return line._replace(hash=self.head.hex())


def _decided_apart(part: Part) -> Iterator[tuple[Command, ...]]:
    """Each part of a command with the closes and ends that follow it, which may belong to it (U11)."""
    commands = part.what if isinstance(part.what, tuple) else ()
    first = 0
    for place in range(1, len(commands) + 1):
        if place == len(commands) or not isinstance(commands[place], CloseTaki | EndTurn):
            yield commands[first:place]
            first = place
