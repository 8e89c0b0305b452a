"""The running system holds its contract whatever it is sent: schemathesis, all checks, all phases, authenticated."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.contract.fuzz_world import CHOICES, furnished
from tests.e2e.system import ROOT, System

HERE = Path(__file__).parent
PATIENCE_SECONDS = 7_200
CALLS_DEEP = 20_000


def fuzz(system: System, folder: Path, *options: str) -> Counter[int]:
    """Run schemathesis against the system, all checks; how often each status came. Fails with what it found."""
    token = furnished(system.url, folder)
    document = folder / "openapi.json"
    document.write_text(json.dumps(_own_process()))
    report = folder / "calls.ndjson"
    run = subprocess.run(
        [
            str(Path(sys.executable).parent / "schemathesis"),
            *("--config-file", str(HERE / "schemathesis.toml")),
            *("run", str(document), "--url", system.url, "--checks", "all"),
            *("-H", f"Authorization: Bearer {token}", "--report", "ndjson", "--report-ndjson-path", str(report)),
            *options,
        ],
        cwd=folder,
        env={
            **os.environ,
            "SCHEMATHESIS_HOOKS": "tests.contract.fuzz_hooks",
            "FUZZ_CHOICES": str(folder / CHOICES),
            "PYTHONPATH": str(ROOT),
        },
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-20_000:] + run.stderr[-2_000:]
    return statuses(report)


def _own_process() -> dict[str, object]:
    """The document without the streams, which another process serves."""
    document: dict[str, object] = json.loads((ROOT / "docs" / "api" / "openapi.json").read_text())
    paths = document["paths"]
    assert isinstance(paths, dict)
    document["paths"] = {path: told for path, told in paths.items() if "servers" not in told.get("get", {})}
    return document


def statuses(report: Path) -> Counter[int]:
    """How often each status was answered."""
    found: Counter[int] = Counter()
    with report.open(encoding="utf-8") as lines:
        for line in lines:
            recorder = json.loads(line).get("ScenarioFinished", {}).get("recorder", {})
            for called in (recorder.get("interactions") or {}).values():
                found[(called.get("response") or {}).get("status_code", 0)] += 1
    return found


def test_a_few_hundred_calls_hold_the_contract(system: System, tmp_path: Path) -> None:
    """No 500, no status or shape that is not documented, nothing without a token that wants one."""
    answered = fuzz(system, tmp_path, "--phases", "fuzzing", "-n", "3", "--seed", "6")
    assert sum(answered.values()) >= 300
    assert sum(count for status, count in answered.items() if status < 300) >= 20
    assert not answered[500]


@pytest.mark.deep
def test_tens_of_thousands_of_calls_hold_the_contract(system: System, tmp_path: Path) -> None:
    """All phases: what the schema's edges are, made-up requests good and bad, and chains of requests."""
    answered = fuzz(system, tmp_path, "-n", "250")
    assert sum(answered.values()) >= CALLS_DEEP
    assert not answered[500]
