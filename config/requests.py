"""Request ids and JSON log lines: which request said what, in one line each, on stderr."""

import json
import logging
import re
import traceback
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime

from django.http import HttpRequest, HttpResponse
from uuid_utils import uuid7

HEADER = "X-Request-Id"
_SAFE = re.compile(r"[A-Za-z0-9._-]{1,64}")
_current: ContextVar[str] = ContextVar("request_id", default="")


def request_id() -> str:
    """The id of the request that this thread answers; empty outside of one."""
    return _current.get()


class RequestIdMiddleware:
    """Take the caller's `X-Request-Id` if it is harmless, else make one; answer with it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request with its id known to every log line in between."""
        given = request.headers.get(HEADER, "")
        token = _current.set(given if _SAFE.fullmatch(given) else str(uuid7()))
        try:
            response = self.get_response(request)
            response[HEADER] = _current.get()
            return response
        finally:
            _current.reset(token)


class RequestIdFilter(logging.Filter):
    """Put the request id on each record."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Keep every record."""
        record.request_id = request_id()
        return True


class JsonFormatter(logging.Formatter):
    """One JSON object a line: time, level, logger, message, request id and traceback when there are such."""

    def format(self, record: logging.LogRecord) -> str:
        """Render the record; arguments of the message only, never the request's body or headers."""
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if known := getattr(record, "request_id", ""):
            line["request_id"] = known
        if record.exc_info:
            line["traceback"] = "".join(traceback.format_exception(*record.exc_info))
        return json.dumps(line, ensure_ascii=False)
