"""Logging in with a password: by name in any case, or by e-mail; at most so often."""

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from django.http import HttpRequest

from players.api.addresses import address_key
from players.api.throttles import LOGINS, limit_spend
from players.models import Player
from players.names import name_key


class AccountBackend(AuthenticationBackend):  # type: ignore[misc]  # allauth has no types
    """allauth's, with our names; also that of the admin's log-in."""

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> Player | None:
        """The player, None when the password is wrong. TooManyRequests for too many tries from one address at one
        name, right or wrong: nobody learns from the answer which it was."""
        if request is not None:
            who = str(credentials.get("username") or credentials.get("email") or "")
            limit_spend(LOGINS, f"{address_key(request)}:{name_key(who)[:80]}")
        found: Any = super().authenticate(request, **credentials)
        return found if isinstance(found, Player) else None

    def _authenticate_by_username(self, username: str, password: str) -> Any:
        return self._check_password(Player.objects.filter(key=name_key(username)).first(), password)
