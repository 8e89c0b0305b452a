"""Without a browser the tests go on, and nobody overlooks that these were not run."""

import os
import subprocess
import sys

import pytest

from tests.browser.chromium import MAY_INSTALL
from tests.e2e.system import ROOT


@pytest.mark.parametrize("program", ["", "/usr/bin/true"])
def test_the_last_line_says_whether_the_browser_tests_were_not_run(program: str) -> None:
    """They are deselected where there is none and none may be installed; where there is one, nothing is said."""
    environment = {name: value for name, value in os.environ.items() if name != MAY_INSTALL}
    environment["CHROMIUM_FOR_TESTS"] = program or "/nowhere/chromium"
    command = [sys.executable, "-m", "pytest", "tests/browser/test_theme.py", "tests/browser/test_absent.py"]
    done = subprocess.run(
        [*command, "--collect-only", "-q", "-p", "no:cacheprovider"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    last = done.stdout.rstrip().splitlines()[-1]
    assert done.returncode == 0, done.stdout + done.stderr
    assert ("test_theme.py" in done.stdout) == bool(program)
    assert last.startswith("The browser tests were NOT run") == (not program), last
