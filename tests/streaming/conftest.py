"""A stream process among the tests, on the test database."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.streaming.server import StreamServer


@pytest.fixture
def streams(transactional_db: None, settings: object) -> Iterator[StreamServer]:
    """A stream process that hears every hint."""
    server = StreamServer().start()
    try:
        yield server
    finally:
        server.stop()
