"""The production settings with the bare endpoint beside the real ones."""

from config.settings.production import *  # noqa: F403

ROOT_URLCONF = "tests.bench.urls"
