"""The form of a new tournament, or of one whose terms change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from datetime import UTC, datetime
from typing import Any, Final

from django import forms
from django.http import QueryDict
from unfold.widgets import (
    INPUT_CLASSES,
    UnfoldAdminFileFieldWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

from games.services import GameSettings
from tournaments.admin.house_rules import HouseRulesForm
from tournaments.models import MOST_NAME, Tournament, Visibility
from tournaments.rules import Format, NoShows, Phase, Seeding, TableKind, Terms
from tournaments.rules.terms import MOST_ENTRIES, MOST_SEATS, TIMES
from tournaments.selectors import state_load
from tournaments.settings import DEFAULT_TABLES, read_tables
from tournaments.store import milliseconds, moment

_WHOLE_MINUTES: Final = "%Y-%m-%dT%H:%M"


def _number(label: str, least: int, most: int, *, required: bool = True, help_text: str = "") -> forms.IntegerField:
    return forms.IntegerField(
        label=label,
        min_value=least,
        max_value=most,
        required=required,
        help_text=help_text,
        widget=UnfoldAdminIntegerFieldWidget,
    )


def _choice(label: str, choices: Mapping[str, str]) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=list(choices.items()), widget=UnfoldAdminSelectWidget)


def _switch(label: str, help_text: str = "") -> forms.BooleanField:
    return forms.BooleanField(label=label, required=False, help_text=help_text, widget=UnfoldBooleanSwitchWidget)


class InstantField(forms.DateTimeField):
    """An instant in UTC, whatever the reader's language or the server's zone; whole minutes."""

    def __init__(self, label: str, help_text: str = "") -> None:
        attrs = {"type": "datetime-local", "class": " ".join(INPUT_CLASSES)}
        widget = forms.DateTimeInput(attrs=attrs, format=_WHOLE_MINUTES)
        formats = [_WHOLE_MINUTES, "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M"]
        super().__init__(label=label, required=False, help_text=help_text, input_formats=formats, widget=widget)

    def to_python(self, value: Any) -> datetime | None:
        """The instant; ValidationError when it is none."""
        instant = super().to_python(value)
        return None if instant is None else instant.replace(tzinfo=UTC)

    def prepare_value(self, value: Any) -> Any:
        """As the input shows it."""
        return value.astimezone(UTC).replace(tzinfo=None) if isinstance(value, datetime) and value.tzinfo else value


class EntriesFile(forms.Form):
    """A file of entries; what is in it is read by `importing`."""

    file = forms.FileField(label="File", widget=UnfoldAdminFileFieldWidget(attrs={"accept": ".csv,.json"}))


class TermsForm(HouseRulesForm):
    """The terms, and the house rules of every table. Times are UTC; one that is left empty means: by hand."""

    format = _choice("Format", {Format.LADDER.value: "ladder", Format.KNOCKOUT.value: "knockout"})
    capacity = _number("Places", 2, MOST_ENTRIES)
    table_size = _number("Seats at a table", 2, MOST_SEATS, help_text="A ladder is one table: as many as its places.")
    go_on = _number("Go on from a table", 1, MOST_SEATS - 1, help_text="Of a ladder's one table: 1, the winner.")
    table_kind = _choice("Played at a table", {TableKind.SINGLE.value: "single game", TableKind.LADDER.value: "ladder"})
    seeding = _choice("Seeding", {Seeding.RANDOM.value: "drawn", Seeding.LIST.value: "by my list"})
    check_in = _switch("Check-in before the start")
    no_shows = _choice(
        "Who does not check in", {NoShows.LEAVE_OUT.value: "is left out", NoShows.BOT.value: "is played by a bot"}
    )
    waiting_list = _switch("Waiting list when it is full")
    opens_at = InstantField("Registration opens (UTC)", "Empty: by hand.")
    closes_at = InstantField("Registration closes (UTC)", "Empty: by hand.")
    starts_at = InstantField("Starts (UTC)")
    start_by_clock = _switch("Start by the clock", "With fewer than two players there it is cancelled.")

    def terms(self) -> Terms:
        """What the form says, whether or not the rules allow it. Only of a valid form."""
        said = {field.name: self.cleaned_data[field.name] for field in fields(Terms)}
        said["format"] = Format(said["format"])
        said["table_kind"] = TableKind(said["table_kind"])
        said["seeding"] = Seeding(said["seeding"])
        said["no_shows"] = NoShows(said["no_shows"])
        for name in TIMES:
            said[name] = None if said[name] is None else milliseconds(said[name])
        return Terms(**said)

    def tables(self, before: GameSettings) -> GameSettings:
        """``before`` with the house rules that the form changes. Only of a valid form."""
        return replace(before, house_rules=self.house_rules(before.house_rules))


class NewTournament(TermsForm):
    """A new tournament: its name, who may see it, the clocks of its games, and the terms."""

    name = forms.CharField(label="Name", max_length=MOST_NAME, widget=UnfoldAdminTextInputWidget)
    visibility = _choice(
        "Who may see it", {Visibility.PUBLIC.value: "everybody", Visibility.PRIVATE.value: "with the code only"}
    )
    turn_seconds = _number("Seconds for a turn", 5, 604_800, required=False, help_text="Empty: no limit.")
    game_minutes = _number("Minutes for a game", 5, 100_000, required=False, help_text="Empty: no limit.")
    when_away = _choice("Who goes away", {"bot": "is played by a bot", "forfeit": "leaves the game"})
    field_order = ("name", "visibility")

    def clean_name(self) -> str:
        """Printable, with single spaces. ValidationError."""
        name = " ".join(str(self.cleaned_data["name"]).split())
        if not name or not name.isprintable():
            raise forms.ValidationError("A name is made of letters that can be printed.")
        return name

    def settings(self) -> dict[str, Any]:
        """The arguments of `tournament_create` that the form says. Only of a valid form."""
        said = self.cleaned_data
        tables = replace(
            DEFAULT_TABLES,
            turn_seconds=said["turn_seconds"],
            game_minutes=said["game_minutes"],
            when_away=said["when_away"],
        )
        return {
            "name": said["name"],
            "visibility": said["visibility"],
            "terms": self.terms(),
            "tables": self.tables(tables),
        }


def terms_form(data: QueryDict | None, tournament: Tournament) -> TermsForm:
    """The form of this tournament's terms, as they are; the house rules can be changed in a draft only."""
    state = state_load(tournament_id=tournament.pk)
    rules = read_tables(tournament.tables).house_rules
    return TermsForm(data, initial=initial_of(state.terms), rules=rules, fixed=state.phase is not Phase.DRAFT)


def initial_of(terms: Terms) -> dict[str, Any]:
    """What a form of these terms begins with."""
    said: dict[str, Any] = {field.name: getattr(terms, field.name) for field in fields(Terms)}
    for name in ("format", "table_kind", "seeding", "no_shows"):
        said[name] = said[name].value
    for name in TIMES:
        said[name] = None if said[name] is None else moment(said[name])
    return said
