"""Request ids and JSON log lines: which request said what, one object a line, on stderr."""

import json
import logging
import re
import time
import traceback
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from uuid_utils import uuid7

HEADER = "X-Request-Id"
logger = logging.getLogger("taki.request")
_PROBES = ("/healthz", "/readyz")
_SAFE = re.compile(r"[A-Za-z0-9._-]{1,64}")
_CLIENTS = "django.security."
"""Loggers of what Django found wrong with a request: too long, to another host. Anybody can cause such a line."""
_current: ContextVar[str] = ContextVar("request_id", default="")


def request_id() -> str:
    """The id of the request that this thread answers; empty outside of one."""
    return _current.get()


class RequestIdMiddleware:
    """Take the caller's `X-Request-Id` if it is harmless, else make one; answer and log with it.

    The path is logged without its query, which may hold a ticket.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request with its id known to every log line in between."""
        given = request.headers.get(HEADER, "")
        token = _current.set(given if _SAFE.fullmatch(given) else str(uuid7()))
        began = time.monotonic()
        try:
            response = self.get_response(request)
            response[HEADER] = _current.get()
            if request.path_info not in _PROBES:
                spent = (time.monotonic() - began) * 1000
                logger.info("%s %s %d %.1f ms", request.method, request.path_info, response.status_code, spent)
            return response
        finally:
            _current.reset(token)


class JsonFormatter(logging.Formatter):
    """One object a line: at, level, logger, message; request_id and traceback where there are such.

    What a client did wrong is a warning without a traceback, whatever Django calls it: it is no fault of ours.
    Never a body or a header: those hold cards and tokens.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Render the record."""
        clients = record.name.startswith(_CLIENTS)
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": "WARNING" if clients else record.levelname,
            "logger": record.name,
            "message": record.getMessage() or record.name.removeprefix(_CLIENTS),
        }
        if known := request_id():
            line["request_id"] = known
        if record.exc_info and not clients:
            line["traceback"] = "".join(traceback.format_exception(*record.exc_info))
        return json.dumps(line, ensure_ascii=False)


def logging_settings(level: str) -> dict[str, Any]:
    """The one logging configuration: Django's, gunicorn's, Celery's; uvicorn's JSON file repeats it."""
    own = {"handlers": ["stderr"], "level": level, "propagate": False}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": "config.logs.JsonFormatter"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django": {"handlers": [], "level": level, "propagate": True},
            "gunicorn.error": own,
            # `RequestIdMiddleware` says the same with the request's id.
            "gunicorn.access": {**own, "level": "WARNING"},
        },
    }
