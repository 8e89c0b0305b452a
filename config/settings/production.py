"""The running service, whether `./taki up`, compose or yours: nothing secret has a default."""

from config.current import ENV
from config.env import BadEnvironment, required
from config.settings.base import *  # noqa: F403

required(ENV, "secret_key", "signing_key", "database_url", "broker_url")
if len(ENV.secret_key) < 32:
    raise BadEnvironment("SECRET_KEY must have at least 32 characters.")

HTTPS = ENV.public_url.startswith("https://")
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
if ENV.behind_proxy:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    USE_X_FORWARDED_HOST = True
