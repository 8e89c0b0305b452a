"""A first look through a log, for what stands at its end and is needed from its beginning: the revealed seed."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from games import chain
from games.audit.verify.chaining import hash_after
from games.audit.verify.clocks import full_bank
from games.audit.verify.errors import Forged, Unreadable, shown
from games.audit.verify.lines import Line, Seal, read_hash, read_id

Lines = Callable[[], Iterable[Line]]
"""The lines of one log, from the first on, as often as asked for."""


class Ends(NamedTuple):
    """The first two lines of a log and its last; ``banks``: some line may tell of a bank."""

    first: Line
    second: Line | None
    last: Line
    banks: bool


class Scanned(NamedTuple):
    """What a log says of itself at its ends. ``full_bank`` as `clocks.full_bank`."""

    first: Line
    server_seed: bytes
    full_bank: int | None
    seal: Seal | None


def ends_of(lines: Iterable[Line]) -> Ends:
    """Look through the lines. Unreadable if there are none."""
    first = second = last = None
    banks = False
    for line in lines:
        if first is None:
            first = line
        elif second is None:
            second = line
        last = line
        banks = banks or line.type == "BankChanged"
    if first is None or last is None:
        raise Unreadable("there is no event in it")
    return Ends(first, second, last, banks)


def scan(lines: Lines, ends: Ends) -> Scanned:
    """What a log that is over reveals. Forged if it reveals no seed, or another than the one committed to."""
    seed = _revealed(ends.last)
    _require_committed(ends, seed)
    return Scanned(ends.first, seed, _full_bank(lines()) if ends.banks else 0, ends.last.seal)


def _full_bank(lines: Iterable[Line]) -> int | None:
    try:
        return full_bank(lines)
    except ValueError:  # a time that is none: it is named when its turn comes
        return 0


def _revealed(last: Line) -> bytes:
    if last.type != "SeedRevealed":
        raise Forged(
            "the log does not end by revealing the seed",
            version=last.version,
            found=f"{shown(last.type, 40)} as its end",
            expected="SeedRevealed",
        )
    seed = read_hash(last.data.get("server_seed"))
    if seed is None:
        raise Forged("the revealed seed is no 32 bytes in hex", version=last.version, found=shown(repr(last.data)))
    return seed


def _require_committed(ends: Ends, seed: bytes) -> None:
    """If the seed is not the one committed to, say which of the two is wrong: the first hash hangs on the true seed."""
    if ends.second is None or ends.second.type != "SeedCommitted":
        return
    committed, expected = ends.second.data.get("commitment"), chain.commitment(seed).hex()
    if committed == expected or _begins_with(ends.first, seed):
        return
    raise Forged(
        "the seed is not the one committed to",
        version=ends.last.version,
        found=f"a seed whose commitment is {expected}",
        expected=f"one whose commitment is {shown(committed)}",
    )


def _begins_with(first: Line, seed: bytes) -> bool:
    try:
        genesis = chain.genesis(read_id(first.game))
        return hash_after(genesis, seed, first).hex() == first.hash
    except (TypeError, ValueError, RecursionError):
        return False
