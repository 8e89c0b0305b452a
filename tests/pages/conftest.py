"""Only tests of the limits themselves meet them."""

import pytest
from django.conf import LazySettings


@pytest.fixture(autouse=True)
def no_limits(settings: LazySettings) -> None:
    """Loosened."""
    settings.TAKI_THROTTLE_FACTOR = 1_000_000
