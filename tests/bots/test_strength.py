"""The strength that the bots must have: `./taki test --bots` (hours; it goes on where it was stopped)."""

import pytest

from tests.bots.strength import MATCHES, Match, folder_of, go_on, line

pytestmark = pytest.mark.bots


@pytest.mark.parametrize("match", MATCHES, ids=lambda match: match.name)
def test_a_bot_is_as_strong_as_required(match: Match, capsys: pytest.CaptureFixture[str]) -> None:
    """Wald's test decides that it wins more than the required share."""
    count = go_on(folder_of([]), match)
    with capsys.disabled():
        print(line(match, count))  # noqa: T201  # a row for the results
    assert count.verdict(match) == f"over {match.required:.0%}"
