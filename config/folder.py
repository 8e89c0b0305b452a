"""The data folder of `./taki up`: held by one system at a time, with the secrets that are made once."""

import fcntl
import json
import os
import secrets
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import IO, Final

from config.account import SetUpFailed
from config.embedded import Passwords

KEY_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Secrets:
    """What the first start draws and every later one finds again."""

    secret_key: str
    owner_password: str
    application_password: str
    signing_key: str = ""  # 32 bytes in hexadecimal; folders of before there were signatures have none

    @property
    def passwords(self) -> Passwords:
        """The database roles' passwords."""
        return Passwords(owner=self.owner_password, application=self.application_password)


def hold(folder: Path) -> IO[str]:
    """Make the folder if need be and lock it until the answer is closed. Raises SetUpFailed in one sentence."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / "lock").open("a")
    except FileExistsError:
        raise SetUpFailed(f"{folder} is a file; TAKI_DATA_DIR must name a folder.") from None
    except OSError as problem:
        raise SetUpFailed(f"The data folder {folder} cannot be written ({problem.strerror}).") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise SetUpFailed(
            f"Another `taki up` is using {folder}: stop it, or give this one its own TAKI_DATA_DIR."
        ) from None
    return lock


def secrets_of(folder: Path) -> Secrets:
    """The folder's secrets, drawn if it is new. Raises SetUpFailed when they are lost or unreadable."""
    file = folder / "secrets.json"
    try:
        found = Secrets(**json.loads(file.read_text()))
        return found if len(bytes.fromhex(found.signing_key)) == KEY_BYTES else _with_new_key(file, found)
    except FileNotFoundError:
        if (folder / "postgres").exists():
            raise SetUpFailed(
                f"{file} is missing, so the database beside it cannot be opened: "
                "put the file back, or move the folder away to begin anew."
            ) from None
    except (OSError, ValueError, TypeError):
        raise SetUpFailed(f"{file} cannot be read: put it back from a backup, or move the folder away.") from None
    return _with_new_key(file, Secrets(secrets.token_urlsafe(48), secrets.token_hex(24), secrets.token_hex(24)))


def key_replace(folder: Path) -> None:
    """Draw another signing key for the folder; its next start uses it. SetUpFailed when the folder has no secrets."""
    file = folder / "secrets.json"
    if not file.exists():
        raise SetUpFailed(f"{file} is not there: no `taki up` has begun in this folder.")
    _with_new_key(file, secrets_of(folder))


def _with_new_key(file: Path, kept: Secrets) -> Secrets:
    drawn = replace(kept, signing_key=secrets.token_hex(KEY_BYTES))
    write_private(file, json.dumps(asdict(drawn)))
    return drawn


def write_private(file: Path, text: str) -> None:
    """Write the whole file or nothing, readable by its owner alone."""
    fresh = file.with_name(file.name + ".new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    fresh.replace(file)
