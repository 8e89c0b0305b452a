"""gunicorn's settings for the REST API, the same under `./taki up` and in the image."""

import os
import socket
import struct
from typing import Any, Final

from config.env import read

_env = read(os.environ)
# Before the application reads its settings: one connection for each thread, by a pool.
os.environ.setdefault("TAKI_DATABASE_CONNECTIONS", str(_env.api_threads))

from config.logs import logging_settings  # noqa: E402  (must follow the line above)

bind = f"{_env.bind}:{_env.port}"
workers = _env.api_processes
threads = _env.api_threads
worker_class = "config.answering.ProblemWorker"
# Never preloaded: a connection pool and its threads do not survive a fork.
preload_app = False
timeout = 30
graceful_timeout = 10
keepalive = 75
max_requests = 0
# The rules of the API allow 64 KiB bodies; lines and headers are bounded here.
limit_request_line = 4094
limit_request_fields = 100
control_socket_disable = True
proc_name = "taki-api"
logconfig_dict = logging_settings(_env.log_level)

SILENCE_SECONDS: Final = 15
"""How long a client may send nothing of a request that it began, or take nothing of its answer."""


def when_ready(server: Any) -> None:
    """Bound every wait for a client: gunicorn's threads wait for ever, so a few silent ones would take them all.

    The kernel's own timeouts, which each accepted connection inherits from the listening socket.
    """
    for listener in server.LISTENERS:
        bound_waits(listener.sock)


def bound_waits(listening: socket.socket) -> None:
    """No connection accepted from now on waits longer than ``SILENCE_SECONDS`` for its client."""
    for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
        listening.setsockopt(socket.SOL_SOCKET, option, struct.pack("ll", SILENCE_SECONDS, 0))
