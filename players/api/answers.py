"""How answers are written: JSON bytes, times, entity tags, who may keep them."""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from django.conf import settings
from django.http import HttpResponse

from players.idempotency import Answer

JSON: Final = "application/json"
NDJSON: Final = "application/x-ndjson"
PRIVATE: Final = "private, no-store"
_TAG: Final = re.compile(r'\s*(W/)?"([\x21\x23-\x7e]*)"\s*')

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


def json_bytes(value: object) -> bytes:
    """The value as JSON in UTF-8."""
    return _encode(value).encode()


def instant(time: datetime) -> str:
    """RFC 3339 in UTC with milliseconds: `2026-05-01T12:00:00.000Z`."""
    return time.isoformat(timespec="milliseconds")[:23] + "Z"


def now() -> str:
    """The present instant."""
    return instant(datetime.now(UTC))


def address(path: str) -> str:
    """The path as clients reach it."""
    return f"{settings.TAKI_PUBLIC_URL}{path}"


def answer(value: object, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
    """The answer with this JSON."""
    return Answer(status, json_bytes(value), headers or {})


def response(made: Answer, *, cache: str = PRIVATE) -> HttpResponse:
    """The HTTP response of an answer."""
    headers = {"Cache-Control": cache, **made.headers}
    return HttpResponse(made.body, status=made.status, content_type=JSON, headers=headers)


def tags(header: str) -> list[tuple[bool, str]] | None:
    """The entity tags of an If-Match or If-None-Match header, each with whether it is weak; None if it is bad."""
    found, place = [], 0
    while place < len(header):
        tag = _TAG.match(header, place)
        if tag is None:
            return None
        found.append((tag[1] is not None, tag[2]))
        place = tag.end()
        if place < len(header):
            if header[place] != ",":
                return None
            place += 1
    return found


def unchanged(if_none_match: str, tag: str) -> bool:
    """The client has this state already: `If-None-Match` names the tag (weak comparison) or `*`."""
    if if_none_match.strip() == "*":
        return True
    return any(known == tag for _, known in tags(if_none_match) or ())


def tagged(made: Answer, *, tag: str, if_none_match: str) -> HttpResponse:
    """The response with its ETag, or 304 without a body."""
    if if_none_match and unchanged(if_none_match, tag):
        headers = {"Cache-Control": PRIVATE, "ETag": f'"{tag}"'}
        same = HttpResponse(status=304, headers=headers)
        del same.headers["Content-Type"]  # there is no body that it could speak of
        return same
    return response(Answer(made.status, made.body, {**made.headers, "ETag": f'"{tag}"'}))
