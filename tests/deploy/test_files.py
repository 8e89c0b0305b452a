"""The files of a deployment, read: secrets, health checks, users, and that each name in them exists."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from config.env import VARIABLES
from config.processes import QUIET, stream_arguments
from tests.deploy.compose import FILE, ROOT, raw, services, variables

GIVEN = {
    "SECRET_KEY": "k" * 40,
    "TAKI_SIGNING_KEY": "5" * 64,
    "POSTGRES_PASSWORD": "p",
    "OWNER_PASSWORD": "o",
    "APPLICATION_PASSWORD": "a",
}
PROCESSES = {"api", "streams", "worker", "beat"}


def test_the_processes_are_those_of_up_and_their_servers() -> None:
    """Compose runs the same four processes as `up`, a migration, and the three servers."""
    assert set(services(GIVEN)) == {*PROCESSES, "migrate", "postgres", "valkey", "nginx"}


def test_secrets_have_no_default() -> None:
    """A deployment that forgets a secret does not start, and no other variable is required."""
    required = {name for name, rest in variables().items() if rest.startswith("?")}
    assert required == set(GIVEN)
    assert all(rest[:1] in "?-" and rest for rest in variables().values())


def test_each_variable_is_one_that_the_program_knows() -> None:
    """A container of ours is given nothing that `config.env` does not read."""
    known = {variable.name for variable in VARIABLES.values()} | {"DJANGO_SETTINGS_MODULE"}
    for service in services(GIVEN).values():
        if service.ours:
            assert set(service.environment) <= known, service.name


def test_the_documentation_names_each_variable_once() -> None:
    """docs/operations.md lists exactly the variables that `config.env` reads."""
    table = (ROOT / "docs" / "operations.md").read_text().split("## Variables")[1].split("## Health")[0]
    first_cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    named = [name for cell in first_cells for name in re.findall(r"`([A-Z_]+)`", cell)]
    assert sorted(named) == sorted(variable.name for variable in VARIABLES.values())


def test_each_service_has_a_health_check() -> None:
    """All but the migration, which ends."""
    for name, service in services(GIVEN).items():
        check = service.entry["healthcheck"]
        assert check == {"disable": True} if name == "migrate" else check["test"][0] == "CMD", name


def test_the_owners_password_reaches_only_the_migration() -> None:
    """No serving process could change a table or an event, even if it wanted to."""
    holders = {
        name
        for name, service in services({**GIVEN, "OWNER_PASSWORD": "owner-secret"}).items()
        if "owner-secret" in " ".join([*service.command, *service.environment.values()])
    }
    assert holders == {"migrate", "postgres"}


def test_what_ends_is_started_again() -> None:
    """Every service but the migration comes back by itself, and ours may write nowhere but in /tmp."""
    for name, service in services(GIVEN).items():
        assert service.entry["restart"] == ("on-failure" if name == "migrate" else "unless-stopped"), name
        if service.ours:
            assert service.entry["read_only"] is True
            assert service.entry["tmpfs"] == ["/tmp"]
            assert service.entry["cap_drop"] == ["ALL"]


def test_only_nginx_is_reached_from_outside() -> None:
    """The database and the broker publish no port and lie in a network without a way out."""
    found = services(GIVEN)
    assert {name for name, service in found.items() if "ports" in service.entry} == {"nginx"}
    assert raw()["networks"]["inside"] == {"internal": True}
    assert {name for name, service in found.items() if "outside" in service.entry["networks"]} == {"nginx"}


def test_commands_are_those_of_up() -> None:
    """Worker, beat, API and streams are started with the arguments that `up` uses."""
    found = services(GIVEN)
    assert found["worker"].command[4:] == ["--queues", "bots,clock,default", *QUIET]
    assert found["beat"].command == ["celery", "-A", "config.celery", "beat", "--pidfile", ""]
    assert found["api"].command == ["gunicorn", "-c", "python:config.gunicorn", "config.wsgi:application"]
    assert found["streams"].command == ["uvicorn", *stream_arguments("0.0.0.0", 8001)]  # noqa: S104  # within its container


def test_mounted_files_exist() -> None:
    """Every file that is mounted from this repository is there."""
    for service in services(GIVEN).values():
        for volume in service.entry.get("volumes", []):
            source = str(volume).split(":")[0]
            if source.startswith("."):
                assert (ROOT / source).is_file(), source


def test_the_image_runs_as_an_ordinary_user_with_pinned_packages() -> None:
    """The Dockerfile installs by hash, ends as a user of its own, and copies only files that exist."""
    text = (ROOT / "Dockerfile").read_text()
    lines = [line.split() for line in text.splitlines() if line and not line.startswith((" ", "#"))]
    assert [words for words in lines if words[0] == "USER"][-1] == ["USER", "taki"]
    assert "--require-hashes --no-deps -r /requirements/runtime.lock" in text
    for words in lines:
        if words[0] == "COPY" and not words[1].startswith("--"):
            assert (ROOT / words[1]).exists(), words


def test_lock_files_name_hashes_and_no_address() -> None:
    """Each package is pinned by hash; no index, no download address, no path of any machine."""
    for file in ("runtime.lock", "dev.lock"):
        text = (ROOT / "requirements" / file).read_text()
        packages = [line for line in text.splitlines() if re.match(r"[a-z0-9]", line)]
        assert packages
        assert all(re.match(r"[a-z0-9._-]+==\S+ (; .+ )?\\$", line) for line in packages)
        assert not re.search(r"https?:|file:|--(extra-)?index|--find-links|/(home|root|work)\b", text)
        assert text.count("==") - text.count("implementation_name ==") >= len(packages)


def test_the_runtime_lock_is_part_of_the_other() -> None:
    """What is tested is what runs: the same versions in both lock files."""
    pins = {
        file: set(re.findall(r"^[a-z0-9._-]+==[^ ]+", (ROOT / "requirements" / file).read_text(), re.MULTILINE))
        for file in ("runtime.lock", "dev.lock")
    }
    assert pins["runtime.lock"] < pins["dev.lock"]


@pytest.mark.skipif(not shutil.which("docker-compose"), reason="docker-compose is not installed")
def test_docker_compose_accepts_the_file(tmp_path: Path) -> None:
    """The tool itself reads it, and refuses it when a secret is missing."""
    command = ["docker-compose", "--file", str(FILE), "--project-directory", str(tmp_path), "config", "--quiet"]
    path = {"PATH": "/usr/bin:/bin:/usr/local/bin"}
    assert subprocess.run(command, env={**path, **GIVEN}, capture_output=True, check=False).returncode == 0
    without = {name: value for name, value in GIVEN.items() if name != "OWNER_PASSWORD"}
    refused = subprocess.run(command, env={**path, **without}, capture_output=True, text=True, check=False)
    assert refused.returncode != 0
    assert "OWNER_PASSWORD" in refused.stderr
