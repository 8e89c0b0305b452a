"""Built-in templates: what a tournament is usually like. Choosing one fills in the form; every word can be changed."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

from tournaments.rules import Format, NoShows, Seeding, TableKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """A template by its key; the fields are those of `creating.NewTournament`, ``title`` and ``about`` apart."""

    key: str
    title: str
    about: str
    format: str
    table_kind: str
    table_size: int
    go_on: int
    capacity: int
    game_minutes: int | None
    turn_seconds: int = 60
    seeding: str = Seeding.RANDOM.value
    no_shows: str = NoShows.LEAVE_OUT.value
    check_in: bool = False
    waiting_list: bool = True

    @property
    def initial(self) -> dict[str, Any]:
        """What the form begins with."""
        return {name: value for name, value in asdict(self).items() if name not in ("key", "title", "about")}


def _ladder(seats: int, minutes: int, about: str) -> Pattern:
    return Pattern(
        key=f"ladder-{seats}",
        title=f"Ladder for {seats}",
        about=about,
        format=Format.LADDER.value,
        table_kind=TableKind.LADDER.value,
        table_size=seats,
        go_on=1,
        capacity=seats,
        game_minutes=minutes,
    )


def _knockout(places: int, *, size: int = 4, go_on: int = 2, kind: TableKind = TableKind.SINGLE) -> Pattern:
    games = "a single game each" if kind is TableKind.SINGLE else "a ladder each"
    return Pattern(
        key=f"knockout-{places}" + ("" if kind is TableKind.SINGLE else "-ladders"),
        title=f"Knockout for {places}" + ("" if kind is TableKind.SINGLE else ", ladders"),
        about=f"Tables of {size}, {games}; the best {go_on} of a table go on. With check-in.",
        format=Format.KNOCKOUT.value,
        table_kind=kind.value,
        table_size=size,
        go_on=go_on,
        capacity=places,
        game_minutes=30 if kind is TableKind.SINGLE else 90,
        check_in=True,
    )


PATTERNS: Final = (
    _ladder(4, 120, "The box's tournament: four players, eight stages, one long game of at most two hours."),
    _ladder(10, 180, "A full table: ten players, eight stages; after three hours it is ranked as it stands."),
    _knockout(16),
    _knockout(16, kind=TableKind.LADDER),
    _knockout(32),
    _knockout(64),
    _knockout(128),
    _knockout(1000),
)
BY_KEY: Final = {pattern.key: pattern for pattern in PATTERNS}
