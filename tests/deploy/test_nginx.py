"""nginx with the deployment's own configuration in front of a running system, where nginx is installed."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.deploy.compose import ROOT
from tests.e2e.system import System, eventually, free_port

CONFIGURATION = ROOT / "deploy" / "nginx" / "taki.conf"
NGINX = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")


def _main(folder: Path, site: str) -> str:
    own = "".join(
        f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    return f"pid {folder}/pid;\nerror_log {folder}/error.log;\nevents {{}}\nhttp {{\n{own}{site}\n}}\n"


@pytest.fixture(scope="module")
def front(system: System) -> Iterator[str]:
    """nginx's address; upstream hosts, port and log are this machine's, all else is the file's."""
    if not NGINX:
        pytest.skip("nginx is not installed")
    folder = Path(tempfile.mkdtemp(prefix="taki-nginx-", dir="/tmp"))
    folder.chmod(0o755)
    port = free_port()
    site = CONFIGURATION.read_text()
    for old, new in {
        "http://api:8000": system.url,
        "http://streams:8001": system.stream_url,
        "listen 8080": f"listen 127.0.0.1:{port}",
        "/dev/stdout": f"{folder}/access.log",
    }.items():
        assert site.count(old) == 1, old
        site = site.replace(old, new)
    (folder / "nginx.conf").write_text(_main(folder, site))
    server = subprocess.Popen([NGINX, "-p", folder, "-c", folder / "nginx.conf", "-g", "daemon off;"])
    try:
        eventually(lambda: _answers(f"http://127.0.0.1:{port}/healthz"), "nginx answers", 20)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(20)
        shutil.rmtree(folder, ignore_errors=True)


def _answers(page: str) -> bool:
    try:
        return httpx.get(page).status_code == 200
    except httpx.TransportError:
        return False


def test_api_pages_and_static_files_pass(front: str) -> None:
    """The docs page and every file that it names come through."""
    page = httpx.get(f"{front}/api/docs/")
    assert page.status_code == 200
    for file in re.findall(r'(?:src|href)="(/static/[^"]+)"', page.text):
        assert httpx.get(front + file).status_code == 200


def test_streams_are_reached_below_their_prefix(front: str) -> None:
    """`/streams/…` is the stream process, without the prefix."""
    assert httpx.get(f"{front}/streams/healthz").json() == {"status": "ok"}


def test_a_body_over_the_limit_is_a_problem(front: str) -> None:
    """64 KiB and a byte is refused by nginx itself, in the API's format."""
    answer = httpx.post(f"{front}/api/v1/players/guest/", content=b"x" * (64 * 1024 + 1))
    assert answer.status_code == 413
    assert answer.headers["content-type"] == "application/problem+json"
    assert (answer.json()["status"], answer.json()["code"]) == (413, "body_too_large")


def test_a_missing_backend_is_a_problem_that_can_be_tried_again(front: str, system: System) -> None:
    """While the stream process is away its clients are told so in the API's format."""
    system.kill_and_wait("streams")
    answer = httpx.get(f"{front}/streams/healthz")
    while answer.status_code == 503:
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.headers["retry-after"] == "2"
        answer = httpx.get(f"{front}/streams/healthz")
    assert answer.status_code == 200


def test_readiness_is_not_for_outsiders_and_forged_addresses_are_replaced(front: str) -> None:
    """`/readyz` answers this machine only; nginx passes on the address that it saw."""
    assert httpx.get(f"{front}/readyz").status_code == 200  # from loopback
    text = CONFIGURATION.read_text()
    assert "proxy_set_header X-Forwarded-For $remote_addr;" in text
    assert "deny all;" in text
