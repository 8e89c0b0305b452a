"""What every environment shares. Values that differ come from `config.env`."""

from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from config import accounts, desk, rest
from config.cors import cors_settings
from config.current import ENV
from config.env import ROOT
from config.logs import logging_settings
from config.mails import mail_way

BASE_DIR = ROOT
SECRET_KEY = ENV.secret_key
DEBUG = False
ALLOWED_HOSTS = [*ENV.allowed_hosts, urlsplit(ENV.public_url).hostname]
TAKI_PUBLIC_URL = ENV.public_url
TAKI_STREAM_URL = ENV.stream_url
TAKI_VALKEY_URL = ENV.valkey_url
TAKI_THROTTLE_FACTOR = ENV.throttle_factor
TAKI_BOT_PAUSE_PERCENT = ENV.bot_pause_percent
TAKI_BEHIND_PROXY = ENV.behind_proxy
TAKI_SIGNING_KEY = ENV.signing_key

INSTALLED_APPS = [
    "unfold",
    "unfold.contrib.import_export",
    "import_export",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "corsheaders",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "pgtrigger",
    "config",
    "players",  # before allauth: its mails' texts are ours
    "allauth",
    "allauth.account",
    "allauth.headless",
    "games",
    "tournaments",
]
AUTH_USER_MODEL = "players.Player"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

MIDDLEWARE = [
    "config.logs.RequestIdMiddleware",
    "config.health.HealthMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "config.policies.PolicyMiddleware",
    # Before all that costs anything: a preflight is answered here.
    "config.cors.OriginsMiddleware",
    "config.uploads.UploadMiddleware",
    "players.api.bodies.BodyLimitMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Around the session, which is saved with what a request about an account did, or not at all.
    "config.account_door.AccountDoorMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "config.slashes.SlashMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "config.acting.ActingMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "config.desk.AdminPolicyMiddleware",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
APPEND_SLASH = True

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]


def database(url: str, *, statement_seconds: int, lock_seconds: int, connections: int) -> dict[str, Any]:
    """Django's settings for a `postgresql://` address; `?host=/folder` names a unix socket."""
    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query))
    limits = f"-c statement_timeout={statement_seconds}s -c lock_timeout={lock_seconds}s"
    options: dict[str, Any] = {
        "connect_timeout": 3,
        "application_name": "taki",
        "options": f"{limits} -c idle_in_transaction_session_timeout=60s",
    }
    if connections > 1:
        options["pool"] = {"min_size": 1, "max_size": connections, "timeout": 3, "max_idle": 300}
    host = query.pop("host", "") or parts.hostname or ""
    options.update(query)
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": host,
        "PORT": str(parts.port or query.pop("port", "") or ""),
        "ATOMIC_REQUESTS": False,
        # A process that works alone keeps its one connection: Celery closes a pool after every task.
        "CONN_MAX_AGE": 0 if connections > 1 else None,
        # A restarted database costs no request: each connection is tried before its first use.
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": options,
    }


# Whom `database_grants` lets read and write; the tables belong to another role.
TAKI_APPLICATION_ROLE = unquote(urlsplit(ENV.database_url).username or "")
DATABASES = {
    "default": database(
        ENV.connection_url,
        # A migration may take long; a move may not.
        statement_seconds=0 if ENV.database_role == "owner" else 15,
        lock_seconds=30 if ENV.database_role == "owner" else 5,
        connections=ENV.database_connections,
    )
}

AUTHENTICATION_BACKENDS = ["players.accounts.backend.AccountBackend"]
PASSWORD_HASHERS = [
    "players.accounts.hashing.Argon2",
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
PASSWORD_RESET_TIMEOUT = 3600  # seconds; a mail arrives sooner, or not at all
_VALIDATION = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"{_VALIDATION}.UserAttributeSimilarityValidator", "OPTIONS": {"user_attributes": ("name", "email")}},
    {"NAME": f"{_VALIDATION}.MinimumLengthValidator"},
    {"NAME": f"{_VALIDATION}.CommonPasswordValidator"},
]

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("he", "עברית")]
LOCALE_PATHS = [ROOT / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "/static/"
# An image collects its static files once; a checkout serves them from where they lie.
STATIC_ROOT = ENV.static_dir
WHITENOISE_USE_FINDERS = ENV.static_dir is None
_STATIC = "django.contrib.staticfiles.storage.StaticFilesStorage"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage" if ENV.static_dir else _STATIC
    },
}

# Mails wait in a table, and a task sends them: no request waits for a mail server, none is lost with it.
EMAIL_BACKEND = "players.mail.OutboxBackend"
TAKI_MAIL_WAY = mail_way(ENV.email_url)
# Where links in mails about games lead: the players' web pages, or without any the API.
TAKI_GAME_PAGES = (
    f"{ENV.public_url}/api/v1/games/"
    if ENV.frontend_url == f"{ENV.public_url}/account"
    else f"{ENV.frontend_url}/games/"
)
DEFAULT_FROM_EMAIL = SERVER_EMAIL = ENV.email_from

_FOREIGN = {**accounts.settings(ENV.frontend_url), **cors_settings(ENV.cors_origins)}
globals().update(_FOREIGN)
HEADLESS_FRONTEND_URLS = _FOREIGN["HEADLESS_FRONTEND_URLS"]  # said, for whoever reads these two in our own code
CORS_ALLOWED_ORIGINS = _FOREIGN["CORS_ALLOWED_ORIGINS"]

DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024

REST_FRAMEWORK = rest.REST_FRAMEWORK
SPECTACULAR_SETTINGS = rest.SPECTACULAR_SETTINGS

UNFOLD = desk.UNFOLD
# What is imported is judged as a whole, and taken as a whole or not at all.
IMPORT_EXPORT_USE_TRANSACTIONS = True

LOGGING = logging_settings(ENV.log_level)

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_ENGINE = "players.sessions"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "config.problems.csrf_failure"
CSRF_TRUSTED_ORIGINS = [ENV.public_url, *(origin for origin in ENV.cors_origins if origin != "*")]

# Every Django process may publish a task, so `shared_task` must find this app and not Celery's default one.
from config.celery import app as celery_app  # noqa: E402, F401
