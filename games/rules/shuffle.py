"""Shuffling (section 12): the only randomness there is, and it comes from the seed."""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

T = TypeVar("T")

SEED_BYTES: Final = 32
_WORD_BYTES: Final = 8
_WORDS: Final = 2 ** (8 * _WORD_BYTES)


def shuffled(seed: bytes, number: int, items: Sequence[T]) -> tuple[T, ...]:
    """The items after shuffle ``number`` of the game with this 32-byte seed (H1, H2); index 0 is the top (H3)."""
    words = _words(seed, number)
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        chosen = _below(last + 1, words)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def _below(bound: int, words: Iterator[int]) -> int:
    """A uniform number in 0…bound−1: words past the last full multiple of ``bound`` are skipped (H2)."""
    fair = _WORDS - _WORDS % bound
    return next(word for word in words if word < fair) % bound


def _words(seed: bytes, number: int) -> Iterator[int]:
    """The stream of H2 as 8-byte big-endian words."""
    block = 0
    while True:
        digest = hmac.digest(seed, f"taki/1/{number}/{block}".encode("ascii"), "sha256")
        for offset in range(0, len(digest), _WORD_BYTES):
            yield int.from_bytes(digest[offset : offset + _WORD_BYTES], "big")
        block += 1
