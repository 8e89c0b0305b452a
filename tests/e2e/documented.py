"""The shell blocks of a page, run as one script against a running system."""

import os
import re
import subprocess

from tests.e2e.system import ROOT, System

PATIENCE_SECONDS = 420


def blocks(page: str, language: str = "sh") -> list[str]:
    """The fenced blocks of a page in this language."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def blocks_run(system: System, page: str) -> str:
    """What the shell blocks of a page print, one after the other."""
    found = blocks(page)
    assert found
    variables = {
        "API": f"{system.url}/api/v1",
        "STREAMS": f"{system.stream_url}/api/v1",
        "LOG": str(system.folder / "log" / "worker.log"),
    }
    run = subprocess.run(
        ["sh", "-c", "set -eu\n" + "".join(found)],
        cwd=ROOT,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert run.returncode == 0, run.stderr + run.stdout
    return run.stdout
