"""The data folder's secrets: drawn once, completed when something new is needed, replaced when asked."""

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from config.account import SetUpFailed
from config.current import ENV
from config.folder import key_replace, secrets_of


def test_a_signing_key_is_drawn_with_the_other_secrets_and_kept(tmp_path: Path) -> None:
    """32 bytes, readable by the owner alone, the same at each start."""
    first = secrets_of(tmp_path)
    assert len(bytes.fromhex(first.signing_key)) == 32
    assert secrets_of(tmp_path) == first
    assert (tmp_path / "secrets.json").stat().st_mode & 0o077 == 0
    other = tmp_path / "other"
    other.mkdir()
    assert secrets_of(other).signing_key != first.signing_key


def test_a_folder_of_before_there_were_signatures_gets_a_key(tmp_path: Path) -> None:
    """Its other secrets stay, as its database is opened with them."""
    old = {"secret_key": "k", "owner_password": "o", "application_password": "a"}
    (tmp_path / "secrets.json").write_text(json.dumps(old))
    (tmp_path / "postgres").mkdir()
    found = secrets_of(tmp_path)
    assert (found.secret_key, found.owner_password, found.application_password) == ("k", "o", "a")
    assert len(bytes.fromhex(found.signing_key)) == 32
    assert secrets_of(tmp_path) == found


def test_a_key_is_replaced_and_nothing_else(tmp_path: Path) -> None:
    """And only where there is one."""
    first = secrets_of(tmp_path)
    key_replace(tmp_path)
    second = secrets_of(tmp_path)
    assert second.signing_key != first.signing_key
    assert (second.secret_key, second.passwords) == (first.secret_key, first.passwords)
    with pytest.raises(SetUpFailed, match=r"secrets.json is not there"):
        key_replace(tmp_path / "nowhere")


def test_the_command_says_what_to_do_where_there_is_no_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Never a key itself."""
    monkeypatch.setattr("config.management.commands.keys_replace.ENV", replace(ENV, data_dir=tmp_path))
    with pytest.raises(CommandError, match=r"TAKI_SIGNING_KEY to 32 other random bytes .* on every machine"):
        call_command("keys_replace")
    key = secrets_of(tmp_path).signing_key
    out = io.StringIO()
    call_command("keys_replace", stdout=out)
    assert secrets_of(tmp_path).signing_key not in (key, "")
    assert secrets_of(tmp_path).signing_key not in out.getvalue()
    assert "Restart" in out.getvalue()
