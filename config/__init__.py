"""The project's frame: settings, processes, and the edges where it meets the world."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
