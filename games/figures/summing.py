"""What many games say together: tables of means, and of rates with their counts and Wilson intervals. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, median, quantiles
from typing import Final

from games.figures.counting import Counted
from games.rules.cards import CARDS

Z: Final = 1.959964
"""For intervals of 95 %."""


@dataclass(frozen=True, slots=True)
class Rate:
    """``hits`` of ``of``, with the ends of the Wilson interval (95 %); all of a rate of nothing is unknown."""

    hits: int
    of: int

    @property
    def value(self) -> float | None:
        """From 0 to 1."""
        return self.hits / self.of if self.of else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Where the true rate lies, in 95 of 100 such samples."""
        return wilson(self.hits, self.of) if self.of else None


Cell = int | float | Rate | None


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table."""

    label: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """One table; ``key`` names it in exports."""

    key: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


def wilson(hits: int, of: int) -> tuple[float, float]:
    """The Wilson score interval of a rate. ``of`` is at least 1."""
    share, square = hits / of, Z * Z
    middle = share + square / (2 * of)
    half = Z * sqrt(share * (1 - share) / of + square / (4 * of * of))
    below = 1 + square / of
    return max(0.0, (middle - half) / below), min(1.0, (middle + half) / below)


def summary(games: Iterable[Counted]) -> tuple[Section, ...]:
    """Every table about these games; without games, none."""
    found = list(games)
    if not found:
        return ()
    return (
        _groups("tables", "Modes and seats", found, lambda one: [f"{one.mode}, {one.seats} seats"]),
        _wins(found),
        _first(found),
        _length(found),
        _drawn(found),
        _cards(found),
        _windows(found),
        _last_cards(found),
        _ends(found),
        _groups("house_rules", "House rules", found, _rules_of),
    )


def turns_histogram(games: Iterable[Counted], bins: int = 20) -> tuple[tuple[int, int, int], ...]:
    """(from, below, games) in bins of equal width over the turns of these games."""
    turns = [one.turns for one in games]
    if not turns:
        return ()
    least, width = min(turns), max(1, -(-(max(turns) - min(turns) + 1) // bins))
    counted = Counter((turn - least) // width for turn in turns)
    return tuple(
        (least + place * width, least + (place + 1) * width, counted[place]) for place in range(max(counted) + 1)
    )


def _groups(key: str, title: str, games: list[Counted], groups_of: Callable[[Counted], list[str]]) -> Section:
    groups: dict[str, list[Counted]] = defaultdict(list)
    for one in games:
        for group in groups_of(one):
            groups[group].append(one)
    columns = ("games", "first player wins", "turns", "events", "minutes", "cards drawn", "reshuffles")
    rows = tuple(Row(name, _group(groups[name])) for name in sorted(groups))
    return Section(key, title, columns, rows)


def _group(games: list[Counted]) -> tuple[Cell, ...]:
    won = [one for one in games if one.winner is not None]
    return (
        len(games),
        Rate(sum(one.winner == one.first for one in won), len(won)),
        fmean(one.turns for one in games),
        fmean(one.events for one in games),
        fmean(one.duration_ms / 60_000 for one in games),
        fmean(sum(one.drawn) for one in games),
        fmean(one.reshuffles for one in games),
    )


def _rules_of(one: Counted) -> list[str]:
    chosen = [f"{name}={str(value).lower()}" for name, value in one.house_rules.items()]
    return chosen or ["(all at their defaults)"]


def _wins(games: list[Counted]) -> Section:
    rows = []
    for seats in sorted({one.seats for one in games}):
        won = [one for one in games if one.seats == seats and one.winner is not None]
        for seat in range(seats):
            wins = Rate(sum(one.winner == seat for one in won), len(won))
            rows.append(Row(f"{seats} seats: seat {seat}", (wins, 1 / seats)))
    return Section("wins", "Wins by seat", ("wins", "if by chance"), tuple(rows))


def _first(games: list[Counted]) -> Section:
    rows = []
    for seats in sorted({one.seats for one in games}):
        won = [one for one in games if one.seats == seats and one.winner is not None]
        rows.append(Row(f"{seats} seats", (Rate(sum(one.winner == one.first for one in won), len(won)), 1 / seats)))
    return Section("first_player", "Wins of who began", ("wins", "if by chance"), tuple(rows))


def _length(games: list[Counted]) -> Section:
    measures: tuple[tuple[str, Callable[[Counted], float]], ...] = (
        ("turns", lambda one: one.turns),
        ("events", lambda one: one.events),
        ("minutes", lambda one: one.duration_ms / 60_000),
    )
    rows = tuple(Row(name, _spread([measure(one) for one in games])) for name, measure in measures)
    return Section("length", "Length", ("mean", "median", "90 % below", "least", "most"), rows)


def _spread(values: list[float]) -> tuple[Cell, ...]:
    ninth = quantiles(values, n=10, method="inclusive")[-1] if len(values) > 1 else values[0]
    return fmean(values), median(values), ninth, min(values), max(values)


def _drawn(games: list[Counted]) -> Section:
    total = _added(one.drawn_for for one in games)
    everything, turns = sum(total.values()), sum(one.turns for one in games)
    rows = [Row("all", (everything, everything / len(games), everything / turns, None))]
    for reason, cards in sorted(total.items()):
        rows.append(Row(reason, (cards, cards / len(games), cards / turns, Rate(cards, everything))))
    return Section("drawn", "Cards drawn", ("cards", "a game", "a turn", "share"), tuple(rows))


def _cards(games: list[Counted]) -> Section:
    """By sign, the colours together: laid, left in a hand at the end, and the share that was laid of both."""
    faces = {card.code: card.face.value for card in CARDS if card.face}
    played, held = (
        _by_face(_added(each), faces) for each in ([one.played for one in games], [one.held for one in games])
    )
    rows = tuple(
        Row(face, (played[face], held[face], played[face] / len(games), Rate(played[face], played[face] + held[face])))
        for face in dict.fromkeys(faces.values())
    )
    return Section("cards", "Use of each card", ("laid", "left in hand", "laid a game", "share laid"), rows)


def _windows(games: list[Counted]) -> Section:
    outcomes, answers = _added(one.windows for one in games), _added(one.answers for one in games)
    every = sum(outcomes.values())
    rows = [Row("all", (every, every / len(games), None))]
    rows += [Row(name, (found, found / len(games), Rate(found, every))) for name, found in sorted(outcomes.items())]
    accepted = answers["accepted"]
    rows.append(Row("asked seats that accepted", (accepted, accepted / len(games), Rate(accepted, answers["asked"]))))
    return Section("windows", "+3 windows", ("windows", "a game", "share"), tuple(rows))


def _last_cards(games: list[Counted]) -> Section:
    declared, missed = sum(one.declared for one in games), sum(one.missed for one in games)
    rows = (
        Row("said in time", (Rate(declared, declared + missed),)),
        Row("missed", (Rate(missed, declared + missed),)),
    )
    return Section("last_card", "“Last card”", ("share",), rows)


def _ends(games: list[Counted]) -> Section:
    ends = Counter(one.reason for one in games)
    rows = tuple(Row(reason, (Rate(found, len(games)),)) for reason, found in sorted(ends.items()))
    return Section("ends", "How games ended", ("share",), rows)


def _added(counts: Iterable[Mapping[str, int]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for each in counts:
        total.update(each)
    return total


def _by_face(codes: Mapping[str, int], faces: Mapping[str, str]) -> Counter[str]:
    total: Counter[str] = Counter()
    for code, found in codes.items():
        total[faces[code]] += found
    return total
