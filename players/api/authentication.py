"""Whose request it is: `Authorization: Bearer <token>`, an app's `X-Session-Token`, or a page's cookie."""

import re
from dataclasses import dataclass
from typing import Final

from allauth.core.internal.sessionkit import get_session_user
from allauth.headless.internal.sessionkit import lookup_session
from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from players.api.bad_tokens import admit, note_bad, note_good
from players.api.errors import CsrfFailed, SessionInvalid
from players.models import Player, Token
from players.selectors import token_load
from players.services import token_touch

CHALLENGE: Final = 'Bearer realm="taki"'
SESSION_HEADER: Final = "HTTP_X_SESSION_TOKEN"
_SESSION_KEY: Final = re.compile(r"[a-z0-9]{32}")


@dataclass(frozen=True, slots=True)
class LoggedIn:
    """`request.auth` of somebody who has logged in: the session, which may do whatever its player may."""

    session: SessionBase


class TokenAuthentication(BaseAuthentication):
    """One SELECT a request, and nothing written but once a day. `request.user` is the player, `request.auth` the token.

    Whoever sends many that are none is refused before the SELECT.
    """

    def authenticate(self, request: Request) -> tuple[Player, Token] | None:
        """The player and token; None without the header. AuthenticationFailed when the header is no good.

        TooManyRequests for an address that sends too many of those.
        """
        header: str = request.META.get("HTTP_AUTHORIZATION", "")
        if not header:
            return None
        scheme, _, text = header.partition(" ")
        admit(request, text)
        token = token_load(text.strip()) if scheme.lower() == "bearer" else None
        if token is None:
            note_bad(request)
            raise AuthenticationFailed
        note_good(text)
        token_touch(token)
        return token.player, token

    def authenticate_header(self, request: Request) -> str:
        """What `WWW-Authenticate` says."""
        return CHALLENGE


class SessionTokenAuthentication(BaseAuthentication):
    """The `X-Session-Token` that a log-in over `/_allauth/app/` gave. Two SELECTs."""

    def authenticate(self, request: Request) -> tuple[Player, LoggedIn] | None:
        """The player and session; None without the header. SessionInvalid; TooManyRequests as of a bearer token."""
        key: str = request.META.get(SESSION_HEADER, "")
        if not key:
            return None
        admit(request, key)
        found = _session_player(key)
        if found is None:
            note_bad(request)
            raise SessionInvalid
        note_good(key)
        return found


class CookieAuthentication(BaseAuthentication):
    """A page's session cookie. What changes something must prove, by `X-CSRFToken`, that the page is one of ours."""

    def authenticate(self, request: Request) -> tuple[Player, LoggedIn] | None:
        """The player and session; None without a cookie that still holds. CsrfFailed."""
        key = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
        found = _session_player(key) if key else None
        if found is not None:
            _require_csrf(request._request)
        return found


def _session_player(key: str) -> tuple[Player, LoggedIn] | None:
    session = lookup_session(key) if _SESSION_KEY.fullmatch(key) else None
    player = get_session_user(session) if session is not None else None
    return (player, LoggedIn(session)) if session is not None and isinstance(player, Player) else None


class _CsrfCheck(CsrfViewMiddleware):
    def _reject(self, request: HttpRequest, reason: str) -> HttpResponse:
        raise CsrfFailed(reason)


def _require_csrf(request: HttpRequest) -> None:
    """As Django does it for its own views: those of the API are exempt there, since most come without a cookie."""
    check = _CsrfCheck(lambda _request: HttpResponse())
    check.process_request(request)
    check.process_view(request, lambda _request: HttpResponse(), (), {})
