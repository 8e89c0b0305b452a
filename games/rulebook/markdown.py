"""The rulebook as a Markdown page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from games.rulebook.book import HouseRule, Rule, Rulebook

_GENERATED: Final = "<!-- Written by `python -m games.rulebook` from games/rulebook/*.toml. Change those, not this. -->"
_CODE: Final = re.compile(r"(`[^`]*`)")


def markdown(book: Rulebook) -> str:
    """The whole page; it ends with a line break."""
    lines = [_GENERATED, "", *_opening(book), *_rules(book), *_house_rules(book), *_refusals(book)]
    if book.direction == "rtl":
        lines[2:] = ['<div dir="rtl">', "", *lines[2:], "</div>", ""]
    return "\n".join(lines).rstrip() + "\n"


def _opening(book: Rulebook) -> Iterator[str]:
    label = book.labels
    yield from (f"# {book.title}", "", book.introduction, "")
    yield from (f"## {label['contents']}", "")
    yield from (f"- [{section.title}](#{section.name}): {_ids(book.rules_of(section))}" for section in book.sections)
    yield f"- [{label['house_rules_title']}](#house-rules)"
    yield f"- [{label['refusals_title']}](#refusals)"
    yield from ("", f"## {label['words']}", "")
    yield from (f"- {word}" for word in book.words)
    yield from ("", f"## {label['reading']}", "", book.notation, "")


def _ids(rules: tuple[Rule, ...]) -> str:
    return " · ".join(f"[{rule.id}](#{rule.id.lower()})" for rule in rules)


def _rules(book: Rulebook) -> Iterator[str]:
    for section in book.sections:
        yield from (f'<a id="{section.name}"></a>', "", f"## {section.title}", "")
        for rule in book.rules_of(section):
            yield from _rule(rule, book)


def _rule(rule: Rule, book: Rulebook) -> Iterator[str]:
    label = book.labels
    yield from (f'<a id="{rule.id.lower()}"></a>', "", f"### {rule.id} {rule.title}", "", _linked(rule.text, book), "")
    if rule.choice:
        yield from (f"*{label['choice']}.* {_linked(rule.choice, book)}", "")
    if rule.house_rules:
        names = ", ".join(f"[`{name}`](#house_rule_{name})" for name in rule.house_rules)
        yield from (f"*{label['house_rules']}:* {names}", "")
    yield from (f"*{label['example']}.* {_linked(rule.example.text, book)}", "")
    yield from ("```", *rule.example.lines(), "```", "")


def _linked(text: str, book: Rulebook) -> str:
    """The text with every id of a rule made a link, but for what stands in backquotes."""
    ids = re.compile(rf"\b({'|'.join(rule.id for rule in reversed(book.rules))})\b")
    parts = _CODE.split(text)
    parts[::2] = [ids.sub(lambda found: f"[{found[1]}](#{found[1].lower()})", part) for part in parts[::2]]
    return "".join(parts)


def _house_rules(book: Rulebook) -> Iterator[str]:
    label = book.labels
    yield from ('<a id="house-rules"></a>', "", f"## {label['house_rules_title']}", "", label["house_rules_text"], "")
    yield from (f"| {label['name']} | {label['value']} | {label['meaning']} |", "|---|---|---|")
    for house_rule in book.house_rules:
        yield from _house_rule(house_rule, book)
    yield ""


def _house_rule(house_rule: HouseRule, book: Rulebook) -> Iterator[str]:
    label, default = book.labels, f"`{house_rule.default}` ({book.labels['default']})"
    name = f'<a id="house_rule_{house_rule.name}"></a>`{house_rule.name}`'
    head = f"**{house_rule.title}.** {_linked(house_rule.text, book)}"
    if house_rule.bounds:
        least, most = house_rule.bounds
        yield f"| {name} | {default}, {label['range'].format(least=least, most=most)} | {head} |"
        return
    yield f"| {name} | | {head} |"
    for value, text in house_rule.values:
        yield f"| | {default if value == house_rule.default else f'`{value}`'} | {_linked(text, book)} |"


def _refusals(book: Rulebook) -> Iterator[str]:
    label = book.labels
    yield from ('<a id="refusals"></a>', "", f"## {label['refusals_title']}", "", label["refusals_text"], "")
    yield from (f"| {label['code']} | {label['cause']} | {label['cure']} |", "|---|---|---|")
    for entry in book.refusals:
        yield f"| `{entry.refusal.value}` | {_linked(entry.cause, book)} | {_linked(entry.cure, book)} |"
    yield ""
