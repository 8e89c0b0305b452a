"""Fresh proof of who one is, for what cannot be undone."""

import time
from typing import Final

from allauth.account.internal.flows.login import AUTHENTICATION_METHODS_SESSION_KEY
from rest_framework.request import Request

from players.api.authentication import LoggedIn
from players.api.door import caller
from players.api.throttles import PASSWORDS, limit_spend
from players.errors import FieldRefused, FreshProofNeeded

FRESH_SECONDS: Final = 300


def require_proof(request: Request, password: str | None) -> None:
    """An account's password, or a log-in of the last minutes; a guest's token suffices, as it has nothing else.

    FreshProofNeeded; FieldRefused for a wrong password; TooManyRequests for too many of those.
    """
    player = caller(request)
    if player.guest:
        return
    if password is None:
        if not _just_logged_in(request.auth):
            raise FreshProofNeeded
        return
    limit_spend(PASSWORDS, str(player.pk))
    if not player.check_password(password):
        raise FieldRefused("password", "password_wrong")


def _just_logged_in(auth: object) -> bool:
    if not isinstance(auth, LoggedIn):
        return False
    records = auth.session.get(AUTHENTICATION_METHODS_SESSION_KEY, [])
    return any(time.time() - record.get("at", 0) < FRESH_SECONDS for record in records)
