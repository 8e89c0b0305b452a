"""Session tokens of apps: what `X-Session-Token` carries."""

import re
from typing import Final

from allauth.headless.internal.sessionkit import lookup_session
from allauth.headless.tokens.strategies.sessions import SessionTokenStrategy
from django.contrib.sessions.backends.base import SessionBase

_KEY: Final = re.compile(r"[a-z0-9]{32}")


class SessionTokens(SessionTokenStrategy):  # type: ignore[misc]  # allauth has no types
    """allauth's, in one SELECT, and none for what can be no token."""

    def lookup_session(self, session_token: str) -> SessionBase | None:
        """The session of this token; None when there is none, or it is over."""
        return lookup_session(session_token) if _KEY.fullmatch(session_token) else None
