"""What the desk's forms send, as numbers and results. Whether an act is allowed is for the rules to say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from uuid import UUID, uuid5

from tournaments.rules import EntryNo, Place, Result, State, Table, TableNo
from tournaments.rules.results import ranked

_MOST_DIGITS: Final = 6
Form = Mapping[str, str]


class Unreadable(ValueError):
    """The form does not say what it should; the text is one sentence."""


def number(text: str | None) -> int:
    """A whole number from 0. Unreadable."""
    if text is None or not re.fullmatch(rf"[0-9]{{1,{_MOST_DIGITS}}}", text.strip()):
        raise Unreadable("A number is missing, or is none.")
    return int(text)


def numbers(text: str) -> tuple[int, ...]:
    """Entry numbers, separated by commas or spaces. Unreadable."""
    return tuple(number(word) for word in re.split(r"[\s,;]+", text.strip()) if word)


def press_of(form: Form, part: object = "") -> UUID:
    """The id of this press of a button: the same for a double click, another for each part. Unreadable."""
    try:
        return uuid5(UUID(form.get("press", "")), str(part))
    except ValueError:
        raise Unreadable("This form is incomplete: load the page again.") from None


def table_of(state: State, table: int) -> Table:
    """The table of this number. Unreadable."""
    if not 1 <= table <= len(state.tables):
        raise Unreadable("There is no such table.")
    return state.table(TableNo(table))


def noted(table: Table) -> dict[EntryNo, Place]:
    """The places as they count now; empty while there is no result."""
    return {place.entry: place for place in (ranked(table) if table.result else ())}


def result_of(table: Table, form: Form) -> Result:
    """The ranks that were typed as `rank-<entry>`, with the stages and cards as they were noted. Unreadable."""
    before = noted(table)
    places = []
    for entry in table.seats:
        rank, old = number(form.get(f"rank-{entry}")), before.get(entry)
        places.append(Place(rank, entry, old.stage if old else None, old.cards if old else None))
    return tuple(sorted(places, key=lambda place: (place.rank, place.entry)))
