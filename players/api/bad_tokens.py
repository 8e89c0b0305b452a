"""Floods of tokens that are none: counted for their address in Valkey, and then refused without a look at the table.

Who may pass is asked of this process alone, so that a good token costs nothing more. A good one that was seen here
passes also from an address that floods: a school shares one.
"""

import time
from hashlib import sha256
from typing import Final

from django.http import HttpRequest
from rest_framework.request import Request

from players.api.addresses import address_block, address_key, client_address
from players.api.errors import TooManyRequests
from players.api.throttles import BAD_TOKENS, limit_spend

_MOST: Final = 10_000
_refused_until: dict[str, float] = {}
_good: dict[bytes, None] = {}


def admit(request: HttpRequest | Request, token: str) -> None:
    """TooManyRequests while the address is refused."""
    if not _refused_until:
        return
    block = address_block(client_address(request))
    left = _refused_until.get(block, 0.0) - time.monotonic()
    if left <= 0:
        _refused_until.pop(block, None)
    elif _digest(token) not in _good:
        raise TooManyRequests(limit=BAD_TOKENS.name, seconds=max(1, round(left)))


def note_bad(request: HttpRequest | Request) -> None:
    """Count a token that is none. TooManyRequests once there were too many."""
    try:
        limit_spend(BAD_TOKENS, address_key(request))
    except TooManyRequests as refused:
        if len(_refused_until) >= _MOST:
            _refused_until.clear()
        _refused_until[address_block(client_address(request))] = time.monotonic() + refused.seconds
        raise


def note_good(token: str) -> None:
    """Remember a good token, by a digest."""
    if len(_good) >= _MOST:
        _good.clear()
    _good[_digest(token)] = None


def _digest(token: str) -> bytes:
    return sha256(token.encode(errors="replace")).digest()[:16]
