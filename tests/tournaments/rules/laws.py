"""The laws of a tournament, each as a check that knows the log and as little of the rules as it can.

A random life is a list of choices: small numbers that are read as acts against the tournament as it then stands, so
that most are legal, some are not, and a failing life shrinks.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

from tests.tournaments.rules.desk import MINUTE, SEED, Desk, chance_result, result
from tests.tournaments.rules.test_meetings import fewest_repeats
from tournaments.rules import acts as a
from tournaments.rules import events as e
from tournaments.rules.advance import advance
from tournaments.rules.evolve import evolve, replay
from tournaments.rules.legal import WHOLE, legal_targets
from tournaments.rules.life import decide, refusal
from tournaments.rules.meetings import met_before
from tournaments.rules.refusals import Refusal, Refused
from tournaments.rules.standings import Group, standings
from tournaments.rules.state import EntryNo, EntryStatus, Phase, Result, RoundNo, State, TableNo, TableStatus
from tournaments.rules.verify import discrepancies

CONTENT = {
    Refusal.NEEDS_REASON,
    Refusal.STALE_ATTEMPT,
    Refusal.BAD_TERMS,
    Refusal.TERMS_FIXED,
    Refusal.BAD_SEEDING,
    Refusal.BAD_RESULT,
    Refusal.NOTHING_CHANGES,
    Refusal.ALREADY_BOT,
}
"""What an act may lack in itself, though one like it may be asked."""


@dataclass(frozen=True)
class Choice:
    """One step of a random life; see ``act_of`` and ``live``."""

    kind: int
    target: int
    flavour: int


ENTRY_ACTS = (a.Promote, a.CheckIn, a.Withdraw, a.Replace, a.Forfeit, a.Disqualify, a.Reinstate)
TABLE_ACTS = (a.EndTable, a.ReplayTable)
GAME_ACTS = (a.OpenTable, a.AbortTable)
PLAIN_ACTS = (a.OpenRegistration, a.CloseRegistration, a.Start, a.Pause, a.Resume, a.Cancel)
ABOUT_ALL = (*PLAIN_ACTS, a.ChangeTerms, a.ListSeeding, a.Register)


def act_of(state: State, kind: type[a.Act], target: int, chance: random.Random) -> a.Act:
    """An act of this kind about this target, with sound content wherever the target exists."""
    for plain in PLAIN_ACTS:
        if kind is plain:
            return plain()
    for about_entry in ENTRY_ACTS:
        if kind is about_entry:
            return about_entry(EntryNo(target))
    if kind is a.ReopenRound:
        return a.ReopenRound(RoundNo(target))
    return _act_with_content(state, kind, target, chance)


def _act_with_content(state: State, kind: type[a.Act], target: int, chance: random.Random) -> a.Act:
    if kind is a.ChangeTerms:
        return a.ChangeTerms(replace(state.terms, capacity=max(2, state.taken) + chance.randint(0, 2)))
    if kind is a.ListSeeding:
        return a.ListSeeding(seeding_list(state, chance))
    if kind is a.NoShow:
        return a.NoShow(EntryNo(target), bot=chance.random() < 0.5)
    if kind is a.Register:
        return a.Register(bot=chance.random() < 0.2)
    return _act_about_table(state, kind, TableNo(target), chance)


def _act_about_table(state: State, kind: type[a.Act], table: TableNo, chance: random.Random) -> a.Act:
    known = 1 <= table <= len(state.tables)
    attempt = state.table(table).attempt if known else 1
    for by_organiser in TABLE_ACTS:
        if kind is by_organiser:
            return by_organiser(table)
    for of_game in GAME_ACTS:
        if kind is of_game:
            return of_game(table, attempt)
    outcome = chance_result(state.table(table).seats, chance) if known else result(1, 2)
    return a.FinishTable(table, attempt, outcome) if kind is a.FinishTable else a.CorrectResult(table, outcome)


def seeding_list(state: State, chance: random.Random) -> tuple[EntryNo, ...]:
    registered = (EntryStatus.ENTERED, EntryStatus.WAITING)
    numbers = [entry.number for entry in state.entries if entry.status in registered]
    chance.shuffle(numbers)
    return tuple(numbers[: chance.randint(0, len(numbers))])


# ---- laws of a single state


def accepted_iff_listed(state: State, now: int, chance: random.Random) -> None:
    """``decide`` accepts an act exactly if it is listed as legal, unless the act's own content is at fault."""
    for kind in a.ACTS:
        listed = legal_targets(state, kind, now)
        assert kind not in ABOUT_ALL or listed in (WHOLE, frozenset())
        most = 0 if kind in ABOUT_ALL else max(len(state.entries), len(state.tables)) + 1
        for target in range(most + 1):
            act = act_of(state, kind, target, chance)
            refused = refusal(state, act, at=now, why="reason")
            if not content_is_at_fault(act, refused):
                assert (refused is None) == (target in listed), (act, refused)
            if kind in a.NEED_REASON and target in listed:
                assert refusal(state, act, at=now) is Refusal.NEEDS_REASON


