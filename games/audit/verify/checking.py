"""The whole check of one game: the chain, the seed, every act, the clock, and what is known from elsewhere."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from uuid import UUID

from games.audit.verify.ahead import Ahead
from games.audit.verify.chaining import Entry, entries
from games.audit.verify.clocks import Learnt, Timekeeper
from games.audit.verify.errors import Forged, Unreadable
from games.audit.verify.lines import Line, Seal, read_id, read_line
from games.audit.verify.opening import Opened, drawn_first, opened
from games.audit.verify.referee import Referee
from games.audit.verify.scanning import Ends, Lines, ends_of, scan
from games.audit.verify.steps import Scribe
from games.clock import Limits
from games.rules.cards import Seat
from games.rules.events import EndReason, Placing
from games.rules.ruleset import Ruleset
from games.rules.state import State

Watch = Callable[[Entry], None]
"""Is shown each event whose place in the chain holds, before it is judged."""


@dataclass(frozen=True, slots=True)
class Verified:
    """A log that holds: its game and length, its head hash, what was committed to, and the position it leads to.

    ``commands``: how many acts of seats and of the system were decided again. ``first_drawn``: the seed draws the
    seat that began among all seats. ``clock``: the settings as given or as learnt from the log. ``seal``: the
    signature that the log carries, not yet checked. ``outside``: what neither a seat nor its time brought about, in
    words, the first hundred of it. ``reason`` is None while the game runs. Times are milliseconds
    since 1970 UTC.
    """

    game_id: UUID
    version: int
    head_hash: bytes
    commitment: str
    state: State
    entropy: tuple[str, ...]
    first: Seat
    first_drawn: bool
    commands: int
    ranking: tuple[Placing, ...]
    reason: EndReason | None
    aborted: bool
    started_at: int
    ended_at: int
    clock: Learnt
    outside: tuple[str, ...] = ()
    seal: Seal | None = None

    @property
    def rules(self) -> Ruleset:
        """The house rules that it was played by."""
        return self.state.rules


def verify_export(lines: Iterable[str]) -> Verified:
    """Check the lines of `export.export_lines`. Raises Forged, with the first thing that does not fit.

    Whoever holds the commitment published at the game's creation, or a head hash of their own, compares it with
    the result: a server could have made up a whole other log.
    """
    read = [read_line(line, number) for number, line in enumerate(lines, start=1)]
    return verify_lines(lambda: read)


def verify_lines(
    lines: Lines,
    *,
    limits: Limits | None = None,
    watch: Watch | None = None,
    ends: Ends | None = None,
    scribe: Scribe | None = None,
) -> Verified:
    """Check a log that is over; it is gone through twice, and never held. Forged, Unreadable.

    ``limits``: the table's clock, where it is known; else it is learnt from the log. ``ends``: where the caller has
    looked through the lines already. ``scribe`` is told each act.
    """
    seen = scan(lines, ends or ends_of(lines()))
    game_id = game_of(seen.first)
    times = Timekeeper(limits, seen.full_bank)
    verified = _verify(lines(), game_id, seen.server_seed, times, watch, scribe)
    if verified.reason is None:
        raise Forged("the log does not end by revealing the seed", version=verified.version)
    return replace(verified, seal=seen.seal)


def verify_log(
    lines: Iterable[Line], *, game_id: UUID, server_seed: bytes, limits: Limits, watch: Watch | None = None
) -> Verified:
    """Check a log, running or over, with what the server itself knows: the seed and the table's clock. Forged."""
    return _verify(lines, game_id, server_seed, Timekeeper(limits), watch)


def game_of(line: Line) -> UUID:
    """The id of the line's game. Unreadable."""
    try:
        return read_id(line.game)
    except ValueError as error:
        raise Unreadable(str(error), line=line.number) from None


def _verify(
    lines: Iterable[Line],
    game_id: UUID,
    server_seed: bytes,
    times: Timekeeper,
    watch: Watch | None,
    scribe: Scribe | None = None,
) -> Verified:
    chained = entries(lines, game_id=game_id, server_seed=server_seed)
    head = _Head()
    ahead = Ahead(head.follow(chained, watch))
    try:
        begun = opened(ahead, times, server_seed)
        referee = Referee(ahead, times, begun.state, server_seed, scribe)
        referee.judge()
    except OverflowError:
        raise Forged("it speaks of times that no calendar has", version=head.version) from None
    return _verified(game_id, head, begun, referee)


class _Head:
    """Remembers the last entry that went by."""

    def __init__(self) -> None:
        self.version = 0
        self.hash = b""
        self.at = 0

    def follow(self, chained: Iterable[Entry], watch: Watch | None) -> Iterator[Entry]:
        for entry in chained:
            self.version, self.hash, self.at = entry.version, entry.hash, entry.at
            if watch is not None:
                watch(entry)
            yield entry


def _verified(game_id: UUID, head: _Head, begun: Opened, referee: Referee) -> Verified:
    ended = referee.ended
    return Verified(
        game_id=game_id,
        version=head.version,
        head_hash=head.hash,
        commitment=begun.committed.commitment,
        state=referee.state,
        entropy=begun.committed.entropy,
        first=begun.started.first,
        first_drawn=drawn_first(begun),
        commands=referee.commands,
        ranking=ended.ranking if ended else (),
        reason=ended.reason if ended else None,
        aborted=referee.aborted,
        started_at=begun.at,
        ended_at=head.at if ended else 0,
        clock=referee.times.known,
        outside=tuple(referee.outside),
    )
