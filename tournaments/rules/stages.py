"""The stages of a tournament: the steps of a ladder, with who stands on which, or the rounds of a knockout."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum

from games.rules import events as g
from tournaments.rules.knockout import outline
from tournaments.rules.results import ranked
from tournaments.rules.state import EntryNo, Place, Round, State, Table, TableNo


class StageKind(Enum):
    """``hand``: a hand of a ladder, with as many cards as its number. ``round``: a round of a knockout."""

    HAND = "hand"
    ROUND = "round"


class StageStatus(Enum):
    """``upcoming``: nobody has entered it. ``finished``: nobody will leave it any more."""

    UPCOMING = "upcoming"
    RUNNING = "running"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class StageEntry:
    """Somebody in a stage. ``entered`` and ``left`` in ms since 1970 UTC; ``left`` is None while it stands there.

    ``cards`` are those left in hand (0: the stage was cleared; None: not known). In a ladder ``seat`` says who it is;
    in a knockout ``entry``, with ``table``, ``seat`` and ``place`` there (all None on a bye), and ``goes_on``.
    """

    seat: int | None
    entered: int
    left: int | None
    cards: int | None
    entry: EntryNo | None = None
    table: TableNo | None = None
    place: int | None = None
    goes_on: bool | None = None


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage; its entries in the order in which they entered it."""

    number: int
    kind: StageKind
    status: StageStatus
    entries: tuple[StageEntry, ...]


# ---- a ladder


@dataclass(frozen=True, slots=True)
class Ladder:
    """A ladder's game as far as its stages go, folded from its events; ``stands[seat]`` is the stage of each seat.

    ``climbs[stage]`` are the entries of that stage; ``over``: the game has ended.
    """

    stages: int = 0
    stands: tuple[int, ...] = ()
    gone: frozenset[int] = frozenset()
    climbs: tuple[tuple[StageEntry, ...], ...] = field(default=())
    over: bool = False


def ladder_stages(log: Iterable[tuple[int, g.Event]]) -> tuple[Stage, ...]:
    """The stages, from the first (8) down to 1, of a game in ladder mode; empty for any other.

    ``log``: each event of the game with the instant (ms) at which it was recorded. A redacted log gives the same, as
    it tells how many cards everybody has. Who is in a stage when the game ends has not left it, the winner excepted.
    """
    ladder = Ladder()
    for at, event in log:
        ladder = climb(ladder, event, at)
    return tuple(_stage(ladder, number) for number in range(ladder.stages, 0, -1))


def climb(ladder: Ladder, event: g.Event, at: int) -> Ladder:
    """The ladder after one more event of its game; it accepts every event."""
    match event:
        case g.GameStarted(rules=rules) if rules.ladder:
            return Ladder(rules.hand_size, climbs=((),) * (rules.hand_size + 1))
        case g.CardsDealt() if ladder.stages:
            return _dealt(ladder, event, at)
        case g.CardPlayed(seat=seat) if ladder.stages:
            return _with_cards(ladder, seat, -1)
        case g.CardsDrawn(seat=seat, cards=cards) if ladder.stages:
            return _with_cards(ladder, seat, len(cards))
        case g.StageCleared(seat=seat, stage=stage) if ladder.stages:
            return _cleared(ladder, seat, stage, at)
        case g.SeatLeft(seat=seat) if ladder.stages:
            return replace(_left(ladder, seat, at), gone=ladder.gone | {seat})
        case g.GameEnded(winner=winner) if ladder.stages:
            return replace(ladder if winner is None else _left(ladder, winner, at), over=True)
        case g.GameAborted():
            return replace(ladder, over=True)
        case _:
            return ladder


def _dealt(ladder: Ladder, event: g.CardsDealt, at: int) -> Ladder:
    entries = tuple(StageEntry(seat, at, None, len(hand)) for seat, hand in enumerate(event.hands))
    return replace(ladder, stands=(ladder.stages,) * len(entries), climbs=(*ladder.climbs[:-1], entries))


def _with_cards(ladder: Ladder, seat: int, more: int) -> Ladder:
    here = _standing_of(ladder, seat)
    return _put(ladder, seat, replace(here, cards=(here.cards or 0) + more))


