"""For pytest, mypy and `makemigrations --check`; `tests/conftest.py` starts the real database and broker."""

from config.current import ENV
from config.settings.base import *  # noqa: F403
from config.settings.base import database

SECRET_KEY = ENV.secret_key or "only-the-tests-know-this-key-and-that-is-fine"
TAKI_SIGNING_KEY = ENV.signing_key or b"only the tests know of this key!"
ALLOWED_HOSTS = ["*"]
DATABASES = {
    "default": database(
        # Unset only for the tools that open no connection (mypy, makemigrations --check).
        ENV.database_owner_url or "postgresql://nobody@127.0.0.1:9/none",
        statement_seconds=60,
        lock_seconds=20,
        connections=1,  # a pool would outlive the test database that pytest drops
    )
}
DATABASES["default"]["CONN_MAX_AGE"] = 0
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
