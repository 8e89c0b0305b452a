"""Whether this process lives (`/healthz`), whether the system can serve (`/readyz`), and its figures (`/metrics`).

A readiness probe opens connections of its own with short limits, so that it answers within a few seconds also
when a server hangs or the pool is exhausted. One answer serves everybody for a second.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import psycopg
import redis
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.current import ENV
from config.metrics import CONTENT_TYPE, Figures, exposition
from config.problems import type_of
from games.selectors import bot_overdue_oldest, overdue_oldest

_LIMIT_SECONDS = 2
_SHARED_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Readiness:
    """What each part says: "ok", or in a few words why not. The oldest overdue deadline, and bot's move."""

    parts: dict[str, str]
    overdue: datetime | None
    bot_overdue: datetime | None
    taken: float

    @property
    def ready(self) -> bool:
        """Whether every part is "ok"."""
        return all(state == "ok" for state in self.parts.values())


class HealthMiddleware:
    """Answers its three paths before anything else, so also under a host name that is not allowed."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the three paths; pass every other request on."""
        pages = {"/healthz": healthz, "/readyz": readyz, "/metrics": metrics}
        page = pages.get(request.path_info, self.get_response)
        return page(request)


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """This process answers; says nothing of the database or the broker."""
    return JsonResponse({"status": "ok"})


@require_safe
@never_cache
def readyz(request: HttpRequest) -> HttpResponse:
    """200 when database, migrations and broker are well, else 503 as problem+json that names the part."""
    found = _readiness()
    body: dict[str, object] = {
        "status": "ready",
        "parts": found.parts,
        "overdue_oldest": _text(found.overdue),
        "bot_overdue_oldest": _text(found.bot_overdue),
    }
    if found.ready:
        return JsonResponse(body)
    down = ", ".join(f"{name}: {state}" for name, state in found.parts.items() if state != "ok")
    problem = {"type": type_of("unavailable"), "title": "Not ready", "detail": down, "code": "unavailable", **body}
    problem["status"] = 503
    return JsonResponse(problem, status=503, content_type="application/problem+json", headers={"Retry-After": "1"})


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """The figures for Prometheus, read when they are asked for, so that any process of the API can answer."""
    found = _readiness()
    figures = Figures(found.parts, found.overdue, found.bot_overdue)
    return HttpResponse(exposition(figures), content_type=CONTENT_TYPE)


def _text(time: datetime | None) -> str | None:
    return time.isoformat(timespec="milliseconds") if time else None


_lock = threading.Lock()
_last: Readiness | None = None


def _readiness() -> Readiness:
    global _last  # noqa: PLW0603  (one answer for a second, whoever asks)
    with _lock:
        if _last is None or time.monotonic() - _last.taken > _SHARED_SECONDS:
            _last = _look()
        return _last


def _look() -> Readiness:
    parts = {"database": _database(), "broker": _broker()}
    overdue = bot_overdue = None
    if parts["database"] == "ok":
        parts["migrations"] = _migrations()
    if parts.get("migrations") == "ok":
        try:
            overdue, bot_overdue = overdue_oldest(), bot_overdue_oldest()
        except DatabaseError:
            parts["database"] = "does not answer"
    return Readiness(parts=parts, overdue=overdue, bot_overdue=bot_overdue, taken=time.monotonic())


def _database() -> str:
    limits = f"-c statement_timeout={_LIMIT_SECONDS}s"
    try:
        with psycopg.connect(ENV.database_url, connect_timeout=_LIMIT_SECONDS, options=limits) as probe:
            probe.execute("SELECT 1")
    except psycopg.Error:
        return "does not answer"
    return "ok"


def _migrations() -> str:
    try:
        loader = MigrationLoader(connection)
    except DatabaseError:
        return "cannot be read"
    missing = set(loader.disk_migrations or ()) - set(loader.applied_migrations or ())
    return f"{len(missing)} to be run" if missing else "ok"


def _broker() -> str:
    limits = {"socket_timeout": _LIMIT_SECONDS, "socket_connect_timeout": _LIMIT_SECONDS}
    try:
        with redis.Redis.from_url(ENV.valkey_url, **limits) as probe:
            probe.ping()
    except redis.RedisError:
        return "does not answer"
    return "ok"
