"""Chance in a tournament: all of it comes from one seed, committed at creation and revealed at the end.

Each use of chance has a seed of its own, HMAC-SHA256(seed, "taki/1/tournament/<use>"), which shuffles as section 12 of
the rules says (shuffle number 0). So no draw says anything of another, and each can be checked by itself:

=============================  =========================================================================
use                            what is shuffled
=============================  =========================================================================
``seeding``                    all entries, ascending: the seeding order, if seeding is random
``tie/<table>/<attempt>/<n>``  the entries that tie at the last place that goes on, ascending; n counts the
                               corrections of the table's result
``ranking``                    all ranked entries, ascending: who comes first among equals in the final ranking
=============================  =========================================================================
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from typing import Final, TypeVar

from games.rules.shuffle import SEED_BYTES, shuffled

T = TypeVar("T")

_COMMIT: Final = b"taki/1/tournament/commit"

SEEDING_USE: Final = "seeding"
RANKING_USE: Final = "ranking"


def commitment(seed: bytes) -> str:
    """SHA-256("taki/1/tournament/commit" ‖ seed) in hex; ValueError unless the seed has 32 bytes."""
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a tournament's seed has {SEED_BYTES} bytes, not {len(seed)}")
    return hashlib.sha256(_COMMIT + seed).hexdigest()


def subseed(seed: bytes, use: str) -> bytes:
    """The 32 bytes for one use of chance."""
    return hmac.digest(seed, f"taki/1/tournament/{use}".encode("ascii"), "sha256")


def drawn(seed: bytes, use: str, items: Sequence[T]) -> tuple[T, ...]:
    """The items in the order that the draw for this use gives them."""
    return shuffled(subseed(seed, use), 0, items)


def tie_use(table: int, attempt: int, corrections: int) -> str:
    """The use under which a tie at the last place that goes on is drawn."""
    return f"tie/{table}/{attempt}/{corrections}"
