"""The words of a tournament's pages, in the reader's language."""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from tournaments.rules import EntryStatus, Format, Phase, Refusal, TableKind, TableStatus, Terms
from tournaments.rules import acts as a
from tournaments.texts import REFUSAL_TEXTS

Words = str | Promise

PHASES: Final[Mapping[Phase, Words]] = {
    Phase.DRAFT: _("draft"),
    Phase.REGISTRATION: _("registration is open"),
    Phase.CHECK_IN: _("check-in"),
    Phase.RUNNING: _("running"),
    Phase.PAUSED: _("paused"),
    Phase.FINISHED: _("finished"),
    Phase.CANCELLED: _("cancelled"),
}

NEXT_STEPS: Final[Mapping[Phase, Words]] = {
    Phase.DRAFT: _("Nobody can register yet. Next step: open registration."),
    Phase.REGISTRATION: _("Entries are being taken. Next step: close registration, or start if there is no check-in."),
    Phase.CHECK_IN: _("Registration is closed. Next step: check in those who are there, then start."),
    Phase.RUNNING: _("Games are played; rounds follow each other by themselves."),
    Phase.PAUSED: _("Games under way may end, none begins. Next step: resume."),
    Phase.FINISHED: _("It is over. Results can be exported; a result can still be corrected."),
    Phase.CANCELLED: _("It was cancelled and does not count."),
}

STATUSES: Final[Mapping[EntryStatus, Words]] = {
    EntryStatus.WAITING: _("on the waiting list"),
    EntryStatus.ENTERED: _("entered"),
    EntryStatus.PLAYING: _("playing"),
    EntryStatus.ABSENT: _("did not come"),
    EntryStatus.WITHDRAWN: _("withdrawn"),
    EntryStatus.DISQUALIFIED: _("disqualified"),
}

TABLES: Final[Mapping[TableStatus, Words]] = {
    TableStatus.SEATED: _("about to begin"),
    TableStatus.PLAYING: _("playing"),
    TableStatus.ENDING: _("being stopped"),
    TableStatus.ABORTED: _("aborted"),
    TableStatus.FINISHED: _("finished"),
    TableStatus.VOID: _("void"),
}

ACTS: Final[Mapping[type[a.Act], Words]] = {
    a.ChangeTerms: _("Change the terms"),
    a.ListSeeding: _("Set the seeding"),
    a.OpenRegistration: _("Open registration"),
    a.CloseRegistration: _("Close registration"),
    a.Register: _("Register"),
    a.Promote: _("Promote from the waiting list"),
    a.CheckIn: _("Check in"),
    a.Withdraw: _("Withdraw"),
    a.Start: _("Start"),
    a.Replace: _("Replace the player"),
    a.NoShow: _("No-show"),
    a.Forfeit: _("Forfeit the table"),
    a.Disqualify: _("Disqualify"),
    a.Reinstate: _("Reinstate"),
    a.AbortTable: _("Abort the game"),
    a.EndTable: _("End the table early"),
    a.ReplayTable: _("Replay the table"),
    a.CorrectResult: _("Correct the result"),
    a.ReopenRound: _("Reopen the round"),
    a.Pause: _("Pause"),
    a.Resume: _("Resume"),
    a.Cancel: _("Cancel the tournament"),
}
"""What a button says. `OpenTable` and `FinishTable` are the games' own acts and have no button."""

FAULTS: Final[Mapping[str, Words]] = {
    "TABLE_SIZE": _("A table has 2 to 10 seats."),
    "GO_ON": _("At least one and at most all but one of a table go on."),
    "CAPACITY": _("A tournament has 2 to 10,000 places."),
    "LADDER_IS_ONE_TABLE": _("A ladder is one table: its places are the table's seats."),
    "TIMES_IN_ORDER": _("Registration must open before it closes, and close no later than the start."),
    "START_TIME_MISSING": _("To start by the clock it needs a starting time."),
}


def refused(refusal: Refusal, detail: str = "") -> str:
    """One sentence that says why an act was refused."""
    if refusal is Refusal.BAD_TERMS and detail in FAULTS:
        return str(FAULTS[detail])
    return str(REFUSAL_TEXTS[refusal])


def kind_of(terms: Terms) -> Words:
    """The format in a few words."""
    if terms.format is Format.LADDER:
        return format_lazy(_("Ladder: one table of up to {seats}, one long game in stages"), seats=terms.capacity)
    games = _("ladder games") if terms.table_kind is TableKind.LADDER else _("single games")
    return format_lazy(
        _("Knockout: tables of up to {size}, the best {go_on} of each go on; {games}"),
        size=terms.table_size,
        go_on=terms.go_on,
        games=games,
    )


def event_name(kind: str) -> str:
    """An event's type as words: "EntryRegistered" → "entry registered"."""
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in kind).strip()


def plain(data: Mapping[str, Any]) -> str:
    """An event's data in one line."""
    return ", ".join(f"{name.replace('_', ' ')}: {_value(value)}" for name, value in data.items())


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "(" + plain(value) + ")"
    if isinstance(value, list | tuple):
        return " ".join(map(_value, value)) or "—"
    return "—" if value is None else str(value)
