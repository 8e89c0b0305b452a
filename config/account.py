"""As whom the embedded servers run: PostgreSQL refuses to be root, so root lends it an ordinary user."""

import os
import pwd
import shutil
import subprocess
import sys
from pathlib import Path

# Nothing of this process's environment (keys, passwords) reaches a server.
_CLEAN = ("/usr/bin/env", "-i", "LC_ALL=C", "PATH=/usr/bin:/bin")
# When a parent folder is closed to others (a home, say), the servers may pass through it; nobody's folder is opened.
_PASSAGES = ((), ("dac_read_search",), ("dac_override",))


class SetUpFailed(Exception):
    """The system cannot be set up here; the text is one sentence that says why and what to do."""


Account = tuple[int, int] | None  # user and group id; None: whoever runs this


def ends_with_parent(last_signal: str) -> tuple[str, ...]:
    """The words before a command that let Linux send it `last_signal` when its parent is killed."""
    setpriv = shutil.which("setpriv") if sys.platform == "linux" else None
    return (setpriv, "--pdeathsig", last_signal, "--") if setpriv else ()


def command_prefix(folder: Path, binary: Path, last_signal: str) -> tuple[Account, tuple[str, ...]]:
    """The account that owns the servers' folders, and the words before a command that make it run so.

    `folder` exists; if an ordinary user owns it already, that one is taken, else `nobody`.
    `last_signal` (INT, TERM) reaches the server when its parent is killed.
    """
    if os.geteuid() != 0:
        return None, (*_CLEAN, *ends_with_parent(last_signal))
    account = _unprivileged(folder)
    if not (setpriv := shutil.which("setpriv")):
        raise SetUpFailed("As root this needs `setpriv` (util-linux): install it, or run as an ordinary user.")
    for passage in _PASSAGES:
        prefix = (*_CLEAN, setpriv, "--pdeathsig", last_signal, *_switches(account, passage))
        if _works(prefix, folder, binary):
            return account, prefix
    raise SetUpFailed(
        f"PostgreSQL must not run as root, and user {account[0]} cannot reach {folder} or {binary}: "
        "set TAKI_DATA_DIR to a folder that every user may pass through, or run as an ordinary user."
    )


def _unprivileged(folder: Path) -> tuple[int, int]:
    owner = folder.stat()
    if owner.st_uid:
        return owner.st_uid, owner.st_gid
    try:
        nobody = pwd.getpwnam("nobody")
    except KeyError:
        return 65534, 65534
    return nobody.pw_uid, nobody.pw_gid


def _switches(account: tuple[int, int], passage: tuple[str, ...]) -> list[str]:
    words = [f"--reuid={account[0]}", f"--regid={account[1]}", "--clear-groups"]
    for capability in passage:
        words += [f"--inh-caps=+{capability}", f"--ambient-caps=+{capability}"]
    return [*words, "--"]


def _works(prefix: tuple[str, ...], folder: Path, binary: Path) -> bool:
    """Whether that account can run the binary and enter the folder."""
    return all(
        subprocess.run([*prefix, *command], capture_output=True, check=False).returncode == 0
        for command in ([str(binary), "--version"], ["/bin/sh", "-c", 'cd "$0"', str(folder)])
    )


def give(folder: Path, account: Account) -> None:
    """Make the folder the account's own and private."""
    if account is not None:
        os.chown(folder, *account)
    folder.chmod(0o700)
