"""Whose web pages may call the API: any page without cookies, named ones with them (`TAKI_CORS_ORIGINS`)."""

from typing import Any, Final

from corsheaders.defaults import default_headers
from corsheaders.middleware import (
    ACCESS_CONTROL_ALLOW_CREDENTIALS,
    ACCESS_CONTROL_ALLOW_ORIGIN,
    CorsMiddleware,
)
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

ANY: Final = "*"
ASKED_HEADERS: Final = (
    *default_headers,
    "idempotency-key",
    "if-match",
    "if-none-match",
    "last-event-id",
    "x-email-verification-key",
    "x-password-reset-key",
    "x-request-id",
    "x-session-token",
)
TOLD_HEADERS: Final = (
    "Allow",
    "Content-Language",
    "ETag",
    "Link",
    "Location",
    "Retry-After",
    "WWW-Authenticate",
    "X-Request-Id",
)
METHODS: Final = ("DELETE", "GET", "HEAD", "PATCH", "POST", "PUT")
PREFLIGHT_SECONDS: Final = 7200  # no browser keeps it longer


def cors_settings(origins: tuple[str, ...]) -> dict[str, Any]:
    """Settings of django-cors-headers for these origins."""
    return {
        "CORS_ALLOW_ALL_ORIGINS": ANY in origins,
        "CORS_ALLOWED_ORIGINS": [origin for origin in origins if origin != ANY],
        "CORS_URLS_REGEX": r"^/(api|_allauth)/",
        "CORS_ALLOW_HEADERS": ASKED_HEADERS,
        "CORS_ALLOW_METHODS": METHODS,
        "CORS_EXPOSE_HEADERS": TOLD_HEADERS,
        "CORS_PREFLIGHT_MAX_AGE": PREFLIGHT_SECONDS,
    }


class OriginsMiddleware(CorsMiddleware):
    """django-cors-headers, with cookies for the named origins alone: it knows one rule for all of them."""

    def add_response_headers(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """The response, with what its origin may know."""
        super().add_response_headers(request, response)
        origin = request.headers.get("origin", "")
        if ACCESS_CONTROL_ALLOW_ORIGIN in response.headers and origin.lower() in settings.CORS_ALLOWED_ORIGINS:
            response[ACCESS_CONTROL_ALLOW_ORIGIN] = origin
            response[ACCESS_CONTROL_ALLOW_CREDENTIALS] = "true"
        return response
