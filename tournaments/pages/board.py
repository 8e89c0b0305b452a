"""A tournament as its pages show it: lines with names and words, from the state and what is read beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.utils.translation import gettext as _

from tournaments.pages import words
from tournaments.pages.picture import MOST_SHOWN, Climber, Step, Tone
from tournaments.rules import (
    EntryNo,
    EntryStatus,
    Phase,
    Place,
    Result,
    Round,
    RoundNo,
    Standing,
    State,
    Table,
    TableNo,
    TableStatus,
    outline,
    still_in,
)
from tournaments.rules.results import ranked
from tournaments.store import moment

Names = Mapping[int, str]
Results = Mapping[TableNo, Result]
"""How tables stand that are being played."""
Games = Mapping[int, UUID | None]
"""The present game of each table."""
HAND: Final = 8  # the first stage of a ladder, if the house rules say nothing else


@dataclass(frozen=True, slots=True)
class SeatLine:
    """One seat of a table. ``rank``, ``stage``, ``cards`` as far as known; ``out``: it has left the table."""

    entry: int
    name: str
    rank: int | None
    stage: int | None
    cards: int | None
    out: bool
    goes_on: bool


@dataclass(frozen=True, slots=True)
class TableLine:
    """One table of a round."""

    number: int
    round: int
    status: words.Words
    running: bool
    finished: bool
    attempt: int
    corrections: int
    since: datetime
    game_id: UUID | None
    seats: tuple[SeatLine, ...]


@dataclass(frozen=True, slots=True)
class RoundLine:
    """A round to choose from."""

    number: int
    final: bool
    finished: bool
    tables: int
    byes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StandingLine:
    """One line of the standings."""

    rank: int
    entry: int
    name: str
    note: str
    round: int
    place: int | None
    stage: int | None
    cards: int | None
    champion: bool
    still_in: bool


def table_lines(
    state: State, of: Round, tables: Iterable[Table], names: Names, live: Results, games: Games
) -> tuple[TableLine, ...]:
    """These tables of a round."""
    on = frozenset(of.going_on or ())
    return tuple(_table(table, names, live.get(table.number, ()), games.get(table.number), on) for table in tables)


def round_lines(state: State, names: Names) -> tuple[RoundLine, ...]:
    """The rounds that were seated."""
    return tuple(round_line(of, names) for of in state.rounds)


def round_line(of: Round, names: Names) -> RoundLine:
    """One of them."""
    return RoundLine(of.number, of.final, of.going_on is not None, of.tables, tuple(_name(names, b) for b in of.byes))


def standing_lines(standings: Iterable[Standing], names: Names) -> tuple[StandingLine, ...]:
    """The standings with names."""
    return tuple(
        StandingLine(
            line.rank,
            line.entry,
            _name(names, line.entry),
            _standing_note(line),
            line.round,
            line.place,
            line.stage,
            line.cards,
            line.champion,
            line.still_in,
        )
        for line in standings
    )


def steps(state: State, names: Names, live: Results) -> tuple[Step, ...]:
    """The steps of the picture, the lowest first: a ladder's stages, or a knockout's rounds."""
    if not state.rounds:
        return ()
    if _is_one_ladder(state):
        return _ladder_steps(state, names, live)
    return _knockout_steps(state, names)


def _is_one_ladder(state: State) -> bool:
    return state.terms.format.value == "ladder"


def _table(table: Table, names: Names, live: Result, game_id: UUID | None, on: frozenset[EntryNo]) -> TableLine:
    places = {place.entry: place for place in (ranked(table) if table.result else live)}
    seats = []
    for entry in table.seats:
        place = places.get(entry)
        seats.append(
            SeatLine(
                entry,
                _name(names, entry),
                place.rank if place and table.result else None,
                place.stage if place else None,
                place.cards if place else None,
                table.has_left(entry),
                entry in on,
            )
        )
    return TableLine(
        table.number,
        table.round,
        words.TABLES[table.status],
        table.status in (TableStatus.PLAYING, TableStatus.ENDING),
        table.status is TableStatus.FINISHED,
        table.attempt,
        table.corrections,
        moment(table.since),
        game_id,
        tuple(sorted(seats, key=lambda line: (line.rank is None, line.rank or 0))),
    )


def _ladder_steps(state: State, names: Names, live: Results) -> tuple[Step, ...]:
    """Stage 8 is the lowest step; above stage 1 stands who has won."""
    table = state.tables[state.rounds[-1].first_table - 1]
    result = ranked(table) if table.result else live.get(table.number, ())
    champion = still_in(state)[0] if state.phase is Phase.FINISHED and still_in(state) else None
    highest = max([HAND, *(place.stage or 0 for place in result)])
    standing: dict[int, list[Climber]] = {number: [] for number in range(highest + 1)}
    for place in result or tuple(Place(1, entry, highest) for entry in table.seats):
        out = table.has_left(place.entry) or state.entry(place.entry).status is not EntryStatus.PLAYING
        won = place.entry == champion
        tone = Tone.WINNER if won else Tone.OUT if out else Tone.HERE
        step = 0 if won else min(max(place.stage or 0, 1), highest)
        standing[step].append(Climber(_name(names, place.entry), tone, _cards(place.cards, won=won)))
    lowest_first = [
        Step(_("stage %d") % number, tuple(standing[number]), bool(standing[number]) and table.unsettled)
        for number in range(highest, 0, -1)
    ]
    return (*lowest_first, Step(_("winner"), tuple(standing[0])))


def _cards(count: int | None, *, won: bool) -> str:
    return "" if won or count is None else str(count)


def _knockout_steps(state: State, names: Names) -> tuple[Step, ...]:
    """A step a round: those who went no further stand on the last one they reached."""
    left = frozenset(still_in(state))
    over = state.phase is Phase.FINISHED
    made = []
    for of, here in zip(state.rounds, _by_round(state), strict=True):
        running = of.number == len(state.rounds) and of.going_on is None and not state.over
        climbers = tuple(
            Climber(_name(names, entry), Tone.HERE if entry in left else Tone.OUT)
            for entry in here
            if not (over and entry in left)
        )
        made.append(Step(_round_name(of), climbers, running))
    made += [Step(_("round %d") % number, ()) for number in _rounds_to_come(state)]
    champion = tuple(Climber(_name(names, entry), Tone.WINNER) for entry in left) if over else ()
    return (*made, Step(_("champion"), champion))


def _by_round(state: State) -> list[list[EntryNo]]:
    """For each round those who reached it and none after it; who is still in comes first."""
    left, reached = frozenset(still_in(state)), _reached(state)
    rounds: list[list[EntryNo]] = [[] for _round in state.rounds]
    for entry, number in sorted(reached.items(), key=lambda item: (item[0] not in left, item[0])):
        rounds[number - 1].append(entry)
    return rounds


def _round_name(of: Round) -> str:
    return _("final") if of.final else _("round %d") % of.number


def _reached(state: State) -> dict[EntryNo, RoundNo]:
    reached: dict[EntryNo, RoundNo] = {}
    for of in state.rounds:
        for entry in of.byes:
            reached[entry] = of.number
        for table in state.tables_of(of):
            for entry in table.seats:
                reached[entry] = of.number
    return reached


def _rounds_to_come(state: State) -> range:
    latest = state.rounds[-1]
    if state.over or latest.final:
        return range(0)
    here = len(latest.byes) + sum(len(table.seats) for table in state.tables_of(latest))
    planned = len(outline(here, state.terms.table_size, state.terms.go_on)) - 1
    return range(latest.number + 1, latest.number + 1 + planned)


def _standing_note(line: Standing) -> str:
    if line.champion:
        return _("champion")
    if line.group.value == "played":
        return _("by a draw") if line.drawn else ""
    return str(words.STATUSES[EntryStatus(line.group.value)])


def _name(names: Names, entry: int) -> str:
    return names.get(entry) or _("entry %d") % entry


def numbers_needed(state: State, tables: Iterable[Table], of: Round | None, standings: Iterable[Standing]) -> set[int]:
    """The entries that such a page names."""
    needed: set[int] = {line.entry for line in standings}
    needed.update(entry for table in tables for entry in table.seats)
    if of is not None:
        needed.update(of.byes)
    for here in _by_round(state):
        needed.update(here[: MOST_SHOWN + 1])
    return needed | set(still_in(state)[:1])
