"""The runner of case files says which line of which case does not hold, and what differed (section 16)."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

from games.rules.cases import main, results

POSITION = "position hands=R1,G3,B4/G1,G3 pile=R9 draw=Y1"


def failures(*lines: str) -> list[str]:
    """How the cases of these lines fail, if they do."""
    return [str(failure) for _, failure in results(lines) if failure]


@pytest.mark.parametrize(
    ("lines", "failure"),
    [
        (("expect turn=0",), "line 1: a line before the first case: expect turn=0"),
        (("case", "expect turn=0"), "line 2: no position and no setup yet"),
        (("case", POSITION, "0: play R1", "expect turn=0"), "line 4: expected turn=0, got turn=1 in hands="),
        (("case", POSITION, "expect hand0=R1"), "line 3: expected hand0=R1, got hand0=R1,G3,B4"),
        (("case", POSITION, "0: play G3", "expect turn=0"), "line 3: 0: play G3: refused DOES_NOT_MATCH"),
        (("case", POSITION, "0: play G3"), "line 3: 0: play G3: refused DOES_NOT_MATCH"),
        (("case", POSITION, "0: play G3", "refused NOT_IN_HAND"), "line 4: expected refused NOT_IN_HAND, got DOES_NOT"),
        (("case", POSITION, "0: play R1", "refused MUST_PLAY"), "line 4: expected refused MUST_PLAY, but the command"),
        (("case", POSITION, "refused NONSENSE"), "line 3: 'NONSENSE' is not a valid Refusal"),
        (("case", POSITION, "0: dance"), "line 3: not a command: 'dance'"),
        (("case", POSITION, "2: draw"), "line 3: no such seat: '2'"),
        (("case", POSITION, "x: draw"), "line 3: no such seat: 'x'"),
        (("case", POSITION, "nonsense"), "line 3: not a line of a case: 'nonsense'"),
        (("case", POSITION, "expect speed=1"), "line 3: no such key: 'speed'"),
        (("case", "setup seats=2 seed=12"), "line 2: a seed has 64 hexadecimal digits"),
        (("case", "setup first=0"), "line 2: not a whole number"),
        (("case", "rules mode=team"), "line 2: house rule mode: 'team' is not one of single, ladder"),
        (("case", "position pile=R9"), "line 2: a position needs hands="),
    ],
)
def test_a_case_that_does_not_hold_names_its_line(lines: tuple[str, ...], failure: str) -> None:
    (found,) = failures(*lines)
    assert found.startswith(failure)


def test_an_empty_file_has_no_cases() -> None:
    assert failures() == failures("# nothing") == []


def test_comments_empty_lines_and_the_order_of_an_expected_hand_do_not_matter() -> None:
    lines = ("# a comment", "", "case one # and another", POSITION, "expect hand0=B4,R1,G3 hands=G3,R1,B4/G3,G1")
    assert failures(*lines) == []


def test_a_case_after_a_failing_one_is_run_all_the_same() -> None:
    titles = [(title, bool(failure)) for title, failure in results(("case one", "expect turn=0", "case two", POSITION))]
    assert titles == [("one", True), ("two", False)]


def test_the_command_prints_each_failure_and_the_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_text(f"\ufeffcase good\n{POSITION}\nexpect turn=0\n", encoding="utf-8")  # as some editors save it
    bad.write_text(f"case bad\n{POSITION}\nexpect turn=1\ncase empty\n")
    assert main([str(good)]) == 0
    assert capsys.readouterr().out == "1 passed, 0 failed\n"
    assert main([str(good), str(bad)]) == 1
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == f"{bad}:3: case bad"
    assert printed[1].startswith("    expected turn=1, got turn=0")
    assert printed[-1] == "2 passed, 1 failed"


def test_a_file_that_cannot_be_read_is_one_clear_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert capsys.readouterr().err == "usage: python -m games.rules.cases FILE…\n"
    missing, binary = tmp_path / "missing.txt", tmp_path / "binary.txt"
    binary.write_bytes(b"\xff\xfe")
    assert main([str(missing)]) == 2
    assert main([str(binary)]) == 2
    assert capsys.readouterr().err.splitlines() == [
        f"{missing}: cannot be read: No such file or directory",
        f"{binary}: cannot be read: not UTF-8 text",
    ]


def test_it_runs_as_a_module(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """``python -m games.rules.cases FILE``."""
    file = tmp_path / "good.txt"
    file.write_text(f"case good\n{POSITION}\nexpect turn=0\n")
    monkeypatch.setattr(sys, "argv", ["cases", str(file)])
    monkeypatch.delitem(sys.modules, "games.rules.cases")
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("games.rules.cases", run_name="__main__")
    assert ended.value.code == 0