def content_is_at_fault(act: a.Act, refused: Refusal | None) -> bool:
    return refused in CONTENT or (isinstance(act, a.CorrectResult) and refused is Refusal.CHANGES_WHO_GOES_ON)


def nobody_eliminated_plays(state: State) -> None:
    """Who is in a round went on from the one before; everyone has one place in it."""
    for before, after in pairwise(state.rounds):
        assert set(members(state, after.number)) <= set(before.going_on or ())
    for of in state.rounds:
        in_it = members(state, of.number)
        assert len(set(in_it)) == len(in_it)
        assert all(state.entry(entry).started for entry in in_it)


def members(state: State, number: int) -> list[EntryNo]:
    of = state.rounds[number - 1]
    return [*of.byes, *(entry for table in state.tables_of(of) for entry in table.seats)]


def tables_are_even(state: State) -> None:
    """Sizes differ by at most one, none has fewer than two seats; a bye only for the odd one of two-seat tables."""
    for of in state.rounds:
        sizes = [len(table.seats) for table in state.tables_of(of)]
        assert 2 <= min(sizes) <= max(sizes) <= min(state.terms.table_size, min(sizes) + 1)
        if of.byes:
            assert (state.terms.table_size, len(of.byes)) == (2, 1)


def byes_are_fair(state: State) -> None:
    """When somebody gets a bye, nobody else who is in the round has had fewer."""
    had: dict[EntryNo, int] = {}
    for of in state.rounds:
        for entry in of.byes:
            assert had.get(entry, 0) == min(had.get(other, 0) for other in members(state, of.number))
        for entry in of.byes:
            had[entry] = had.get(entry, 0) + 1


def the_best_go_on(before: State, finished: e.RoundFinished) -> None:
    """Of each table K go on, never all, as far as there are so many able to; and always the best of these."""
    of = before.rounds[-1]
    assert all(before.entry(entry).status is EntryStatus.PLAYING for entry in finished.going_on)
    for table in before.tables_of(of):
        places = 1 if of.final else min(before.terms.go_on, len(table.seats) - 1)
        able = {entry for entry in table.staying if before.entry(entry).status is EntryStatus.PLAYING}
        on = set(table.seats) & set(finished.going_on)
        assert on <= able
        assert len(on) == min(places, len(able))
        nobody_better_stays_behind(table.result, able, on)


def a_correction_moves_nobody(before: State, corrected: e.ResultCorrected) -> None:
    """A result of an earlier round is corrected only so that those who went on remain the best of those able to."""
    table = before.table(corrected.table)
    of = before.rounds[table.round - 1]
    if of.going_on is not None and table.round < len(before.rounds):
        on = set(table.seats) & set(of.going_on)
        able = {n for n in table.seats if before.entry(n).status is EntryStatus.PLAYING}
        out = {leaver.entry for leaver in corrected.out}
        nobody_better_stays_behind(corrected.result, able - out, on)


def nobody_better_stays_behind(outcome: Result, able: set[EntryNo], on: set[EntryNo]) -> None:
    ranks = {place.entry: place.rank for place in outcome}
    best_behind = min((ranks[entry] for entry in able - on), default=99)
    assert all(ranks[entry] <= best_behind for entry in on)


