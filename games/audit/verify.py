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
    """A log that holds: its game and length, its head hash, what was committed to, and the position it leads to."""

    game_id: UUID
    version: int
    head_hash: bytes
    commitment: str
    state: State


def verify_export(lines: Iterable[str]) -> Verified:
    """Check the lines of `export.export_lines`. Raises Forged, with the first thing that does not fit.

    Whoever holds the commitment published at the game's creation, or a head hash of their own, compares it with
    the result: a server could have made up a whole other log.
    """
    try:
        return _verify([json.loads(line) for line in lines])
    except (ValueError, KeyError, TypeError, IndexError) as unreadable:
        raise Forged(f"the export cannot be read: {unreadable!r}") from unreadable


def _verify(lines: list[Mapping[str, Any]]) -> Verified:
    events = [codec.decode(line["type"], line["schema"], line["data"]) for line in lines]
    committed, server_seed = _committed(events), _revealed(events)
    _require(chain.commitment(server_seed).hex() == committed.commitment, 2, "the seed is not the one committed to")
    seed = chain.game_seed(server_seed, [bytes.fromhex(digest) for digest in committed.entropy])
    game_id = UUID(lines[0]["game"])
    head, state = chain.genesis(game_id), NOT_STARTED._replace(seed=seed)
    for version, (line, event) in enumerate(zip(lines, events, strict=True), start=1):
        _require(line["game"] == str(game_id), version, "an event of another game")
        head = _next_hash(head, server_seed, version, line)
        _require_honest(state, event, version, len(committed.entropy))
        state = evolve(state, event)
    return Verified(game_id, len(lines), head, committed.commitment, state)


def _committed(events: list[Event]) -> SeedCommitted:
    committed = events[1]
    if not isinstance(committed, SeedCommitted):
        raise Forged("version 2: nothing was committed to before the deal")
    return committed


def _revealed(events: list[Event]) -> bytes:
    revealed = events[-1]
    if not isinstance(revealed, SeedRevealed):
        raise Forged(f"version {len(events)}: the log does not end by revealing the seed")
    return bytes.fromhex(revealed.server_seed)


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


def _require_honest(state: State, event: Event, version: int, seats: int) -> None:
    """What the seed decides must be what it decides."""
    match event:
        case CardsDealt():
            _require(event == _deal(state), version, "the deal is not the seed's")
        case PileReshuffled(order=order, shuffle=number):
            _require(order == shuffled(state.seed, number, state.pile[1:]), version, "the shuffle is not the seed's")
        case SeatLeft(seat=seat, cards=cards, shuffle=number) if cards:
            hand: tuple[Card, ...] = state.hands[seat]
            _require(cards == shuffled(state.seed, number, hand), version, "the shuffle is not the seed's")
        case GameStarted():
            _require(event.seats == seats, version, "another number of seats")
        case _:
            pass


def _deal(state: State) -> Event:
    return start(rules=state.rules, seats=state.seats, first=state.turn, seed=state.seed)[-1]


def _require(holds: bool, version: int, what: str) -> None:
    if not holds:
        raise Forged(f"version {version}: {what}")
