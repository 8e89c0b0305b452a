"""The page's own words: labels for the scripts, the names of cards, house rules and keys, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from games.pages.marks import COLORS, book
from games.rulebook import HouseRule
from games.rules.ruleset import Mode, Ruleset


def words() -> dict[str, str]:
    """What the scripts say; {…} is put in by them."""
    return {
        "cards": _("Cards: {n}"),
        "stage": _("Stage {n}"),
        "turn": _("on turn"),
        "left": _("left the game"),
        "away": _("away"),
        "last": _("last card not yet said"),
        "asked": _("answer awaited"),
        "winner": _("winner"),
        "bank": _("Bank: {time}"),
        "waits": _("waits for cards"),
        "clockwise": _("clockwise"),
        "counter": _("counter-clockwise"),
        "any": _("any card"),
        "running": _("{color}: being run"),
        "open": _("{color}: open"),
        "plus": _("owed after a Plus"),
        "king": _("any card, after a King"),
        "window": _("{who}’s +3: waiting for {n}"),
        "windowHidden": _("{who}’s +3"),
        "left_time": _("{time} left"),
        "step": _("Event {v} of {n}"),
        "play": _("Play"),
        "pause": _("Pause"),
        "loading": _("Loading the game …"),
        "failed": _("The game could not be loaded. Try again in a moment."),
        "copied": _("Link copied."),
        "notCopied": _("The address bar has the link."),
        "hidden": _("a hidden card"),
        "accept": _("accepts"),
        "breaker": _("+3 Breaker"),
        "kingAnswer": _("King"),
        "leftAnswer": _("leaves the game"),
        "late": _("no answer in time"),
        "spared": _("no longer asked"),
        "somebody": _("somebody"),
        "bot": _("bot"),
        "seconds": _("{s} s"),
        "opened": _("The +3 of {who}, event {v}: {outcome} after {time}"),
        "accepted": _("accepted by all"),
        "timeout": _("time up"),
        "outBreaker": _("broken"),
        "outKing": _("answered by a King"),
        "cancelled": _("cancelled"),
        "proving": _("Checking {n} of {all} …"),
        "proved": _(
            "Checked here, by your browser: the seed is the one committed to, and all {n} events hang together, hash "
            "by hash, up to {head}."
        ),
        "broken": _("The chain does not hold: event {v} is not what was recorded."),
        "wrongSeed": _("The revealed seed is not the one that was committed to."),
        "noProof": _("Your browser checks this on a secure (https) page only."),
    }


def cards() -> dict[str, str]:
    """Cards by their code, and colours by their letter."""
    named = {card.code: name for card, name in book().card_names.items()}
    return {**named, **{color.value: str(name) for color, name in COLORS.items()}, "?": _("a hidden card")}


def mode(chosen: Mapping[str, Any]) -> str:
    """The way of playing."""
    return _("TAKI ladder") if chosen.get("mode") == Mode.LADDER.value else _("Single game")


def house_rules(chosen: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What differs from the ordinary rules, in the rulebook's words."""
    differing = Ruleset.from_mapping(dict(chosen)).chosen()
    titles = {rule.name: rule for rule in book().house_rules}
    return [(titles[name].title, _value(titles[name], value)) for name, value in differing.items() if name != "mode"]


def keys(*, right_to_left: bool) -> list[tuple[str, str]]:
    """The keyboard, as the page explains it."""
    on, back = ("←", "→") if right_to_left else ("→", "←")
    return [
        (on, _("next event")),
        (back, _("previous event")),
        ("Page Down / Page Up", _("next / previous turn")),
        ("Home / End", _("beginning / end")),
        (_("Space"), _("play or pause")),
        ("+ / −", _("faster / slower")),
        ("0 … 9", _("look through this seat’s eyes")),
        ("a / s", _("all hands / a spectator")),
        ("w", _("next +3 window")),
        ("g", _("go to an event by its number")),
        ("c", _("copy the link to this event")),
    ]


def _value(rule: HouseRule, value: object) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return dict(rule.values).get(text, text)
