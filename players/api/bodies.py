"""The door for request bodies: at most 64 KiB, JSON of depth 20, strict."""

import json
import re
from collections.abc import Callable, Mapping
from io import BytesIO
from typing import IO, Any, Final, NoReturn

from django.core.exceptions import BadRequest, RequestDataTooBig
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpResponse
from django.http.request import UnreadablePostError
from rest_framework.parsers import BaseParser

from players.api.errors import Unreadable

BODY_BYTES: Final = 64 * 1024
DEPTH: Final = 20
LIMIT: Final = "taki.body_bytes"
"""The name in a request's environment under which an earlier middleware allows it another limit."""
_DRAINED_BYTES: Final = 32 * 1024 * 1024
_PIECE_BYTES: Final = 64 * 1024
# A string to its end (even a missing one), or one bracket: linear, since nothing is ever tried twice.
_STRING_OR_BRACKET: Final = re.compile(rb'"(?:[^"\\]|\\.?)*+"?|[\[\]{}]', re.DOTALL)
_DIGITS: Final = 40
_ENORMOUS: Final = 10**_DIGITS


class BodyLimitMiddleware:
    """Refuse a body over the limit before anything is parsed, looked up or authenticated.

    Django takes a chunked body (no Content-Length) for empty, so it is read here, up to the limit.
    """

    def __init__(self, get_response: Callable[[WSGIRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: WSGIRequest) -> HttpResponse:
        """Answer the request. RequestDataTooBig; BadRequest when the body breaks off."""
        source = request.environ["wsgi.input"]
        if "chunked" in request.META.get("HTTP_TRANSFER_ENCODING", "").lower():
            self._whole(request, _start(source))
        elif length_of(request) > request.environ.get(LIMIT, BODY_BYTES):
            drain(source, length_of(request))
            raise RequestDataTooBig
        return self.get_response(request)

    def _whole(self, request: WSGIRequest, body: bytes) -> None:
        if len(body) > BODY_BYTES:
            drain(request.environ["wsgi.input"], _DRAINED_BYTES)
            raise RequestDataTooBig
        request.META["CONTENT_LENGTH"] = str(len(body))
        request._stream = BytesIO(body)  # what Django itself would have set


def length_of(request: WSGIRequest) -> int:
    """How long the body is said to be; 0 if nothing is said."""
    text = request.META.get("CONTENT_LENGTH") or "0"
    return int(text) if text.isascii() and text.isdigit() and len(text) < _DIGITS else 0


def _start(source: IO[bytes]) -> bytes:
    """The body up to one byte over the limit. BadRequest."""
    body = b""
    while len(body) <= BODY_BYTES and (piece := _piece(source, BODY_BYTES + 1 - len(body))):
        body += piece
    return body


def drain(source: IO[bytes], length: int, most: int = _DRAINED_BYTES) -> None:
    """Take in what the client is still sending: one that is cut off never reads the answer. BadRequest."""
    left = min(length, most)
    while left > 0 and (piece := _piece(source, min(left, _PIECE_BYTES))):
        left -= len(piece)


def _piece(source: IO[bytes], most: int) -> bytes:
    """Some of the body; a read may give less than was asked for. BadRequest when it breaks off or is ill-formed."""
    try:
        return source.read(most)
    except Exception as broken:  # each WSGI server raises errors of its own
        raise BadRequest from broken


class StrictJSONParser(BaseParser):
    """JSON in UTF-8, as deep as `DEPTH`, no key twice, no NaN, no half surrogate pair. Raises Unreadable."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """The value of the body; an empty body counts as an empty object."""
        try:
            body = stream.read()
        except (UnreadablePostError, OSError) as cut_off:
            raise Unreadable from cut_off
        return read_json(body) if body else {}


def read_json(body: bytes) -> object:
    """The value of a JSON text. Unreadable says why it is none."""
    if too_deep(body):
        raise Unreadable("too_deep")
    try:
        text = body.decode()
        value: object = json.loads(text, object_pairs_hook=_object, parse_int=_integer, parse_constant=_no_constant)
    except ValueError as problem:
        raise Unreadable from problem
    if "\\u" in text:
        _whole_characters(value)
    return value


def too_deep(body: bytes) -> bool:
    """More than `DEPTH` brackets are open at once."""
    if body.count(b"[") + body.count(b"{") <= DEPTH:
        return False
    depth = 0
    for found in _STRING_OR_BRACKET.finditer(body):
        bracket = found[0]
        if bracket in (b"[", b"{"):
            depth += 1
            if depth > DEPTH:
                return True
        elif bracket in (b"]", b"}"):
            depth -= 1
    return False


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Unreadable("duplicate_key")
    return members


def _integer(text: str) -> int:
    """A number; one that no field could take is not worth the quadratic time of reading it."""
    if len(text) <= _DIGITS:
        return int(text)
    return -_ENORMOUS if text.startswith("-") else _ENORMOUS


def _no_constant(_name: str) -> NoReturn:
    raise Unreadable


def _whole_characters(value: object) -> None:
    """Refuse half a surrogate pair: it is no character and cannot be stored or answered."""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError as half:
            raise Unreadable("lone_surrogate") from half
    elif isinstance(value, dict):
        for key, member in value.items():
            _whole_characters(key)
            _whole_characters(member)
    elif isinstance(value, list):
        for member in value:
            _whole_characters(member)