def _cleared(ladder: Ladder, seat: int, stage: int, at: int) -> Ladder:
    """The seat leaves its stage without cards and enters the next; what it then draws is another event (G2)."""
    ladder = _left(ladder, seat, at)
    stands = (*ladder.stands[:seat], stage, *ladder.stands[seat + 1 :])
    entered = (*ladder.climbs[stage], StageEntry(seat, at, None, 0))
    return replace(ladder, stands=stands, climbs=(*ladder.climbs[:stage], entered, *ladder.climbs[stage + 1 :]))


def _left(ladder: Ladder, seat: int, at: int) -> Ladder:
    return _put(ladder, seat, replace(_standing_of(ladder, seat), left=at))


def _standing_of(ladder: Ladder, seat: int) -> StageEntry:
    return next(entry for entry in ladder.climbs[ladder.stands[seat]] if entry.seat == seat)


def _put(ladder: Ladder, seat: int, changed: StageEntry) -> Ladder:
    stage = ladder.stands[seat]
    entries = tuple(changed if entry.seat == seat else entry for entry in ladder.climbs[stage])
    return replace(ladder, climbs=(*ladder.climbs[:stage], entries, *ladder.climbs[stage + 1 :]))


def _stage(ladder: Ladder, number: int) -> Stage:
    """A stage is finished once nobody who still plays stands on it or above."""
    entries = ladder.climbs[number]
    to_come = any(stage >= number for seat, stage in enumerate(ladder.stands) if seat not in ladder.gone)
    if ladder.over or (ladder.stands and not to_come):
        status = StageStatus.FINISHED
    else:
        status = StageStatus.RUNNING if entries else StageStatus.UPCOMING
    return Stage(number, StageKind.HAND, status, entries)


# ---- a knockout


def knockout_stages(state: State) -> tuple[Stage, ...]:
    """The rounds from the first to the final: those seated, and those to come if nobody drops out (without entries)."""
    seated = [_round(state, of) for of in state.rounds]
    if state.over:
        return tuple(seated)
    return (*seated, *(_to_come(number) for number in _numbers_to_come(state)))


def _numbers_to_come(state: State) -> range:
    terms, latest = state.terms, state.latest
    if latest is None:
        left, played = state.taken, 0
    elif latest.going_on is None:
        left, played = len(latest.byes) + sum(len(table.seats) for table in state.tables_of(latest)), -1
    else:
        left, played = len(latest.going_on), 0
    rounds = len(outline(left, terms.table_size, terms.go_on)) + played
    return range(len(state.rounds) + 1, len(state.rounds) + 1 + rounds)


def _to_come(number: int) -> Stage:
    return Stage(number, StageKind.ROUND, StageStatus.UPCOMING, ())


def _round(state: State, of: Round) -> Stage:
    on = None if of.going_on is None else frozenset(of.going_on)
    entries = [_resting(of, entry, on) for entry in of.byes]
    for table in state.tables_of(of):
        places = {place.entry: place for place in (ranked(table) if table.result else ())}
        entries += [_seated(of, table, seat, places, on) for seat in range(len(table.seats))]
    status = StageStatus.RUNNING if of.going_on is None and not state.over else StageStatus.FINISHED
    return Stage(of.number, StageKind.ROUND, status, tuple(entries))


def _resting(of: Round, entry: EntryNo, on: frozenset[EntryNo] | None) -> StageEntry:
    goes_on = None if on is None else entry in on
    return StageEntry(None, of.seated_at, of.finished_at, None, entry, goes_on=goes_on)


def _seated(
    of: Round, table: Table, seat: int, places: dict[EntryNo, Place], on: frozenset[EntryNo] | None
) -> StageEntry:
    entry = table.seats[seat]
    place = places.get(entry)
    walked = next((leaver.at for leaver in table.out if leaver.entry == entry), None)
    return StageEntry(
        seat,
        of.seated_at,
        walked if walked is not None or table.unsettled else table.since,
        None if place is None else place.cards,
        entry,
        table.number,
        None if place is None else place.rank,
        None if on is None else entry in on,
    )
