"""How many streams a player may have open: each holds a lease in Valkey that ends by itself if its process dies."""

import itertools
import logging
import secrets
from typing import Final, cast
from uuid import UUID

from django.conf import settings
from redis.asyncio import Redis
from redis.exceptions import RedisError

from players.api.errors import TooManyRequests

logger = logging.getLogger(__name__)

STREAMS: Final = 8
"""Open streams (and waiting polls) of one player."""
LEASE_SECONDS: Final = 30
RENEW_SECONDS: Final = 10.0
AT_ONCE: Final = 500

# KEYS: the player's leases by when they end. ARGV: the lease, how many there may be, seconds.
# Answers the seconds until one of the others ends of itself; 0 is a yes.
_TAKE: Final = """
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then
    local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
    return math.max(1, math.ceil(tonumber(first[2]) - now))
end
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[3]), ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return 0
"""
_RENEW: Final = """
local time = redis.call('TIME')
redis.call('ZADD', KEYS[1], tonumber(time[1]) + tonumber(time[2]) / 1000000 + tonumber(ARGV[2]), ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[2])
return 0
"""


class Leases:
    """The leases of this process's streams. When Valkey is away, everybody is let in."""

    def __init__(self, valkey: Redis) -> None:
        self._valkey = valkey
        self._take, self._renew = valkey.register_script(_TAKE), valkey.register_script(_RENEW)
        self._name = secrets.token_hex(8)
        self._numbers = itertools.count(1)
        self._held: dict[str, str] = {}

    async def take(self, player_id: UUID) -> str:
        """A new lease of the player's. TooManyRequests when it has as many as it may."""
        key, lease = f"streams:{player_id}", f"{self._name}:{next(self._numbers)}"
        most = max(1, int(STREAMS * settings.TAKI_THROTTLE_FACTOR))
        try:
            wait = cast("int", await self._take(keys=[key], args=[lease, most, LEASE_SECONDS]))
        except (RedisError, OSError) as away:
            logger.warning("streams are not counted: %s", type(away).__name__)
            wait = 0
        if wait:
            raise TooManyRequests(limit="streams", seconds=wait)
        self._held[lease] = key
        return lease

    async def give_back(self, lease: str) -> None:
        """The stream has ended."""
        key = self._held.pop(lease, None)
        if key is None:
            return
        try:
            await self._valkey.zrem(key, lease)
        except (RedisError, OSError):
            return  # it ends of itself

    async def renew(self) -> None:
        """Hold on to all of them; also when Valkey has forgotten them."""
        held = list(self._held.items())
        try:
            for begin in range(0, len(held), AT_ONCE):
                async with self._valkey.pipeline(transaction=False) as pipeline:
                    for lease, key in held[begin : begin + AT_ONCE]:
                        await self._renew(keys=[key], args=[lease, LEASE_SECONDS], client=pipeline)
                    await pipeline.execute()
        except (RedisError, OSError) as away:
            logger.warning("streams are not counted: %s", type(away).__name__)