def only_rounds_that_count_are_open(state: State) -> None:
    """Every table belongs to a round that stands, or is void; only the latest round may be unfinished."""
    standing = {table.number for of in state.rounds for table in state.tables_of(of)}
    for table in state.tables:
        assert (table.status is TableStatus.VOID) == (table.number not in standing)
    assert all(of.going_on is not None for of in state.rounds[:-1])
    assert [of.number for of in state.rounds] == list(range(1, len(state.rounds) + 1))


def numbers_agree(state: State, log: Sequence[e.Logged]) -> None:
    """Counts that are kept for speed are what counting gives; the state is the fold of the log."""
    assert replay(log) == state
    assert state.version == len(log)
    waiting = [entry.number for entry in state.entries if entry.status is EntryStatus.WAITING]
    assert sorted(state.waiting) == waiting
    if state.phase in (Phase.REGISTRATION, Phase.CHECK_IN):
        assert state.taken == sum(entry.status is EntryStatus.ENTERED for entry in state.entries)
    assert state.taken <= state.terms.capacity


def results_equal_the_log(state: State, log: Iterable[e.Logged]) -> None:
    """A table's result is the last that was told of it since it was set up."""
    told: dict[TableNo, object] = {}
    for line in log:
        event = line.event
        if isinstance(event, e.TableFinished | e.ResultCorrected):
            told[event.table] = event.result
        elif isinstance(event, e.TableReplayed):
            told.pop(event.table, None)
    for table in state.tables:
        assert table.result == told.get(table.number, ())


def nobody_meets_again_before_it_must_be(before: State, seated: e.RoundSeated) -> None:
    """No seating at tables of these sizes has fewer repeated pairings, by trying all of them."""
    entries = sorted(entry for seats in seated.tables for entry in seats)
    earlier = [table.seats for of in before.rounds for table in before.tables_of(of)]
    met = met_before(earlier, frozenset(entries))
    repeated = sum(met.get(x, {}).get(y, 0) for seats in seated.tables for x, y in combinations(seats, 2))
    assert seated.repeats == repeated
    if repeated and len(entries) <= 10:
        assert repeated == fewest_repeats(entries, [len(seats) for seats in seated.tables], met)


def a_crash_changes_nothing(state: State, now: int, seed: bytes) -> None:
    """However many of its lines were written, ``advance`` goes on with exactly the others; then with none."""
    lines = advance(state, now=now, seed=seed)
    for written in range(len(lines) + 1):
        assert advance(state, now=now, seed=seed) == lines[written:]
        if written < len(lines):
            state = evolve(state, lines[written])


def laws_of_a_state(desk: Desk) -> None:
    """All of the above that hold at any time."""
    for law in (nobody_eliminated_plays, tables_are_even, byes_are_fair):
        law(desk.state)
    only_rounds_that_count_are_open(desk.state)
    numbers_agree(desk.state, desk.log)
    results_equal_the_log(desk.state, desk.log)


# ---- laws of a finished tournament


def the_ranking_is_of_everyone(state: State) -> None:
    """Ranks 1, 2, 3 …; the champion, if any, first; groups, rounds and places in their order."""
    lines = standings(state)
    assert [line.rank for line in lines] == list(range(1, len(lines) + 1))
    ranked = [entry.number for entry in state.entries if entry.started or entry.status is EntryStatus.ABSENT]
    assert sorted(line.entry for line in lines) == ranked
    assert [line.entry for line in lines if line.champion] in ([], [lines[0].entry])
    groups = list(Group)
    for better, worse in pairwise(lines):
        assert groups.index(better.group) <= groups.index(worse.group)
        if better.group is worse.group is Group.PLAYED:
            assert better.round >= worse.round
            if better.round == worse.round and not better.champion and better.place and worse.place:
                assert better.place <= worse.place
        elif better.group is worse.group and better.group is not Group.ABSENT:
            assert state.entry(better.entry).left > state.entry(worse.entry).left
    if any(line.group is Group.PLAYED for line in lines) and state.rounds and state.rounds[-1].going_on:
        assert lines[0].champion


def the_log_is_honest(desk: Desk) -> None:
    """The revealed seed derives every draw again; another seed does not fit."""
    assert discrepancies(desk.log, SEED) == ()
    assert discrepancies(desk.log, bytes(32)) != ()


# ---- a random life


