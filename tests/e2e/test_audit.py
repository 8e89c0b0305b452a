"""The audit on a whole started system."""

import json
from pathlib import Path

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.e2e.system import System


def test_the_key_is_published_by_the_start_and_an_audit_finds_all_well(system: System) -> None:
    """Its private half is in the data folder alone; `games_audit` runs beside the moves."""
    keys = httpx.get(f"{system.url}/api/v1/keys/").json()["keys"]
    private = json.loads((system.folder / "secrets.json").read_text())["signing_key"]
    public = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(private)).public_key().public_bytes_raw()
    assert [(key["public_key"], key["until"]) for key in keys] == [(public.hex(), None)]
    holders = [file for file in system.folder.rglob("*") if file.is_file() and private.encode() in file.read_bytes()]
    assert {file.name for file in holders} == {"secrets.json", "environment.json"}
    assert " 0 failed, 0 differ from their logs" in system.manage("games_audit")
    assert httpx.get(f"{system.url}/metrics").text.count("taki_audit_failed_games 0.0") == 1


@pytest.mark.faults
def test_a_replaced_key_is_published_by_the_next_start_and_a_restored_dump_verifies(tmp_path: Path) -> None:
    """The steps of docs/operations.md on a system of its own: another key, a dump, a restore, an audit."""
    own = System()
    try:
        own.start()
        first = httpx.get(f"{own.url}/api/v1/keys/").json()["keys"]
        own.manage("keys_replace")
        dump = tmp_path / "taki.dump"
        own.manage("database_dump", str(dump))
        own.restart()
        keys = httpx.get(f"{own.url}/api/v1/keys/").json()["keys"]
        assert [key["key"] for key in keys[:-1]] == [key["key"] for key in first]
        assert [key["until"] is None for key in keys] == [False, True]
        own.manage("database_restore", str(dump), "--replace")
        own.restart()
        assert " 0 failed, 0 differ from their logs" in own.manage("games_audit", "--anew")
        again = httpx.get(f"{own.url}/api/v1/keys/").json()["keys"]
        assert [key["key"] for key in again] == [key["key"] for key in keys]
        own.stop()
    finally:
        own.close()
