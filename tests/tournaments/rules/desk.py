"""A tournament to be driven by tests: acts, the clock, games that end as the test says."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from tournaments.rules import acts as a
from tournaments.rules import events as e
from tournaments.rules.advance import advance
from tournaments.rules.draws import commitment
from tournaments.rules.evolve import evolve, replay
from tournaments.rules.life import create, decide
from tournaments.rules.refusals import Refusal, Refused
from tournaments.rules.state import Entry, EntryNo, Phase, Place, Result, State, Table, TableNo
from tournaments.rules.terms import Format, NoShows, Seeding, TableKind, Terms

SEED = bytes(range(32))
CREATED_AT = 1_000_000
MINUTE = 60_000
KEEP = 1_000_000_000


def knockout(
    table_size: int = 4,
    go_on: int = 2,
    capacity: int = 100,
    *,
    seeding: Seeding = Seeding.LIST,
    check_in: bool = False,
    no_shows: NoShows = NoShows.LEAVE_OUT,
    waiting_list: bool = True,
    closes_at: int | None = None,
    starts_at: int | None = None,
    start_by_clock: bool = False,
    opens_at: int | None = None,
) -> Terms:
    """Terms of a knockout whose seeds are the numbers of the entries, unless they are drawn."""
    return Terms(
        format=Format.KNOCKOUT,
        table_kind=TableKind.SINGLE,
        table_size=table_size,
        go_on=go_on,
        capacity=capacity,
        seeding=seeding,
        check_in=check_in,
        no_shows=no_shows,
        waiting_list=waiting_list,
        opens_at=opens_at,
        closes_at=closes_at,
        starts_at=starts_at,
        start_by_clock=start_by_clock,
    )


def ladder(capacity: int = 10) -> Terms:
    """Terms of the box's TAKI tournament, without check-in."""
    return Terms(
        format=Format.LADDER,
        table_kind=TableKind.LADDER,
        table_size=capacity,
        go_on=1,
        capacity=capacity,
        check_in=False,
    )


def result(*groups: Sequence[int] | int, stage: int = 1) -> Result:
    """A result from groups of equals, best first: ``result(3, [1, 2])``; cards grow with the rank."""
    places: list[Place] = []
    for group in groups:
        rank = len(places) + 1
        members = [group] if isinstance(group, int) else group
        places += [Place(rank, EntryNo(entry), stage, rank - 1) for entry in members]
    return tuple(places)


class Desk:
    """A tournament with its log; ``now`` is the instant of every act (ms)."""

    def __init__(self, terms: Terms, seed: bytes = SEED) -> None:
        self.seed, self.now = seed, CREATED_AT
        self.log = [create(terms, commitment=commitment(seed), by="owner", at=self.now)]
        self.state: State = replay(self.log)

    def write(self, lines: Sequence[e.Logged]) -> None:
        for line in lines:
            self.state = evolve(self.state, line)
            self.log.append(line)

    def ask(self, *acts: a.Act, why: str = "reason-1") -> list[e.Event]:
        """Ask for these acts, one after the other; the events they made."""
        events: list[e.Event] = []
        for act in acts:
            lines = decide(self.state, act, by="organiser-1", at=self.now, why=why)
            self.write(lines)
            events += [line.event for line in lines]
        return events

    def refused(self, act: a.Act, why: str = "reason-1") -> tuple[Refusal, str]:
        """The refusal of this act and its detail; the test fails if it is accepted."""
        with pytest.raises(Refused) as caught:
            decide(self.state, act, by="organiser-1", at=self.now, why=why)
        return caught.value.refusal, caught.value.detail

    def advance(self, later: int = 0) -> list[e.Event]:
        """Let so many ms go by, then do what follows by itself."""
        self.now += later
        lines = advance(self.state, now=self.now, seed=self.seed)
        self.write(lines)
        return [line.event for line in lines]

    def started(self, entries: int) -> Desk:
        """Open, register so many, start, and seat the first round."""
        self.ask(a.OpenRegistration(), *[a.Register()] * entries, a.Start())
        self.advance()
        return self

    @property
    def open_tables(self) -> list[Table]:
        return [table for table in self.state.tables if table.unsettled]

    def seats(self, table: int) -> tuple[EntryNo, ...]:
        return self.state.table(TableNo(table)).seats

    def entry(self, number: int) -> Entry:
        return self.state.entry(EntryNo(number))

    def finish(self, table: int, *groups: Sequence[int] | int) -> list[e.Event]:
        """The game of this table ends so: entries in groups of equals, best first; without groups by number."""
        at = self.state.table(TableNo(table))
        outcome = result(*(groups or sorted(at.seats)))
        return self.ask(a.FinishTable(at.number, at.attempt, outcome))

    def finish_round(self) -> list[e.Event]:
        """Every open table ends with the lowest numbers first, and what follows follows."""
        for table in self.open_tables:
            self.finish(table.number)
        return self.advance()

    def to_the_end(self) -> Desk:
        """Rounds, until it is over."""
        for _ in range(KEEP):
            if self.state.over:
                return self
            self.finish_round()
        raise AssertionError("it did not end")

    def play_on(self, chance: random.Random, rounds: int = 1000) -> None:
        """Play to the end with results by chance, ties among them."""
        self.advance()
        for _ in range(rounds):
            if self.state.phase is not Phase.RUNNING:
                return
            for table in self.open_tables:
                self.ask(a.FinishTable(table.number, table.attempt, chance_result(table.seats, chance)))
            self.advance(MINUTE)
        raise AssertionError("it did not end")


def chance_result(seats: Sequence[EntryNo], chance: random.Random) -> Result:
    """A sound result of these entries by chance, with ties now and then."""
    order = list(seats)
    chance.shuffle(order)
    groups: list[list[int]] = []
    for entry in order:
        if groups and chance.random() < 0.25:
            groups[-1].append(entry)
        else:
            groups.append([entry])
    return result(*groups, stage=chance.randint(1, 8))
