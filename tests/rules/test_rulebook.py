"""The rulebook is whole in every language, its examples are true, and its pages are up to date."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from games.rulebook import LANGUAGES, Rule, RulebookBroken, card_kinds, read_rulebook, rulebook
from games.rulebook.__main__ import DOCS, PAGES, main
from games.rulebook.markdown import markdown
from games.rules.cards import CARDS
from games.rules.cases import Case, CaseFailed, parse_case_file, run_case
from games.rules.notation import format_position, parse_position
from games.rules.refusals import Refusal
from games.rules.ruleset import RULES_VERSION, Deck, Ruleset
from games.rules.state import State
from tests.rules.test_cases import HOUSE_RULES, RULES

SOURCES = Path(DOCS).parent / "games" / "rulebook"
FACTS = (SOURCES / "rules.toml").read_text(encoding="utf-8")
WORDS = {language: (SOURCES / f"{language}.toml").read_text(encoding="utf-8") for language in LANGUAGES}
CHOICES = ("S3", "S4", "A3", "U4", "U9", "W4", "W7", "G2")
"""The rules in which the printed ones left a choice."""
HEBREW = re.compile("[א-ת]")

every_language = pytest.mark.parametrize("language", LANGUAGES)
every_rule = pytest.mark.parametrize("rule", rulebook("en").rules, ids=lambda rule: rule.id)


@every_language
def test_every_rule_stands_in_the_book(language: str) -> None:
    """Each id once, in the order of the rules, with a title, a text and an example of its own."""
    book = rulebook(language)
    assert tuple(rule.id for rule in book.rules) == RULES
    assert len({rule.title for rule in book.rules}) == len({rule.text for rule in book.rules}) == len(RULES)
    assert len({rule.example.text for rule in book.rules}) == len(RULES)
    assert {rule.section for rule in book.rules} == {section.name for section in book.sections}


@every_language
def test_choices_are_marked_with_their_reason(language: str) -> None:
    """Exactly the rules that were a choice say why it was made so."""
    assert tuple(rule.id for rule in rulebook(language).rules if rule.choice) == CHOICES


@every_language
def test_every_house_rule_is_explained_and_changes_a_rule(language: str) -> None:
    """Each house rule with its default and all its values; and each is named by a rule that it changes."""
    book = rulebook(language)
    assert tuple(house_rule.name for house_rule in book.house_rules) == tuple(HOUSE_RULES)
    assert {name for rule in book.rules for name in rule.house_rules} == set(HOUSE_RULES)
    for house_rule in book.house_rules:
        default, least, most, *_ = *HOUSE_RULES[house_rule.name], "", ""
        assert house_rule.default == default
        if house_rule.bounds:
            assert house_rule.bounds == (int(least), int(most))
            assert not house_rule.values
        else:
            assert tuple(value for value, _ in house_rule.values) == HOUSE_RULES[house_rule.name]


@every_language
def test_every_refusal_has_its_cause_and_cure(language: str) -> None:
    """All codes, in the order in which they are judged."""
    texts = rulebook(language).refusals
    assert tuple(text.refusal for text in texts) == tuple(Refusal)
    assert all(text.cause and text.cure for text in texts)


def test_the_hebrew_book_is_hebrew() -> None:
    """No text was left in English, and no Hebrew stands in the English book."""
    hebrew, english = rulebook("he"), rulebook("en")
    assert (hebrew.direction, english.direction) == ("rtl", "ltr")
    for book, belongs in ((hebrew, True), (english, False)):
        texts = [book.title, book.introduction, book.notation, *book.words, *book.labels.values()]
        texts += [section.title for section in book.sections]
        for rule in book.rules:
            texts += [rule.text, rule.example.text, rule.choice or rule.text]
        for house_rule in book.house_rules:
            texts += [house_rule.title, house_rule.text, *(text for _, text in house_rule.values)]
        for refusal in book.refusals:
            texts += [refusal.cause, refusal.cure]
        assert not [text for text in texts if bool(HEBREW.search(text)) is not belongs]


@every_rule
def test_both_languages_have_the_same_example(rule: Rule) -> None:
    """Position, command, seat and outcome are one thing, told in two languages; so are section and house rules."""
    other = rulebook("he").rule(rule.id)
    assert other.example.lines() == rule.example.lines()
    assert other.example.text != rule.example.text
    assert (other.section, other.house_rules) == (rule.section, rule.house_rules)
    for code in re.findall(r"`[^`]*`", rule.text):
        assert code in other.text


@every_rule
def test_the_example_of_a_rule_is_true(rule: Rule) -> None:
    """The engine does what the example says."""
    run_case(Case(rule.id, 0, next(iter(parse_case_file([f"case {rule.id}", *rule.example.lines()]))).steps))


@every_rule
def test_the_example_of_a_rule_proves_something(rule: Rule) -> None:
    """With any one of its expected words changed, the example fails."""
    lines = rule.example.lines()
    start = _position(rule)
    for word in lines[-1].split()[1:]:
        wrong = "refused GAME_OVER" if lines[-1].startswith("refused") else f"expect {_otherwise(word)}"
        with pytest.raises(CaseFailed):
            run_case(next(iter(parse_case_file([f"case {rule.id}", *lines[:-1], wrong]))))
    assert not start.over


def _otherwise(word: str) -> str:
    """The word with another value that its key can have."""
    key, _, value = word.partition("=")
    cards = "-" if value != "-" else "B7"
    others = {"lead": "B7", "dir": "+", "winner": "-", "hands": "R1/R3", "stages": "9/9"}
    other = others.get(key, cards if key.startswith(("hand", "draw", "pile")) else "97")
    return f"{key}={other if other != value else 'none' if key == 'winner' else '-'}"


@every_rule
def test_the_position_of_an_example_is_canonical(rule: Rule) -> None:
    """It is written as the server writes it, but for a draw pile that does not matter."""
    state = _position(rule)
    words = [word for word in format_position(state).split() if not word.startswith("draw=")]
    assert [word for word in rule.example.position.split() if not word.startswith("draw=")] == words


def _position(rule: Rule) -> State:
    rules = Ruleset()
    for word in rule.example.house_rules.split():
        name, _, value = word.partition("=")
        rules = Ruleset.from_mapping({**rules.as_mapping(), name: int(value) if value.isdigit() else value})
    return parse_position(rule.example.position, rules)


@every_language
def test_every_card_has_a_name_of_its_own(language: str) -> None:
    """57 kinds, 57 names."""
    names = rulebook(language).card_names
    assert set(names) == set(CARDS)
    assert len(set(names.values())) == len(CARDS)


def test_a_coloured_card_is_named_in_the_order_of_the_language() -> None:
    """English says the colour first, Hebrew last."""
    assert {card.code: name for card, name in rulebook("en").card_names.items()}["R7"] == "red 7"
    assert {card.code: name for card, name in rulebook("he").card_names.items()}["BS"] == "עצור כחול"


@pytest.mark.parametrize(
    ("deck", "cards", "kinds"), [(Deck.SUPER_116, 116, 57), (Deck.KING_112, 112, 55), (Deck.CLASSIC_108, 108, 53)]
)
def test_a_deck_is_listed_with_all_its_cards(deck: Deck, cards: int, kinds: int) -> None:
    """The counts add up to the deck."""
    listed = card_kinds(deck, rulebook("en"))
    assert (len(listed), sum(kind.count for kind in listed)) == (kinds, cards)
    assert [kind.card.index for kind in listed] == sorted(kind.card.index for kind in listed)


@pytest.mark.parametrize("language", PAGES)
def test_the_page_is_up_to_date(language: str) -> None:
    """``python -m games.rulebook`` would not change it."""
    assert (DOCS / PAGES[language]).read_text(encoding="utf-8") == markdown(rulebook(language))


@every_language
def test_every_link_of_the_page_leads_somewhere(language: str) -> None:
    """Each ``#name`` has its place."""
    page = markdown(rulebook(language))
    links, places = set(re.findall(r"\]\(#([^)]*)\)", page)), re.findall(r'<a id="([^"]*)">', page)
    assert links
    assert links <= set(places)
    assert len(places) == len(set(places))


