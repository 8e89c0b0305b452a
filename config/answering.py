"""gunicorn's worker: what is no readable HTTP is answered as a problem, as everything else is."""

import json
import re
from typing import Any, Final

from gunicorn.workers.gthread import ThreadWorker

_STATUS: Final = re.compile(rb"HTTP/1\.1 (\d{3}) ([^\r\n]*)")


class _Heard:
    """Stands for the client's connection, and keeps what is said to it."""

    def __init__(self) -> None:
        self.said = b""

    def gettimeout(self) -> float:
        """As of a connection that never blocks, so that nothing else is asked of it."""
        return 0.0

    def sendall(self, data: bytes) -> None:
        """Keep it."""
        self.said += data


class ProblemWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn's own, whose page of a bad request is HTML."""

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        """Log as ever; answer with the same status and a problem document."""
        heard = _Heard()
        super().handle_error(req, heard, addr, exc)
        found = _STATUS.match(heard.said)
        if found is None:
            return
        try:
            client.sendall(_answer(int(found[1]), found[2]))
        except OSError:
            self.log.debug("the client of a bad request has gone")


def _answer(status: int, reason: bytes) -> bytes:
    from config.problems import MEDIA_TYPE, Found, problem_response  # noqa: PLC0415  # once Django is set up

    problem = json.loads(problem_response(Found("bad_request" if status < 500 else "server_error")).content)
    body = json.dumps({**problem, "status": status}).encode()
    head = f"Content-Type: {MEDIA_TYPE}\r\nCache-Control: no-store\r\nContent-Length: {len(body)}\r\n"
    return b"HTTP/1.1 %d %s\r\nConnection: close\r\n%s\r\n%s" % (status, reason, head.encode(), body)
