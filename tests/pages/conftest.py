"""A game to replay, and no limits but for their own test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.conf import LazySettings

if TYPE_CHECKING:
    from tests.builders import Table


@pytest.fixture(autouse=True)
def no_limits(settings: LazySettings) -> None:
    """Loosened."""
    settings.TAKI_THROTTLE_FACTOR = 1_000_000


@pytest.fixture
def table(db: None) -> Table:
    """A short public game that is over; Noa and Yael sat in it."""
    from tests.pages.evenings import finished  # after Django is set up

    return finished(("Noa", "יעל", "greedy"), name="Friday night", seed=3)