def test_the_command_writes_every_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One page a language, into the folder that is named; a folder that is not there is one clear sentence."""
    assert main([str(tmp_path)]) == 0
    assert {file.name for file in tmp_path.iterdir()} == set(PAGES.values())
    capsys.readouterr()
    assert main([str(tmp_path / "nowhere")]) == 2
    assert capsys.readouterr().err == f"There is no folder {tmp_path / 'nowhere'}.\n"


def test_the_rulebook_needs_no_framework() -> None:
    """Reading it does not load Django."""
    code = "import sys, games.rulebook as book; book.rulebook('he'); sys.exit('django' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=DOCS.parent, check=False).returncode == 0


def test_the_version_is_that_of_the_rules() -> None:
    """A book belongs to the rules that it tells."""
    assert rulebook("en").version == RULES_VERSION
    with pytest.raises(KeyError):
        rulebook("xx")
    with pytest.raises(KeyError):
        rulebook("en").rule("U99")


def _without(text: str, table: str) -> str:
    """The TOML text without one table of its."""
    return re.sub(rf"^\[{re.escape(table)}\]\n(?:(?!\[).*\n)*", "", text, count=1, flags=re.MULTILINE)


BROKEN = {
    "a rule lacks its words": (FACTS, _without(WORDS["he"], "rules.U6"), "he.toml: rules: U6: no table"),
    "a rule lacks its facts": (_without(FACTS, "U6"), WORDS["he"], "he.toml: rules: U6: unknown"),
    "a rule lacks its example": (FACTS.replace('"play ST"', '""'), WORDS["en"], "U2: example: command: no text"),
    "a seat that is no number": (FACTS.replace("seat = -1", 'seat = "x"', 1), WORDS["en"], "Z5: example: seat"),
    "a choice without a reason": (FACTS.replace("[A4]", "[A4]\nchoice = true"), WORDS["en"], "A4: choice: no text"),
    "a reason without a choice": (FACTS.replace("choice = true\n", "", 1), WORDS["en"], "S3: choice: unknown"),
    "a choice that is no flag": (FACTS.replace("choice = true", "choice = 1", 1), WORDS["en"], "S3: choice: neither"),
    "an unknown house rule": (FACTS.replace('["max_turns"]', '["luck"]'), WORDS["en"], "no house rule 'luck'"),
    "house rules that are no list": (FACTS.replace('["max_turns"]', '"max_turns"'), WORDS["en"], "no list of names"),
    "an unknown section": (
        FACTS.replace('section = "window"', 'section = "door"', 1),
        WORDS["en"],
        "no section 'door'",
    ),
    "a house rule lacks its words": (FACTS, _without(WORDS["he"], "house_rules.deck"), "house_rules: deck: no table"),
    "a value lacks its words": (FACTS, WORDS["he"].replace("values.under", "values.over"), "values: under: no text"),
    "a refusal lacks its words": (FACTS, _without(WORDS["he"], "refusals.NO_RUN"), "refusals: NO_RUN: no table"),
    "an unknown refusal": (FACTS, WORDS["en"] + '[refusals.LUCK]\ncause = "x"\n', "refusals: LUCK: unknown"),
    "a card lacks its name": (FACTS, WORDS["he"].replace("X3 =", "X4 ="), "faces: X3: no text"),
    "an unknown label": (FACTS, WORDS["en"].replace("[labels]", '[labels]\nx = "x"'), "en.toml: labels: x: unknown"),
    "no way to write": (FACTS, WORDS["en"].replace('"ltr"', '"up"'), "direction: neither ltr nor rtl"),
    "an unknown entry": (FACTS, 'x = "x"\n' + WORDS["en"], "en.toml: x: unknown"),
    "no TOML": (FACTS, "[", "words: "),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_rulebook_that_is_not_whole_is_not_read(name: str) -> None:
    """The error names the entry that is missing, unknown or wrong."""
    facts, words, message = BROKEN[name]
    assert tomllib.loads(facts)
    with pytest.raises(RulebookBroken, match=re.escape(message)):
        read_rulebook(facts, words)
