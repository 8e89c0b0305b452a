"""Check an export: that nothing was altered, and that the shuffles were honest. Pure; trusts nobody."""

import hmac
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from games import chain
from games.rules import codec
from games.rules.cards import Card
from games.rules.events import CardsDealt, Event, GameStarted, PileReshuffled, SeatLeft, SeedCommitted, SeedRevealed
from games.rules.evolve import evolve
from games.rules.setup import start
from games.rules.shuffle import shuffled
from games.rules.state import NOT_STARTED, State


class Forged(Exception):
    """The export is not what was committed to; the text says at which version, and what does not fit."""


@dataclass(frozen=True, slots=True)
class Verified:
    """A log that holds: its length, its head hash, and the position that it leads to."""

    version: int
    head_hash: bytes
    state: State


def verify_export(lines: Iterable[str]) -> Verified:
    """Check the lines of `export.export_lines`. Raises Forged, with the first thing that does not fit."""
    try:
        header, *events = [json.loads(line) for line in lines]
        return _verify(header, events)
    except (ValueError, KeyError, TypeError, IndexError) as unreadable:
        raise Forged(f"the export cannot be read: {unreadable!r}") from unreadable


def _verify(header: Mapping[str, Any], lines: list[Mapping[str, Any]]) -> Verified:
    server_seed = bytes.fromhex(header["server_seed"])
    digests = [chain.entropy_digest(bytes.fromhex(entropy)) for entropy in header["entropy"]]
    seed = chain.game_seed(server_seed, digests)
    _require(chain.commitment(server_seed).hex() == header["commitment"], 0, "the seed is not the one committed to")
    head, state = chain.genesis(UUID(header["game"])), NOT_STARTED._replace(seed=seed)
    for version, line in enumerate(lines, start=1):
        head = _next_hash(head, server_seed, version, line)
        event = codec.decode(line["type"], line["schema"], line["data"])
        _require_honest(state, event, version, header, digests)
        state = evolve(state, event)
    _require(len(lines) == header["version"], len(lines), "the log has another length than its head")
    _require(head.hex() == header["head_hash"], len(lines), "the log's end is not its head")
    return Verified(len(lines), head, state)


def _next_hash(previous: bytes, server_seed: bytes, version: int, line: Mapping[str, Any]) -> bytes:
    _require(line["version"] == version, version, "a version is missing or doubled")
    canonical = chain.canonical_event(
        version=version,
        event_type=line["type"],
        schema=line["schema"],
        data=line["data"],
        actor=line["actor"],
        at=line["at"],
    )
    head = chain.event_hash(previous, chain.salt(server_seed, version), canonical)
    _require(hmac.compare_digest(head.hex(), line["hash"]), version, "the event is not the one that was recorded")
    return head


def _require_honest(state: State, event: Event, version: int, header: Mapping[str, Any], digests: list[bytes]) -> None:
    """What the seeds decide must be what they decide."""
    match event:
        case SeedCommitted(commitment=commitment, entropy=entropy):
            _require(commitment == header["commitment"], version, "another commitment")
            _require(list(entropy) == [digest.hex() for digest in digests], version, "other entropy")
        case SeedRevealed(server_seed=server_seed):
            _require(server_seed == header["server_seed"], version, "another seed")
        case CardsDealt():
            _require(event == _deal(state), version, "the deal is not the seed's")
        case PileReshuffled(order=order, shuffle=number):
            _require(order == shuffled(state.seed, number, state.pile[1:]), version, "the shuffle is not the seed's")
        case SeatLeft(seat=seat, cards=cards, shuffle=number) if cards:
            hand: tuple[Card, ...] = state.hands[seat]
            _require(cards == shuffled(state.seed, number, hand), version, "the shuffle is not the seed's")
        case GameStarted(seats=seats):
            _require(seats == len(digests), version, "another number of seats")
        case _:
            pass


def _deal(state: State) -> Event:
    return start(rules=state.rules, seats=state.seats, first=state.turn, seed=state.seed)[-1]


def _require(holds: bool, version: int, what: str) -> None:
    if not holds:
        raise Forged(f"version {version}: {what}")
