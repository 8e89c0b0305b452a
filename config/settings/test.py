"""For pytest, mypy and `makemigrations --check`: a real database and broker, started by `tests/conftest.py`."""

from config.env import ENV
from config.settings.base import *
from config.settings.base import STORAGES, database

SECRET_KEY = ENV.secret_key or "only-the-tests-know-this-key-and-that-is-fine"
ALLOWED_HOSTS = ["*"]
DATABASES = {
    "default": database(
        # Unset only for the tools that open no connection (mypy, makemigrations --check).
        ENV.database_owner_url or "postgresql://nobody@127.0.0.1:9/none",
        statement_seconds=60,
        lock_seconds=20,
        connections=20,
    )
}
# A pool outlives the test database that pytest drops.
del DATABASES["default"]["OPTIONS"]["pool"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {**STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
