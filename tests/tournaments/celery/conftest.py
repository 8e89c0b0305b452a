"""A real worker and a real beat, as the games' tests have them."""

from tests.celery.conftest import celery

__all__ = ["celery"]
