"""The house rules in the desk's forms: one field each, in the words of the rulebook."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.forms.boundfield import BoundField
from django.http import QueryDict
from django.utils.html import escape
from django.utils.translation import get_language
from unfold.widgets import UnfoldAdminIntegerFieldWidget, UnfoldAdminSelectWidget

from games.rulebook import LANGUAGES, HouseRule, Rulebook, rulebook
from games.rules.ruleset import DEFAULT_RULES, Ruleset, house_rule_from_text, house_rules_schema

PREFIX: Final = "rule_"
_MODE: Final = "mode"  # the terms say it: `Terms.table_kind`
_SCHEMA: Any = house_rules_schema()["properties"]
RULES: Final[Mapping[str, Mapping[str, Any]]] = {name: kind for name, kind in _SCHEMA.items() if name != _MODE}
"""Of every house rule that a form shows: its type, choices or bounds, and default."""


class HouseRulesForm(forms.Form):
    """A form that ends with the house rules. ``rules``: how they stand. ``fixed``: they are shown only.

    A rule that is not sent stays as it is, and so does one that is sent as it was shown: two who change different
    rules at once lose neither.
    """

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        initial: Mapping[str, Any] | None = None,
        rules: Ruleset = DEFAULT_RULES,
        fixed: bool = False,
    ) -> None:
        shown = {PREFIX + name: _text(value) for name, value in rules.as_mapping().items() if name in RULES}
        if data is not None:
            data = data.copy()
            for name, value in shown.items():
                data.setdefault(name, value)
                data.setdefault(f"initial-{name}", value)
        super().__init__(data, initial={**(initial or {}), **shown})
        book = _book()
        for words in book.house_rules:
            if words.name in RULES:
                self.fields[PREFIX + words.name] = _field(words, RULES[words.name], book)
        self.rules_title = book.labels["house_rules"]
        self.rules_fixed = fixed

    def house_rules(self, before: Ruleset) -> Ruleset:
        """``before`` with what the form changes. Only of a valid form."""
        changed = {
            name: house_rule_from_text(name, str(self.cleaned_data[PREFIX + name]))
            for name in RULES
            if PREFIX + name in self.changed_data
        }
        return Ruleset.from_mapping({**before.as_mapping(), **changed})

    @property
    def rule_fields(self) -> list[BoundField]:
        """The house rules."""
        return [field for field in self if field.name.startswith(PREFIX)]

    @property
    def other_fields(self) -> list[BoundField]:
        """What stands before them."""
        return [field for field in self if not field.name.startswith(PREFIX)]

    @property
    def rules_open(self) -> bool:
        """Whether something is wrong among them, which must be in sight."""
        return any(name.startswith(PREFIX) for name in self.errors)


def _book() -> Rulebook:
    language = (get_language() or "").partition("-")[0]
    return rulebook(language if language in LANGUAGES else LANGUAGES[0])


def _field(words: HouseRule, kind: Mapping[str, Any], book: Rulebook) -> forms.Field:
    # A switch that is off is not sent at all, as if nobody had asked: so two choices instead.
    said: dict[str, Any] = {"label": words.title, "show_hidden_initial": True}
    if kind["type"] == "integer":
        least, most, default = kind["minimum"], kind["maximum"], kind["default"]
        bounds = book.labels["range"].format(least=least, most=most)
        return forms.IntegerField(
            **said,
            min_value=least,
            max_value=most,
            help_text=escape(f"{_plain(words.text)} {bounds} ({book.labels['default']}: {default})"),
            widget=UnfoldAdminIntegerFieldWidget,
        )
    choices = kind.get("enum", [False, True])
    meanings = dict(words.values)
    options = [(text, _plain(_first(meanings[text]))) for text in map(_text, choices)]
    default = _text(kind["default"])
    marked = [(value, f"{title} ({book.labels['default']})" if value == default else title) for value, title in options]
    marked.sort(key=lambda option: option[0] != default)
    help_text = escape(_plain(words.text))
    return forms.ChoiceField(**said, choices=marked, help_text=help_text, widget=UnfoldAdminSelectWidget)


def _text(value: str | int | bool) -> str:
    """As `house_rule_from_text` reads it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _first(text: str) -> str:
    """The first sentence, which is enough to choose by."""
    return re.split(r"[.;](?:\s|$)", text, maxsplit=1)[0]


def _plain(text: str) -> str:
    return text.replace("`", "").replace("*", "")
