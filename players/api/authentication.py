"""Whose request it is: `Authorization: Bearer <token>`."""

from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from players.models import Player, Token
from players.selectors import token_load

CHALLENGE = 'Bearer realm="taki"'


class TokenAuthentication(BaseAuthentication):
    """One SELECT a request, and nothing written. `request.user` is the player, `request.auth` the token."""

    def authenticate(self, request: Request) -> tuple[Player, Token] | None:
        """The player and token; None without the header. AuthenticationFailed when the header is no good."""
        header: str = request.META.get("HTTP_AUTHORIZATION", "")
        if not header:
            return None
        scheme, _, text = header.partition(" ")
        token = token_load(text.strip()) if scheme.lower() == "bearer" else None
        if token is None:
            raise AuthenticationFailed
        return token.player, token

    def authenticate_header(self, request: Request) -> str:
        """What `WWW-Authenticate` says."""
        return CHALLENGE
