"""What many games say together: rates with their counts and intervals, means, and their tables as text and files."""

import csv
import io
from itertools import pairwise

import pytest

from games.figures.counting import Counted
from games.figures.plot import bars, columns
from games.figures.summing import Rate, Row, Section, summary, turns_histogram, wilson
from games.figures.writing import as_csv, as_json, as_text, shown


def game(**changed: object) -> Counted:
    """A game of three, won by who began."""
    plain: dict[str, object] = {
        "mode": "single", "seats": 3, "people": 1, "first": 0, "winner": 0, "reason": "won", "events": 100, "turns": 20,
        "duration_ms": 60_000, "drawn": [4, 5, 6], "laid": [8, 3, 2], "clears": [0, 0, 0], "declared": 1, "missed": 1,
        "played": {"R7": 2, "G7": 1, "K": 1}, "held": {"B7": 1, "+3": 2}, "windows": {"breaker": 1},
        "answers": {"asked": 2, "accepted": 1}, "drawn_for": {"turn": 12, "breaker": 3},
    }  # fmt: skip
    return Counted(**{**plain, **changed})  # type: ignore[arg-type]


GAMES = [
    game(),
    game(winner=2, turns=40, house_rules={"hand_size": 5}),
    game(winner=None, reason="stopped"),
    game(seats=2, mode="ladder", first=1, winner=1, drawn=[1, 1], laid=[2, 2], clears=[1, 0]),
]


def section(key: str, games: list[Counted] = GAMES) -> dict[str, tuple[object, ...]]:
    (found,) = [one for one in summary(games) if one.key == key]
    return {row.label: row.cells for row in found.rows}


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (5, 10, 0.2366, 0.7634),
        (10, 10, 0.7225, 1.0),
        (1, 4, 0.0456, 0.6994),
        (81, 263, 0.2553, 0.3662),
    ],
)
def test_the_wilson_interval_is_the_textbooks(hits: int, of: int, low: float, high: float) -> None:
    """Wilson 1927, as in Newcombe 1998 and the usual tables, without a correction for continuity."""
    assert wilson(hits, of) == pytest.approx((low, high), abs=1e-4)


def test_wins_are_counted_over_games_that_were_won() -> None:
    """By seat and by who began, for each size of table."""
    wins = section("wins")
    assert wins["3 seats: seat 0"] == (Rate(1, 2), 1 / 3)
    assert wins["3 seats: seat 1"] == (Rate(0, 2), 1 / 3)
    assert wins["3 seats: seat 2"] == (Rate(1, 2), 1 / 3)
    assert wins["2 seats: seat 1"] == (Rate(1, 1), 1 / 2)
    assert section("first_player") == {"2 seats": (Rate(1, 1), 0.5), "3 seats": (Rate(1, 2), 1 / 3)}


def test_lengths_cards_windows_and_last_cards() -> None:
    """Means over games, shares over what they are of."""
    assert section("length")["turns"] == (25, 20, 34, 20, 40)
    assert section("cards")["7"] == (12, 4, 3, Rate(12, 16))
    assert section("cards")["K"] == (4, 0, 1, Rate(4, 4))
    assert section("cards")["+3"] == (0, 8, 0, Rate(0, 8))
    assert section("cards")["5"][3] == Rate(0, 0)
    assert section("drawn")["breaker"] == (12, 3, 0.12, Rate(12, 60))
    assert section("windows")["breaker"] == (4, 1, Rate(4, 4))
    assert section("windows")["asked seats that accepted"][2] == Rate(4, 8)
    assert section("last_card") == {"said in time": (Rate(4, 8),), "missed": (Rate(4, 8),)}
    assert section("ends") == {"stopped": (Rate(1, 4),), "won": (Rate(3, 4),)}


def test_groups_by_mode_seats_and_house_rule() -> None:
    """Each game in its groups, with how many there are."""
    tables = section("tables")
    assert set(tables) == {"single, 3 seats", "ladder, 2 seats"}
    assert tables["single, 3 seats"][:3] == (3, Rate(1, 2), pytest.approx(80 / 3))
    rules = section("house_rules")
    assert rules["hand_size=5"][:3] == (1, Rate(0, 1), 40)
    assert rules["(all at their defaults)"][0] == 3


def test_no_games_have_no_tables() -> None:
    """And one game has them all."""
    assert summary([]) == ()
    assert len(summary([game()])) == 10
    assert turns_histogram([]) == ()


def test_every_cell_comes_out_once_in_each_file() -> None:
    """CSV and JSON say the same, a rate with what it is of and its interval."""
    sections = summary(GAMES)
    lines = list(csv.DictReader(io.StringIO(as_csv(sections))))
    objects = as_json(sections)
    assert len(lines) == len(objects) > 100
    for line, one in zip(lines, objects, strict=True):
        assert line == {key: "" if value is None else str(value) for key, value in one.items()}
    (won,) = [one for one in objects if one["row"] == "3 seats: seat 0" and one["column"] == "wins"]
    assert (won["value"], won["of"]) == (0.5, 2)
    assert won["low"] < 0.5 < won["high"]
    text = as_text(sections)
    assert all(one.title in text for one in sections)
    assert "50.0% of 2" in text


def test_cells_are_shown_with_their_counts() -> None:
    """Numbers with separators; a rate of nothing as such."""
    assert shown(1204) == "1,204"
    assert shown(12.345) == "12.3"
    assert shown(None) == ""
    assert shown(Rate(0, 0)) == "– of 0"
    assert shown(Rate(5, 10)) == "50.0% of 10 (23.7%–76.3%)"


def test_a_histogram_holds_every_game_once() -> None:
    """In bins without gaps."""
    games = [game(turns=turns) for turns in (3, 3, 4, 50, 99, 100, 1000)]
    bins = turns_histogram(games)
    assert sum(found for _, _, found in bins) == 7
    assert all(left[1] == right[0] for left, right in pairwise(bins))
    for drawn in columns(bins).columns:
        assert drawn.x >= 0
        assert drawn.x + drawn.width <= 640
        assert 0 <= drawn.y <= drawn.y + drawn.height <= 160.1


def test_bars_and_whiskers_stay_in_the_picture() -> None:
    """Whatever the rates; a rate of nothing is not drawn."""
    rows = tuple(Row(str(hits), (Rate(hits, of), 0.25)) for hits, of in ((0, 0), (0, 5), (5, 5), (1, 1000)))
    drawn = bars(Section("x", "x", ("wins", "chance"), rows).rows, 0, chance=1)
    assert [bar.label for bar in drawn.bars] == ["0", "5", "1"]
    for bar in drawn.bars:
        assert bar.x <= bar.low <= bar.high <= 640 - 60
        assert bar.x - 0.1 <= bar.low <= bar.x + bar.width + 0.1
        assert bar.chance > bar.x
