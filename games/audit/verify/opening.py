"""The first three events: what was committed to, and what the seed deals."""

from typing import NamedTuple, NoReturn

from games import chain
from games.audit.verify.ahead import Ahead
from games.audit.verify.chaining import Entry, told_of
from games.audit.verify.clocks import Timekeeper
from games.audit.verify.errors import Forged, Unreadable, shown
from games.audit.verify.lines import read_hash
from games.rules.cards import Seat
from games.rules.events import CardsDealt, GameStarted, SeedCommitted
from games.rules.evolve import replay
from games.rules.ruleset import KNOWN_VERSIONS
from games.rules.setup import start
from games.rules.state import State


class Opened(NamedTuple):
    """A game that has begun: the position dealt, who begins, what was committed to, when."""

    state: State
    started: GameStarted
    committed: SeedCommitted
    at: int


def opened(ahead: Ahead, times: Timekeeper, server_seed: bytes) -> Opened:
    """The start of a log. Forged; Unreadable for rules of a later version."""
    first, second, third = ahead.take(), ahead.take(), ahead.take()
    started, committed = _started(first), _committed(second)
    if first is None or second is None or third is None:
        raise Forged("the log breaks off", version=ahead.version + 1, found="its end", expected="CardsDealt")
    seed = _seed(started, committed, server_seed)
    dealt = _dealt(started, seed)
    if third.event != dealt:
        raise Forged("the deal is not the seed's", version=3, found=told_of(third.event), expected=told_of(dealt))
    for entry in (second, third):
        if (entry.actor, entry.at) != ("server", first.at):
            found = f"{told_of(entry.event)} by {entry.actor}"
            raise Forged("not part of the start", version=entry.version, found=found, expected="by server, at once")
    state = replay((started, committed, dealt), seed=seed)
    for entry in (first, second, third):
        times.note(state.turn, entry)
    return Opened(state, started, committed, first.at)


def _started(entry: Entry | None) -> GameStarted:
    if entry is None or not isinstance(entry.event, GameStarted):
        _refuse(entry, 1, "GameStarted")
    if entry.actor not in ("host", "server"):
        raise Forged("a game is started by another", version=1, found=shown(entry.actor), expected="host or server")
    if entry.event.rules_version not in KNOWN_VERSIONS:
        known = ", ".join(sorted(KNOWN_VERSIONS))
        version = shown(entry.event.rules_version, 40)
        raise Unreadable(f"the game was played by version {version} of the rules; this verifier knows {known}")
    return entry.event


def _committed(entry: Entry | None) -> SeedCommitted:
    if entry is None or not isinstance(entry.event, SeedCommitted):
        _refuse(entry, 2, "SeedCommitted")
    return entry.event


def _seed(started: GameStarted, committed: SeedCommitted, server_seed: bytes) -> bytes:
    commitment = chain.commitment(server_seed).hex()
    if committed.commitment != commitment:
        what = "the seed is not the one committed to"
        raise Forged(what, version=2, found=shown(committed.commitment), expected=f"{commitment}, by the seed")
    digests = [digest for text in committed.entropy if (digest := read_hash(text)) is not None]
    if not len(digests) == len(committed.entropy) == started.seats:
        expected = f"{started.seats} SHA-256 digests"
        raise Forged("each seat has its entropy", version=2, found=told_of(committed), expected=expected)
    return chain.game_seed(server_seed, digests)


def _dealt(started: GameStarted, seed: bytes) -> CardsDealt:
    try:
        dealt = start(rules=started.rules, seats=started.seats, first=started.first, seed=seed)[-1]
    except ValueError as error:
        raise Forged(str(error), version=1, found=told_of(started)) from None
    if not isinstance(dealt, CardsDealt):
        raise TypeError(dealt)
    return dealt


def _refuse(entry: Entry | None, version: int, expected: str) -> NoReturn:
    found = told_of(entry.event) if entry else "the end of the log"
    raise Forged("a log does not begin so", version=version, found=found, expected=expected)


def drawn_first(opened_game: Opened) -> bool:
    """Who begins is whom the seed draws among all seats (S4: `random`, or ages that are not known)."""
    everybody = [Seat(seat) for seat in range(opened_game.started.seats)]
    return chain.first_seat(opened_game.state.seed, everybody) == opened_game.started.first
