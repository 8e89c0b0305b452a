"""Any order of any acts, any absences, any kill point: the laws hold and the tournament ends."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.tournaments.rules.desk import CREATED_AT, MINUTE, Desk, knockout, ladder
from tests.tournaments.rules.laws import Choice, bring_to_an_end, live
from tournaments.rules import acts as a
from tournaments.rules.state import EntryNo, Phase
from tournaments.rules.terms import NoShows, Seeding, Terms

CHOICE = st.builds(Choice, st.integers(0, 23), st.integers(0, 40), st.integers(1, 10_000))
CHOICES = st.one_of(st.lists(CHOICE, max_size=30), st.lists(CHOICE, min_size=15, max_size=60))


@st.composite
def some_terms(draw: st.DrawFn) -> Terms:
    """Terms of all kinds, for few entries."""
    if draw(st.integers(0, 5)) == 0:
        return ladder(draw(st.integers(2, 10)))
    seats = draw(st.integers(2, 5))
    opens = draw(st.sampled_from([None, CREATED_AT + MINUTE]))
    closes = draw(st.sampled_from([None, CREATED_AT + 40 * MINUTE]))
    starts = draw(st.sampled_from([None, CREATED_AT + 60 * MINUTE]))
    return knockout(
        seats,
        draw(st.integers(1, seats - 1)),
        draw(st.integers(2, 11)),
        seeding=draw(st.sampled_from(Seeding)),
        check_in=draw(st.booleans()),
        no_shows=draw(st.sampled_from(NoShows)),
        waiting_list=draw(st.booleans()),
        opens_at=opens,
        closes_at=closes,
        starts_at=starts,
        start_by_clock=starts is not None and draw(st.booleans()),
    )


@given(some_terms(), CHOICES, st.integers(0, 2**32))
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_every_life_from_the_draft_on_keeps_the_laws_and_ends(terms: Terms, choices: list[Choice], seed: int) -> None:
    """From its creation."""
    desk, chance = Desk(terms), random.Random(seed)
    live(desk, choices, chance)
    bring_to_an_end(desk, chance)


@given(some_terms(), st.integers(2, 11), CHOICES, st.integers(0, 2**32))
@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_every_life_of_a_running_tournament_keeps_the_laws_and_ends(
    terms: Terms, entries: int, choices: list[Choice], seed: int
) -> None:
    """With the first round seated, and whoever did not come left out or replaced by a bot."""
    desk, chance = Desk(terms), random.Random(seed)
    run(desk, entries)
    live(desk, choices, chance)
    bring_to_an_end(desk, chance)


@pytest.mark.deep
@given(some_terms(), st.integers(2, 11), CHOICES, st.integers(0, 2**32))
@settings(max_examples=5000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_thousands_of_lives_keep_the_laws(terms: Terms, entries: int, choices: list[Choice], seed: int) -> None:
    """The same, for long."""
    desk, chance = Desk(terms), random.Random(seed)
    run(desk, entries)
    live(desk, choices, chance)
    bring_to_an_end(desk, chance)


def run(desk: Desk, entries: int) -> None:
    """Register so many (or as many as there are places), check two in three in, start."""
    if desk.state.phase is Phase.DRAFT:
        desk.ask(a.OpenRegistration())
    desk.ask(*[a.Register()] * min(entries, desk.state.terms.capacity), a.CloseRegistration())
    if desk.state.terms.check_in:
        numbers = [entry.number for entry in desk.state.entries]
        desk.ask(*(a.CheckIn(EntryNo(number)) for number in numbers if number < 3 or number % 3))
    desk.ask(a.Start())
    desk.advance()
