"""Every environment variable: declared here, read once, checked once.

Each bad value raises `BadEnvironment` with one sentence for the person who set it. An unknown `TAKI_…` name
is refused, because a misspelt variable would otherwise be silently without effect.
"""

import base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")


class BadEnvironment(Exception):
    """A variable is missing or cannot be understood; the text is one sentence for its owner."""


@dataclass(frozen=True, slots=True)
class Environment:
    """The checked environment. Field `x` is read from the variable that `VARIABLES["x"]` names."""

    secret_key: str
    signing_key: bytes = field(repr=False)
    database_url: str
    database_owner_url: str
    database_role: str
    broker_url: str
    allowed_hosts: tuple[str, ...]
    public_url: str
    stream_url: str
    port: int
    stream_port: int
    bind: str
    data_dir: Path
    static_dir: Path | None
    heartbeats: Path | None
    api_processes: int
    api_threads: int
    worker_processes: int
    database_connections: int
    throttle_factor: float
    bot_pause_percent: int
    admin_password: str
    behind_proxy: bool
    cors_origins: tuple[str, ...]
    email_url: str
    email_from: str
    frontend_url: str
    log_level: str

    @property
    def connection_url(self) -> str:
        """The database URL of the role that this process works as."""
        return self.database_owner_url if self.database_role == "owner" else self.database_url

    @property
    def valkey_url(self) -> str:
        """The broker's address as redis-py spells it; Celery spells a unix socket `redis+socket://`."""
        return self.broker_url.replace("redis+socket://", "unix://", 1).replace("virtual_host=", "db=", 1)


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable: its name, its meaning, its default (text, as it would be set) and how it is read."""

    name: str
    meaning: str
    default: str
    read: Callable[[str], object]


def _text(value: str) -> str:
    return value


def _whole(low: int, high: int) -> Callable[[str], int]:
    def read(value: str) -> int:
        if not (value.isascii() and value.isdigit() and low <= int(value) <= high):
            raise ValueError(f"a whole number from {low} to {high}")
        return int(value)

    return read


def _factor(value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 < number <= 1_000_000:
        raise ValueError("a number above 0 and at most 1000000")
    return number


def _yes_no(value: str) -> bool:
    if value not in ("yes", "no"):
        raise ValueError("yes or no")
    return value == "yes"


def _signing_key(value: str) -> bytes:
    if not value:
        return b""
    try:
        key = bytes.fromhex(value) if len(value) == 64 else base64.b64decode(value, altchars=b"-_", validate=True)
    except ValueError:
        key = b""
    if len(key) != 32:
        raise ValueError("32 bytes, in hexadecimal or base64")
    return key


def _one_of(*choices: str) -> Callable[[str], str]:
    def read(value: str) -> str:
        if value not in choices:
            raise ValueError("one of " + ", ".join(choices))
        return value

    return read


def _url(what: str, *schemes: str) -> Callable[[str], str]:
    def read(value: str) -> str:
        parts = urlsplit(value)
        if value and (parts.scheme not in schemes or not (parts.netloc or parts.path.strip("/"))):
            raise ValueError(f"{what}, beginning with " + " or ".join(f"{scheme}://" for scheme in schemes))
        return value.rstrip("/") if "http" in schemes else value

    return read


def _hosts(value: str) -> tuple[str, ...]:
    return tuple(host.strip() for host in value.split(",") if host.strip())


def _origins(value: str) -> tuple[str, ...]:
    origins = tuple(dict.fromkeys(origin.strip().rstrip("/").lower() for origin in value.split(",") if origin.strip()))
    for origin in origins:
        parts = urlsplit(origin)
        whole = parts.netloc and origin == f"{parts.scheme}://{parts.netloc}" and "@" not in parts.netloc
        if origin not in ("*", "none") and not (parts.scheme in ("http", "https") and whole):
            raise ValueError("origins such as https://play.example, by commas; * for any, none for none")
    return tuple(origin for origin in origins if origin != "none")


def _mail(value: str) -> str:
    parts = urlsplit(value)
    told = {"console": value == "console:", "file": bool(parts.path.strip("/")), "smtp": bool(parts.hostname)}
    if not told.get(parts.scheme.removesuffix("s") if parts.scheme == "smtps" else parts.scheme):
        raise ValueError("console:, file:///folder, smtp://user:password@host:587 or smtps://user:password@host:465")
    return value


def _folder(value: str) -> Path:
    if not value:
        raise ValueError("a folder")
    return (ROOT / Path(value).expanduser()).absolute()


def _folder_or_none(value: str) -> Path | None:
    return _folder(value) if value else None


_postgres = _url("a PostgreSQL address", "postgresql", "postgres")
_broker = _url("a Valkey or Redis address", "redis", "rediss", "redis+socket")
_web = _url("a web address", "http", "https")

VARIABLES: Mapping[str, Variable] = {
    "secret_key": Variable("SECRET_KEY", "signs sessions and links; at least 32 characters", "", _text),
    "signing_key": Variable("TAKI_SIGNING_KEY", "the private key that signs games", "", _signing_key),
    "database_url": Variable("DATABASE_URL", "PostgreSQL, as the application's role", "", _postgres),
    "database_owner_url": Variable("DATABASE_OWNER_URL", "PostgreSQL, as the owner (migrations)", "", _postgres),
    "database_role": Variable(
        "TAKI_DATABASE_ROLE", "which of the two roles", "application", _one_of("application", "owner")
    ),
    "broker_url": Variable("BROKER_URL", "Valkey or Redis", "", _broker),
    "allowed_hosts": Variable("ALLOWED_HOSTS", "host names, by commas", "localhost,127.0.0.1,[::1]", _hosts),
    "public_url": Variable("TAKI_PUBLIC_URL", "where clients reach the API", "", _web),
    "stream_url": Variable("TAKI_STREAM_URL", "where clients reach the streams", "", _web),
    "port": Variable("PORT", "the API's port", "8000", _whole(1, 65535)),
    "stream_port": Variable("STREAM_PORT", "the stream process's port", "8001", _whole(1, 65535)),
    "bind": Variable("TAKI_BIND", "the address that both listen on", "127.0.0.1", _text),
    "data_dir": Variable("TAKI_DATA_DIR", "the folder for data", "var", _folder),
    "static_dir": Variable("TAKI_STATIC_DIR", "the folder of collected static files", "", _folder_or_none),
    "heartbeats": Variable(
        "TAKI_HEARTBEATS", "the folder where worker and beat show that they work", "", _folder_or_none
    ),
    "api_processes": Variable("TAKI_API_PROCESSES", "gunicorn processes", "2", _whole(1, 256)),
    "api_threads": Variable("TAKI_API_THREADS", "threads in each gunicorn process", "4", _whole(1, 256)),
    "worker_processes": Variable("TAKI_WORKER_PROCESSES", "Celery processes", "2", _whole(1, 256)),
    "database_connections": Variable(
        "TAKI_DATABASE_CONNECTIONS", "the most connections one process opens; 1: keeps it, no pool", "1", _whole(1, 256)
    ),
    "throttle_factor": Variable("TAKI_THROTTLE_FACTOR", "multiplies every rate limit", "1", _factor),
    "bot_pause_percent": Variable(
        "TAKI_BOT_PAUSE_PERCENT", "how long bots pause at a table with people, of the usual", "100", _whole(0, 1000)
    ),
    "admin_password": Variable("TAKI_ADMIN_PASSWORD", "read by `manage.py admin_first` alone", "", _text),
    "behind_proxy": Variable("TAKI_BEHIND_PROXY", "trust X-Forwarded-*: yes or no", "no", _yes_no),
    "cors_origins": Variable(
        "TAKI_CORS_ORIGINS", "whose web pages may call: * any, without cookies; named ones with", "*", _origins
    ),
    "email_url": Variable("TAKI_EMAIL_URL", "how mails leave", "console:", _mail),
    "email_from": Variable("TAKI_EMAIL_FROM", "the sender of mails", "TAKI <taki@localhost>", _text),
    "frontend_url": Variable("TAKI_FRONTEND_URL", "the web pages that links in mails lead to", "", _web),
    "log_level": Variable("TAKI_LOG_LEVEL", "the least level that is logged", "INFO", _one_of(*LOG_LEVELS)),
}


def read(environ: Mapping[str, str]) -> Environment:
    """Read all variables. Raises BadEnvironment on the first that is unknown or unreadable."""
    known = {variable.name for variable in VARIABLES.values()}
    for name in sorted(environ):
        if name.startswith("TAKI_") and name not in known:
            raise BadEnvironment(f"{name} is not a variable of this program; known are {_listing(known)}.")
    values = {field.name: _value(VARIABLES[field.name], environ) for field in fields(Environment)}
    if not values["public_url"]:
        values["public_url"] = f"http://127.0.0.1:{values['port']}"
    if not values["stream_url"]:
        values["stream_url"] = f"http://127.0.0.1:{values['stream_port']}"
    if not values["frontend_url"]:
        values["frontend_url"] = f"{values['public_url']}/account"
    if not values["database_owner_url"]:
        values["database_owner_url"] = values["database_url"]
    return Environment(**values)  # type: ignore[arg-type]  # each reader returns its field's type (tested)


def _value(variable: Variable, environ: Mapping[str, str]) -> object:
    text = environ.get(variable.name, "").strip() or variable.default
    try:
        return variable.read(text)
    except ValueError as problem:
        shown = "" if variable.name in SECRETS else f", not {text!r}"
        raise BadEnvironment(f"{variable.name} ({variable.meaning}) must be {problem}{shown}.") from None


SECRETS = frozenset(
    {
        "SECRET_KEY",
        "TAKI_SIGNING_KEY",
        "TAKI_ADMIN_PASSWORD",
        "TAKI_EMAIL_URL",
        "DATABASE_URL",
        "DATABASE_OWNER_URL",
        "BROKER_URL",
    }
)


def _listing(names: set[str]) -> str:
    return ", ".join(sorted(name for name in names if name.startswith("TAKI_")))


def required(environment: Environment, *names: str) -> None:
    """Raise BadEnvironment when one of the named fields is empty."""
    for name in names:
        if not getattr(environment, name):
            variable = VARIABLES[name]
            raise BadEnvironment(
                f"{variable.name} ({variable.meaning}) is not set; `./taki up` sets it by itself, "
                "any other way to run must say it."
            )
