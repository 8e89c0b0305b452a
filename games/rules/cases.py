"""Case files: rules stated as a position, commands and what is expected (section 16).

``python -m games.rules.cases FILE…`` runs them; the exit status is 1 if a case failed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from games.rules.cards import Seat, in_canonical_order
from games.rules.commands import Command
from games.rules.decide import advance
from games.rules.evolve import replay
from games.rules.notation import (
    format_cards,
    format_position,
    parse_cards,
    parse_command,
    parse_count,
    parse_position,
    parse_seed,
    position_words,
    split_words,
)
from games.rules.refusals import Refusal, Refused
from games.rules.ruleset import DEFAULT_RULES, Ruleset, house_rule_from_text
from games.rules.setup import start
from games.rules.state import NO_SEED, State

_SYSTEM: Final = "*"


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a case: its number in the file, its first word and the rest."""

    line: int
    word: str
    text: str


@dataclass(frozen=True, slots=True)
class Case:
    """One case of a file: its title, the line where it begins, and its steps."""

    title: str
    line: int
    steps: list[Step] = field(default_factory=list)


class CaseFailed(Exception):
    """A case does not hold: at which line of the file, and what differed."""

    def __init__(self, line: int, difference: str) -> None:
        super().__init__(f"line {line}: {difference}")
        self.line = line
        self.difference = difference


def parse_case_file(lines: Iterable[str]) -> Iterator[Case]:
    """The cases of a file. CaseFailed if a line stands before the first case."""
    case: Case | None = None
    for number, raw in enumerate(lines, start=1):
        text = raw.split("#", 1)[0].strip()
        if not text:
            continue
        word, _, rest = text.partition(" ")
        if word == "case":
            if case:
                yield case
            case = Case(rest.strip(), number)
        elif case is None:
            raise CaseFailed(number, f"a line before the first case: {text}")
        else:
            case.steps.append(Step(number, word, rest.strip()))
    if case:
        yield case


def run_case(case: Case) -> None:
    """Raises CaseFailed at the first line that does not hold."""
    run = _Run()
    for step in case.steps:
        try:
            run.take(step)
        except ValueError as error:
            raise CaseFailed(step.line, str(error)) from None
    run.finish()


class _Run:
    """A case under way: the house rules, the state, and a refusal that the next line must name."""

    def __init__(self) -> None:
        self.rules = DEFAULT_RULES
        self.state: State | None = None
        self.refused: tuple[Step, Refused] | None = None

    def take(self, step: Step) -> None:
        if step.word == "refused":
            self._expect_refusal(step)
            return
        self.finish()
        match step.word:
            case "rules":
                self.rules = parse_rules(step.text)
            case "position":
                self.state = parse_position(step.text, self.rules)
            case "setup":
                self.state = _set_up(step.text, self.rules)
            case "expect":
                _expect(self._started(), step)
            case _:
                self._command(step)

    def finish(self) -> None:
        """A refusal that no line named is a failure at the command."""
        if self.refused:
            step, refused = self.refused
            raise CaseFailed(step.line, f"{step.word} {step.text}: refused {refused.refusal.value}")

    def _started(self) -> State:
        if self.state is None:
            raise ValueError("no position and no setup yet")
        return self.state

    def _command(self, step: Step) -> None:
        state = self._started()
        seat = _parse_seat(step.word, state)
        commands: tuple[Command, ...] = parse_command(step.text)
        try:
            self.state = advance(state, seat, commands).state
        except Refused as refused:
            self.refused = step, refused

    def _expect_refusal(self, step: Step) -> None:
        expected = Refusal(step.text)
        if not self.refused:
            raise CaseFailed(step.line, f"expected refused {expected.value}, but the command was accepted")
        _, refused = self.refused
        if refused.refusal is not expected:
            raise CaseFailed(step.line, f"expected refused {expected.value}, got {refused.refusal.value}")
        self.refused = None


def _parse_seat(word: str, state: State) -> Seat | None:
    who = word.removesuffix(":")
    if who == word:
        raise ValueError(f"not a line of a case: {word!r}")
    if who == _SYSTEM:
        return None
    if not (who.isascii() and who.isdigit() and int(who) < state.seats):
        raise ValueError(f"no such seat: {who!r}")
    return Seat(int(who))


def parse_rules(text: str) -> Ruleset:
    """The house rules of a line ``name=value …``, absent ones by default."""
    words = split_words(text, DEFAULT_RULES.as_mapping())
    return Ruleset.from_mapping({name: house_rule_from_text(name, value) for name, value in words.items()})


def _set_up(text: str, rules: Ruleset) -> State:
    words = split_words(text, ("seats", "first", "seed"))
    seed = parse_seed(words["seed"]) if "seed" in words else NO_SEED
    seats, first = parse_count(words.get("seats", "")), parse_count(words.get("first", "0"))
    events = start(rules=rules, seats=seats, first=Seat(first), seed=seed)
    return replay(events, seed=seed)


def _expect(state: State, step: Step) -> None:
    seats = range(state.seats)
    actual = position_words(state)
    actual |= {f"hand{seat}": format_cards(state.hands[seat]) for seat in seats}
    actual |= {f"count{seat}": str(len(state.hands[seat])) for seat in seats}
    for key, expected in split_words(step.text, actual).items():
        if _canonical(key, expected) != actual[key]:
            raise CaseFailed(
                step.line, f"expected {key}={expected}, got {key}={actual[key]} in {format_position(state)}"
            )


def _canonical(key: str, value: str) -> str:
    """An expected hand may name its cards in any order."""
    if key == "hands":
        return "/".join(_sorted_hand(hand) for hand in value.split("/"))
    return _sorted_hand(value) if key.startswith("hand") else value


def _sorted_hand(text: str) -> str:
    return text if text in ("-", "x") else format_cards(in_canonical_order(parse_cards(text)))


def results(lines: Iterable[str]) -> Iterator[tuple[str, CaseFailed | None]]:
    """Each case of a file: its title, and how it failed if it did. What cannot be read as a case fails."""
    cases = parse_case_file(lines)
    while True:
        try:
            case = next(cases, None)
        except CaseFailed as failure:
            yield "(none)", failure
            return
        if case is None:
            return
        yield case.title, _failure(case)


def _failure(case: Case) -> CaseFailed | None:
    try:
        run_case(case)
    except CaseFailed as failure:
        return failure
    return None


def main(paths: list[str]) -> int:
    """Run the files; print each failing case with its file, line and difference, then the count.

    The exit status: 0 if all passed, 1 if a case failed, 2 if a file cannot be read or none is named.
    """
    if not paths:
        print("usage: python -m games.rules.cases FILE…", file=sys.stderr)  # noqa: T201  # its output
        return 2
    passed = failed = 0
    for path in paths:
        try:
            text = Path(path).read_text(encoding="utf-8-sig")
        except OSError as error:
            return _unreadable(path, error.strerror or str(error))
        except UnicodeDecodeError:
            return _unreadable(path, "not UTF-8 text")
        failures = list(results(text.splitlines()))
        for title, failure in failures:
            if failure:
                print(f"{path}:{failure.line}: case {title}\n    {failure.difference}")  # noqa: T201  # its output
        failed += sum(failure is not None for _, failure in failures)
        passed += sum(failure is None for _, failure in failures)
    print(f"{passed} passed, {failed} failed")  # noqa: T201  # its output
    return 1 if failed else 0


def _unreadable(path: str, why: str) -> int:
    print(f"{path}: cannot be read: {why}", file=sys.stderr)  # noqa: T201  # its output
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
