"""What the tests of the contract share."""

import pytest
from django.conf import LazySettings


@pytest.fixture(autouse=True)
def no_limits(settings: LazySettings) -> None:
    """No test here is about limits."""
    settings.TAKI_THROTTLE_FACTOR = 1_000_000
