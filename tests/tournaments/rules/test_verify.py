"""Anybody who has the log and the revealed seed can check every draw."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.tournaments.rules.desk import SEED, Desk, knockout
from tournaments.rules import events as e
from tournaments.rules.evolve import replay
from tournaments.rules.terms import Seeding
from tournaments.rules.verify import discrepancies


def finished_log() -> list[e.Logged]:
    desk = Desk(knockout(4, 2, seeding=Seeding.RANDOM)).started(30)
    desk.play_on(random.Random(8))
    assert any(isinstance(line.event, e.RoundFinished) and line.event.ties for line in desk.log)
    return desk.log


def test_an_honest_log_has_no_discrepancy() -> None:
    """With the revealed seed, which the log itself ends with."""
    log = finished_log()
    assert isinstance(log[-1].event, e.SeedRevealed)
    assert discrepancies(log, bytes.fromhex(log[-1].event.seed)) == ()


def reversed_seeding(event: e.EntriesSeeded) -> e.Event:
    return replace(event, order=event.order[::-1])


def swapped_seats(event: e.RoundSeated) -> e.Event:
    first, second, *others = event.tables
    return replace(event, tables=((*first[:-1], second[-1]), (*second[:-1], first[-1]), *others))


def another_goes_on(event: e.RoundFinished) -> e.Event:
    tie = event.ties[0]
    on, left_out = tie.order[0], tie.order[-1]
    return replace(event, going_on=tuple(sorted({*event.going_on, left_out} - {on})))


def swapped_ranks(event: e.RankingSettled) -> e.Event:
    return replace(event, order=(*event.order[:-2], event.order[-1], event.order[-2]))


@pytest.mark.parametrize(
    ("kind", "forge"),
    [
        (e.EntriesSeeded, reversed_seeding),
        (e.RoundSeated, swapped_seats),
        (e.RoundFinished, another_goes_on),
        (e.RankingSettled, swapped_ranks),
        (e.SeedRevealed, lambda event: e.SeedRevealed(bytes(32).hex())),
        (e.TournamentCreated, lambda event: replace(event, commitment="00" * 32)),
    ],
)
def test_a_forged_draw_is_found_at_its_line(kind: type, forge: Callable[[e.Event], e.Event]) -> None:
    """The first discrepancy names the line, what stands there and what should."""
    log = finished_log()
    at = next(
        index
        for index, line in enumerate(log)
        if isinstance(line.event, kind) and (not isinstance(line.event, e.RoundFinished) or line.event.ties)
    )
    honest = log[at].event
    log[at] = replace(log[at], event=forge(honest))
    assert log[at].event != honest
    found = discrepancies(log, SEED)[0]
    assert (found.version, found.found, found.expected) == (at + 1, log[at].event, honest)


def test_a_line_that_nothing_calls_for_is_found() -> None:
    """A round cannot be finished before one was seated."""
    log = finished_log()[:3]
    log.append(e.Logged(e.RoundFinished(replay(finished_log()).rounds[0].number, (), ()), 5))
    assert [(found.version, found.expected) for found in discrepancies(log, SEED)] == [(4, None)]
