"""One running system for all tests that do not break it."""

from collections.abc import Iterator

import pytest

from tests.e2e.system import System


@pytest.fixture(scope="session")
def system() -> Iterator[System]:
    """A started system, shared: leave it running and ready."""
    shared = System()
    try:
        shared.start()
        yield shared
    finally:
        shared.close()
