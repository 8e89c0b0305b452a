"""Stream processes among the tests, on the test database."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.streaming.server import StreamServer


@pytest.fixture(scope="session")
def shared_streams(django_db_setup: None) -> Iterator[StreamServer]:
    """One stream process for all tests that leave it as it was; it soon notices what no hint tells."""
    server = StreamServer(slow_tick_seconds=0.4).start()
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture
def streams(shared_streams: StreamServer, transactional_db: None) -> StreamServer:
    """The shared stream process, which hears every hint."""
    return shared_streams


@pytest.fixture
def deaf_streams(transactional_db: None) -> Iterator[StreamServer]:
    """A stream process that loses half of all hints, and reads again soon."""
    server = StreamServer(loss=0.5, slow_tick_seconds=0.4).start()
    try:
        yield server
    finally:
        server.stop()
