"""How often one may ask: counted in Valkey, in one atomic step, and let pass when Valkey is away."""

import logging
import time
from dataclasses import dataclass
from functools import cache
from typing import Final, cast

from django.conf import settings
from redis import Redis
from redis.backoff import NoBackoff
from redis.commands.core import Script
from redis.exceptions import RedisError
from redis.retry import Retry

from players.api.errors import TooManyRequests

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Limit:
    """`count` times in `seconds` in the long run, and `burst` of them at once after a rest."""

    name: str
    count: int
    seconds: int
    burst: int


GUESTS: Final = Limit("guests", 60, 3600, 60)
COMMANDS: Final = Limit("commands", 10, 1, 20)
READS: Final = Limit("reads", 50, 1, 50)
# By address: whatever concerns accounts, sign-ups, requests for a new password, tokens that are none.
ACCOUNTS: Final = Limit("accounts", 5, 1, 60)
SIGNUPS: Final = Limit("signups", 60, 3600, 20)
RESETS: Final = Limit("resets", 60, 3600, 20)
BAD_TOKENS: Final = Limit("bad_tokens", 60, 60, 60)
# By address and name; by player or session where a password is asked for again.
LOGINS: Final = Limit("logins", 10, 60, 10)
PASSWORDS: Final = Limit("passwords", 10, 60, 10)
# By player; and by mailbox, of which nobody is told.
EXPORTS: Final = Limit("exports", 10, 3600, 5)
GAME_EXPORTS: Final = Limit("game_exports", 60, 3600, 4)
RECORDS: Final = Limit("records", 2, 1, 20)
# By address: the pages of replays and what they fetch; each reads a whole log.
REPLAYS: Final = Limit("replays", 5, 1, 60)
MAILS: Final = Limit("mails", 6, 3600, 6)
LIMITS: Final = (
    GUESTS, COMMANDS, READS, ACCOUNTS, SIGNUPS, RESETS, BAD_TOKENS, LOGINS, PASSWORDS, EXPORTS, GAME_EXPORTS, RECORDS,
    REPLAYS, MAILS,
)  # fmt: skip

# The generic cell rate algorithm by the server's own clock: one key holds when the bucket will be full again.
# ARGV: microseconds between two, burst. Answers the microseconds to wait; 0 is a yes, and is counted.
GCRA: Final = """
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local full = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now) + interval
local wait = full - interval * burst - now
if wait > 0 then return math.ceil(wait) end
redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.max(1, math.ceil((full - now) / 1000)))
return 0
"""
_TIMEOUT_SECONDS: Final = 0.25
_PAUSE_SECONDS: Final = 1.0


class _Outage:
    """Until when this process does not ask Valkey again: a limit must never slow down a move."""

    until = 0.0


def limit_spend(limit: Limit, who: str) -> None:
    """Count one request of `who`. TooManyRequests when the limit is reached."""
    if time.monotonic() < _Outage.until:
        return
    factor = settings.TAKI_THROTTLE_FACTOR
    interval = limit.seconds * 1_000_000 / (limit.count * factor)
    try:
        wait = cast(
            "int", _counter()(keys=[f"limit:{limit.name}:{who}"], args=[interval, max(1, limit.burst * factor)])
        )
    except (RedisError, OSError) as away:
        _Outage.until = time.monotonic() + _PAUSE_SECONDS
        logger.warning("limits are not counted for a second: %s", type(away).__name__)
        return
    if wait > 0:
        raise TooManyRequests(limit=limit.name, seconds=-(-wait // 1_000_000))


@cache
def _counter() -> Script:
    client = Redis.from_url(
        settings.TAKI_VALKEY_URL,
        socket_timeout=_TIMEOUT_SECONDS,
        socket_connect_timeout=_TIMEOUT_SECONDS,
        retry=Retry(NoBackoff(), 1),  # once, for a connection that broke while it lay idle
    )
    return client.register_script(GCRA)
