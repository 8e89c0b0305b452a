"""A sentence for every event, in every language, with cards that are read out."""

import re
from dataclasses import fields
from typing import Any, get_type_hints

import pytest
from django.conf import settings
from django.utils import translation
from django.utils.html import strip_tags

from games.pages.facts import Sitter, names_at, spells
from games.pages.marks import mark
from games.pages.moves import clock_text, lines
from games.pages.words import QUIET, sentence
from games.rules import codec, events
from games.rules.cards import CARDS, HIDDEN, Card, Color, Lead, Seat
from games.rules.ruleset import Ruleset
from games.rules.state import CLOCKWISE, Again
from games.rules.views import redact
from tests.pages.logs import random_log

LANGUAGES = [code for code, _ in settings.LANGUAGES]
NAMES = ("N0", "N1", "N2", "N3")
SAMPLES: dict[Any, Any] = {
    int: 3, str: "ab", bool: True, Seat: Seat(1), Card: Card.parse("R7"), Lead: Lead.parse("R7"), Color: Color.BLUE,
    Ruleset: Ruleset(), Again: Again.PLUS, events.DrawReason: events.DrawReason.STACK,
    events.WindowOutcome: events.WindowOutcome.KING, events.EndReason: events.EndReason.WON,
}  # fmt: skip


def sample(kind: type[events.Event]) -> events.Event:
    """An event of this type with something in each place."""
    hints = get_type_hints(kind)
    return kind(**{field.name: _value(field.name, str(hints[field.name]), hints[field.name]) for field in fields(kind)})


def _value(name: str, hint: str, exact: Any) -> Any:
    if name in ("hands", "ranking", "entropy", "asked"):
        return {"hands": ((Card.parse("R7"),) * 8,) * 4, "asked": (Seat(1),)}.get(name, ())
    if "tuple" in hint:
        return (Card.parse("G+2"), Card.parse("K"))
    if name == "direction":
        return CLOCKWISE
    found = [value for kind, value in SAMPLES.items() if exact == kind or (kind is not int and kind.__name__ in hint)]
    return found[-1] if found else 3


@pytest.mark.parametrize("name", codec.EVENT_TYPES)
def test_every_event_has_its_sentence_in_every_language(name: str) -> None:
    """Words of that language; names and marks aside, no English is left in the Hebrew."""
    event = sample(codec.EVENT_TYPES[name])
    told = {}
    for language in LANGUAGES:
        with translation.override(language):
            told[language] = sentence(event, NAMES)
        assert "%(" not in told[language]
        assert strip_tags(told[language]).strip().endswith((".", "”."))
    assert len(set(told.values())) == len(LANGUAGES)
    assert not re.search("[A-Za-z]", re.sub(r"<i [^>]*>[^<]*</i>|N\d", "", told["he"]).replace("bdi", ""))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_and_outcome_has_its_words(language: str) -> None:
    """Each draw, end, and settled window reads differently from the others."""
    with translation.override(language):
        draws = [sentence(events.CardsDrawn(Seat(0), (HIDDEN,), reason), NAMES) for reason in events.DrawReason]
        ends = [sentence(events.GameEnded(None, reason, ()), NAMES) for reason in events.EndReason]
        closed = [sentence(events.WindowClosed(Seat(0), outcome), NAMES) for outcome in events.WindowOutcome]
    for told in (draws, ends, closed):
        assert len(set(told)) == len(told)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_is_read_out_by_its_name(language: str) -> None:
    """57 kinds and the hidden one: each mark has another name for the ear, and a sign for the eye."""
    with translation.override(language):
        marks = [mark(card) for card in (*CARDS, HIDDEN)]
    names = [re.search(r'aria-label="([^"]+)"', one).group(1) for one in marks]  # type: ignore[union-attr]
    assert len(set(names)) == 58
    assert all('role="img"' in one and re.search(r">[^<]+</i>", one) for one in marks)
    assert (language == "en") == bool(re.search("[a-z]", "".join(names)))


def test_a_hidden_card_is_never_named() -> None:
    """A redacted draw tells how many, and whose."""
    drawn = events.CardsDrawn(Seat(1), (Card.parse("R7"), Card.parse("K")), events.DrawReason.STACK, locked=True)
    told = strip_tags(sentence(redact(drawn, Seat(0)), NAMES))
    assert told == "N1 draws 2 cards (the +2 stack)."
    assert "somebody" in sentence(redact(events.WindowAccepted(Seat(1)), Seat(0)), NAMES)


def test_there_is_a_line_for_each_event_in_order() -> None:
    """Numbered, with the time since the beginning, quiet where it is about clock and proof."""
    log = random_log(3)
    made = tuple(lines(log, "all", (), 4))
    assert [line.version for line in made] == list(range(1, len(log) + 1))
    assert made[0].clock == "0:00.000"
    assert {line.kind for line in made} >= {"turn", ""}
    assert all(
        (line.kind == "quiet") == isinstance(stored.event, QUIET) for line, stored in zip(made, log, strict=True)
    )


@pytest.mark.parametrize(
    ("ms", "told"), [(0, "0:00.000"), (61_007, "1:01.007"), (3_599_999, "59:59.999"), (3_723_456, "1:02:03.456")]
)
def test_a_clock_reads_to_the_millisecond(ms: int, told: str) -> None:
    """With hours from an hour on."""
    assert clock_text(ms) == told


def test_who_was_replaced_keeps_the_moves_made_before() -> None:
    """Names hold for a spell of versions; a seat without anybody is told by its number."""
    sitters = (Sitter(0, 1, "Noa"), Sitter(0, 11, "Dana"), Sitter(1, 1, "Bot 1"))
    assert names_at(sitters, 3, 10) == ("Noa", "Bot 1", "Seat 2")
    assert names_at(sitters, 3, 11) == ("Dana", "Bot 1", "Seat 2")
    assert [(first, last, names[0]) for first, last, names in spells(sitters, 3, 20)] == [
        (1, 10, "Noa"), (11, 20, "Dana")
    ]  # fmt: skip
