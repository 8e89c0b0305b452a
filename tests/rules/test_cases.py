"""Every case of tests/rules/cases holds, and together our own leave out no rule, refusal or house-rule value."""

import re
from collections import Counter
from pathlib import Path

import pytest

from games.rules.cases import Case, CaseFailed, main, parse_case_file, run_case
from games.rules.refusals import Refusal
from games.rules.ruleset import Ruleset, house_rule_from_text

FOLDER = Path(__file__).parent / "cases"
FILES = sorted(FOLDER.glob("*.txt"))

RULES = (
    *("D1", "D2", "D3", "D4", "D5", "S1", "S2", "S3", "S4", "T1", "T2", "T3", "T4", "T5", "T6", "T7"),
    *("A1", "A2", "A3", "A4", "A5", "P1", "P2", "P3", "K1", "K2", "K3", "B1", "B2"),
    *("U1", "U2", "U3", "U4", "U5", "U6", "U7", "U8", "U9", "U10", "U11"),
    *("W1", "W2", "W3", "W4", "W5", "W6", "W7", "W8", "L1", "L2", "L3", "L4", "E1", "E2"),
    *("G1", "G2", "G3", "G4", "G5", "Z1", "Z2", "Z3", "Z4", "Z5", "Z6", "Z7", "H1", "H2", "H3"),
)
"""Every id of the rules, once more by hand, so that one lost anywhere is missed here."""

REFUSALS = (
    *("GAME_OVER", "SEAT_LEFT", "WINDOW_OPEN", "NO_WINDOW", "NOT_ASKED", "NOT_YOUR_TURN", "NOT_IN_HAND"),
    *("BREAKER_LOCKED", "STACK_ACTIVE", "NOT_IN_RUN", "DOES_NOT_MATCH", "COLOR_REQUIRED", "COLOR_NOT_ALLOWED"),
    *("CANNOT_DRAW", "MUST_PLAY", "NO_RUN", "TAKI_ON_TOP", "NOT_LAST_CARD"),
)

HOUSE_RULES = {
    "mode": ("single", "ladder"),
    "deck": ("super_116", "king_112", "classic_108"),
    "hand_size": ("8", "3", "10", "7"),
    "voluntary_draw": ("false", "true"),
    "opening_card": ("coloured", "number"),
    "last_card": ("penalty", "off"),
    "last_card_penalty": ("4", "1", "8", "3"),
    "open_taki": ("true", "false"),
    "taki_all": ("false", "true"),
    "change_color_in_run": ("true", "false"),
    "king_on_plus_three": ("true", "false"),
    "plus_three_on_stack": ("false", "true"),
    "breaker_stops_win": ("false", "true"),
    "king_lead": ("any", "under"),
    "super_taki_color": ("lead", "choose"),
    "two_player_direction": ("pass", "skip"),
    "max_turns": ("10000", "1", "100000", "500"),
    "last_card_grace_seconds": ("2", "0", "10", "5"),
    "plus_finishes": ("false", "true"),
    "plus_may_draw": ("false", "true"),
}
"""Per house rule every value, the default first; of a number the default, the least, the most and one between."""


def cases_of(file: Path) -> tuple[Case, ...]:
    return tuple(parse_case_file(file.read_text(encoding="utf-8").splitlines()))


OWN = tuple(case for file in FILES if file.name != "public.txt" for case in cases_of(file))


@pytest.mark.parametrize(
    ("file", "case"),
    [pytest.param(file.name, case, id=f"{file.stem}-{case.line}") for file in FILES for case in cases_of(file)],
)
def test_a_case_holds(file: str, case: Case) -> None:
    """What the case expects comes of its commands."""
    try:
        run_case(case)
    except CaseFailed as failure:
        pytest.fail(f"{file}, {failure} (case {case.title})", pytrace=False)


def test_every_rule_is_named_by_a_case_of_our_own() -> None:
    """No id of the rules is without a case that is titled with it, and no title begins with an id that there is not."""
    heads = [re.match(r"(?:[A-Z]\d{1,2} )*", case.title) for case in OWN]
    assert {name for head in heads if head for name in head[0].split()} == set(RULES)


def test_every_refusal_is_met_by_a_case_of_our_own() -> None:
    """Each of the eighteen codes, in the order of the rules, refuses a command somewhere."""
    assert tuple(refusal.value for refusal in Refusal) == REFUSALS
    assert {step.text for case in OWN for step in case.steps if step.word == "refused"} == set(REFUSALS)


def test_every_value_of_every_house_rule_is_played_by_a_case_of_our_own() -> None:
    """Each house rule is set to its default, to every other value, and to both bounds of a number."""
    words = [
        word.split("=") for case in OWN for step in case.steps if step.word == "rules" for word in step.text.split()
    ]
    played: dict[str, set[str]] = {}
    for name, value in words:
        played.setdefault(name, set()).add(value)
    missing = {name: set(values) - played.get(name, set()) for name, values in HOUSE_RULES.items()}
    assert not {name: values for name, values in missing.items() if values}


def test_the_list_of_house_rules_is_whole() -> None:
    """The list above has every house rule, its default first; its numbers' second and third values are the bounds."""
    defaults = Ruleset().as_mapping()
    assert {name: house_rule_from_text(name, values[0]) for name, values in HOUSE_RULES.items()} == defaults
    for name, (_, *others) in HOUSE_RULES.items():
        for text in others:
            Ruleset.from_mapping({name: house_rule_from_text(name, text)})
        if type(defaults[name]) is int:
            least, most = int(others[0]), int(others[1])
            for beyond in (least - 1, most + 1):
                with pytest.raises(ValueError, match=name):
                    Ruleset.from_mapping({name: beyond})


def test_a_default_is_what_holds_without_a_word() -> None:
    """A case that sets house rules to their defaults comes out the same with that line left out."""
    for case in OWN:
        rules = [step for step in case.steps if step.word == "rules"]
        words = [word.partition("=") for step in rules for word in step.text.split()]
        if words and all(HOUSE_RULES[name][0] == value for name, _, value in words):
            run_case(Case(case.title, case.line, [step for step in case.steps if step.word != "rules"]))


def test_no_two_cases_of_a_file_have_the_same_title() -> None:
    """A failure names its case alone."""
    for file in FILES:
        titles = Counter(case.title for case in cases_of(file))
        assert not [title for title, count in titles.items() if count > 1]


def test_every_case_of_our_own_asks_for_something() -> None:
    """A case without an expectation, a refusal or a command proves nothing."""
    assert not [case.title for case in OWN if not {"expect", "refused"} & {step.word for step in case.steps}]


def test_files_that_hold_are_counted_together(capsys: pytest.CaptureFixture[str]) -> None:
    """The command runs several files, prints one count and exits with 0."""
    assert main([str(file) for file in FILES]) == 0
    assert capsys.readouterr().out == f"{sum(len(cases_of(file)) for file in FILES)} passed, 0 failed\n"