def live(desk: Desk, choices: Sequence[Choice], chance: random.Random) -> None:
    """Do what the choices say; check every law on the way."""
    for choice in choices:
        if desk.state.over and choice.flavour % 4:
            continue
        kind = a.ACTS[choice.kind % len(a.ACTS)]
        listed = sorted(legal_targets(desk.state, kind, desk.now))
        if choice.flavour % 2 == 0 or not listed or (kind is a.Cancel and choice.flavour % 7):
            kind, listed = likely(desk, choice)
        target = listed[choice.target % len(listed)] if listed and choice.flavour % 11 else choice.target % 14
        act = act_of(desk.state, kind, target, chance)
        lines: tuple[e.Logged, ...] = ()
        try:
            lines = decide(desk.state, act, by="o", at=desk.now, why="reason" if choice.flavour % 13 else "")
        except Refused:
            assert replay(desk.log) == desk.state, "a refusal changes nothing"
        for line in lines:
            if isinstance(line.event, e.ResultCorrected):
                a_correction_moves_nobody(desk.state, line.event)
            desk.write([line])
        if choice.flavour % 4 == 0:
            accepted_iff_listed(desk.state, desk.now, chance)
        if choice.flavour % 3:
            step_forward(desk, (choice.flavour % 7) * MINUTE, dies_after=choice.flavour // 7 % 8)
        laws_of_a_state(desk)


ONWARD: dict[Phase, tuple[type[a.Act], ...]] = {
    Phase.DRAFT: (a.OpenRegistration, a.ChangeTerms),
    Phase.REGISTRATION: (a.Register, a.Register, a.Register, a.Register, a.CloseRegistration),
    Phase.CHECK_IN: (a.CheckIn, a.CheckIn, a.CheckIn, a.Start, a.Start, a.OpenRegistration),
    Phase.RUNNING: (a.FinishTable, a.FinishTable, a.OpenTable, a.CorrectResult, a.ReopenRound),
    Phase.PAUSED: (a.Resume, a.FinishTable),
    Phase.FINISHED: (a.CorrectResult, a.Reinstate, a.Disqualify),
    Phase.CANCELLED: (),
}


def likely(desk: Desk, choice: Choice) -> tuple[type[a.Act], list[int]]:
    """A kind of act that carries the life on from here, if there is one, with its targets."""
    kinds = [kind for kind in ONWARD[desk.state.phase] if legal_targets(desk.state, kind, desk.now)]
    kind = kinds[choice.kind % len(kinds)] if kinds else a.Register
    return kind, sorted(legal_targets(desk.state, kind, desk.now))


def step_forward(desk: Desk, later: int, dies_after: int = 99) -> None:
    """Let time go by, and what follows follow, line by line under the laws; after so many lines the writer dies."""
    desk.now += later
    a_crash_changes_nothing(desk.state, desk.now, SEED)
    for line in advance(desk.state, now=desk.now, seed=SEED)[:dies_after]:
        if isinstance(line.event, e.RoundSeated):
            nobody_meets_again_before_it_must_be(desk.state, line.event)
        elif isinstance(line.event, e.RoundFinished):
            the_best_go_on(desk.state, line.event)
        desk.write([line])


def bring_to_an_end(desk: Desk, chance: random.Random) -> None:
    """Whatever the state: once games tell their results it ends, in no more rounds than there are entries."""
    if desk.state.phase is Phase.PAUSED:
        desk.ask(a.Resume())
    if desk.state.phase not in (Phase.RUNNING, Phase.FINISHED, Phase.CANCELLED):
        begin_or_cancel(desk)
    for _ in range(len(desk.state.entries) + 3):
        step_forward(desk, 11 * MINUTE)
        laws_of_a_state(desk)
        if desk.state.over:
            break
        for table in desk.open_tables:
            desk.ask(a.FinishTable(table.number, table.attempt, chance_result(table.seats, chance)))
    assert desk.state.over
    assert desk.state.revealed
    the_log_is_honest(desk)
    if desk.state.phase is Phase.FINISHED:
        the_ranking_is_of_everyone(desk.state)


def begin_or_cancel(desk: Desk) -> None:
    """Start if that is possible from here, else cancel."""
    if legal_targets(desk.state, a.CloseRegistration, desk.now):
        desk.ask(a.CloseRegistration())
    desk.ask(a.Start() if legal_targets(desk.state, a.Start, desk.now) else a.Cancel())
