"""How an endpoint is described: its answers, and the problems that it may give."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from django.conf import settings
from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerExtension
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema

from players.api.authentication import CookieAuthentication, SessionTokenAuthentication, TokenAuthentication
from players.api.fields import StrictSerializer
from players.api.shapes import ProblemShape

PROBLEM: Final = "application/problem+json"
_MEANING: Final[Mapping[int, str]] = {
    400: "the body cannot be read",
    401: "no valid token",
    403: "not for this caller",
    404: "nothing here that the caller may know of",
    406: "no acceptable format",
    409: "wrong phase, or stale `expected_version`",
    412: "stale `If-Match`",
    413: "the body is over 64 KiB",
    415: "not `application/json`",
    422: "invalid or refused",
    429: "a limit is reached",
    503: "not just now; see `Retry-After`",
}
_READING: Final = (401, 403, 404, 406, 422, 429, 503)
_WRITING: Final = (400, 401, 403, 404, 406, 409, 413, 415, 422, 429, 503)

# Not `format: uuid`: generated clients then put an object into the header.
_UUID: Final = {
    "type": "string",
    "minLength": 36,
    "maxLength": 36,
    "pattern": "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$",
}
IDEMPOTENCY_KEY: Final = OpenApiParameter(
    "Idempotency-Key",
    _UUID,
    OpenApiParameter.HEADER,
    description="A UUID. The same key and body gives the same answer again, and does nothing twice.",
)
IF_NONE_MATCH: Final = OpenApiParameter(
    "If-None-Match", OpenApiTypes.STR, OpenApiParameter.HEADER, description="An `ETag`: 304 if it still holds."
)
IF_MATCH: Final = OpenApiParameter(
    "If-Match", OpenApiTypes.STR, OpenApiParameter.HEADER, description="An `ETag`: 412 if it no longer holds."
)


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # registers itself
    """How a request says whose it is."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """A bearer token."""
        return {"type": "http", "scheme": "bearer"}


class SessionTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # registers itself
    """What an app got on logging in."""

    target_class = SessionTokenAuthentication
    name = "session_token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """A header."""
        return {"type": "apiKey", "in": "header", "name": "X-Session-Token"}


class CookieScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # registers itself
    """What a page got on logging in; writing needs `X-CSRFToken` too."""

    target_class = CookieAuthentication
    name = "cookie"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """A cookie."""
        return {"type": "apiKey", "in": "cookie", "name": settings.SESSION_COOKIE_NAME}


class StrictBody(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]  # registers itself
    """Bodies take no unknown field."""

    target_class = StrictSerializer
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        """The object, closed."""
        mapped: dict[str, Any] = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        return {**mapped, "additionalProperties": False}


def reading(
    operation: str,
    summary: str,
    shape: Any,
    *parameters: Any,
    without: tuple[int, ...] = (),
    more: tuple[int, ...] = (),
) -> Callable[[Any], Any]:
    """Describes a GET. `without` and `more`: statuses to leave out of, or add to, the usual ones."""
    answers = shape if isinstance(shape, dict) else {200: shape}
    if IF_NONE_MATCH in parameters:
        answers = {**answers, 304: None}
    problems = {*_READING, *more} - {*without}
    return extend_schema(
        operation_id=operation,
        summary=summary,
        responses={**answers, **_problems(problems)},
        parameters=list(parameters),
        filters=False,
    )


def writing(
    operation: str,
    summary: str,
    body: Any,
    status: int,
    shape: Any,
    *parameters: Any,
    without: tuple[int, ...] = (),
    more: tuple[int, ...] = (),
    keyed: bool = True,
) -> Callable[[Any], Any]:
    """Describes a POST. `without` and `more` as of `reading`; `shape` may be one for each status.

    `keyed`: it takes an `Idempotency-Key`.
    """
    answers = shape if isinstance(shape, dict) else {status: shape}
    problems = {*_WRITING, *more} - {*without}
    return extend_schema(
        operation_id=operation,
        summary=summary,
        request=body,
        responses={**answers, **_problems(problems)},
        parameters=[*([IDEMPOTENCY_KEY] if keyed else []), *parameters],
    )


def _problems(statuses: Iterable[int]) -> dict[Any, Any]:
    return {
        (status, PROBLEM): OpenApiResponse(ProblemShape, description=_MEANING[status]) for status in sorted(statuses)
    }
