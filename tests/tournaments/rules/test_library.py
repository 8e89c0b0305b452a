"""The rules as a library."""

import doctest

import tournaments.rules


def test_the_example_in_the_package_runs() -> None:
    """The first thing that a reader tries."""
    outcome = doctest.testmod(tournaments.rules)
    assert outcome.attempted > 0
    assert outcome.failed == 0
