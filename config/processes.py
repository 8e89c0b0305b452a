"""The processes of a running system: the same commands under `./taki up` and in the compose file."""

import sys
from dataclasses import dataclass

from config.embedded import Server
from config.env import Environment

# Celery's chatter between workers is for many of them; every start would wait a second for it.
QUIET = ("--without-gossip", "--without-mingle", "--without-heartbeat")


@dataclass(frozen=True, slots=True)
class Process:
    """One process in the foreground: how it is started, and how it is stopped before it is killed."""

    name: str
    command: tuple[str, ...]
    stop_signal: str = "TERM"
    stop_seconds: int = 20


def postgres(server: Server) -> Process:
    """SIGINT is PostgreSQL's fast stop: it ends its sessions and writes everything."""
    return Process("postgres", server.command, stop_signal="INT", stop_seconds=30)


def valkey(server: Server) -> Process:
    """SIGTERM lets it write its log."""
    return Process("valkey", server.command)


def serving(env: Environment) -> tuple[Process, ...]:
    """API, streams, worker and beat, in the order in which they start; they stop in the reverse."""
    return (
        Process("api", _module("gunicorn", "-c", "python:config.gunicorn", "config.wsgi:application")),
        Process("streams", _module("uvicorn", *stream_arguments(env.bind, env.stream_port))),
        Process(
            "worker",
            _module("celery", "-A", "config.celery", "worker", "--queues", "bots,clock,default", *QUIET),
            # Longer than a task may take: a warm stop lets the running ones finish.
            stop_seconds=40,
        ),
        # No pid file: one that a killed beat leaves behind would keep the next one from starting.
        Process("beat", _module("celery", "-A", "config.celery", "beat", "--pidfile", "")),
    )


def stream_arguments(bind: str, port: int) -> tuple[str, ...]:
    """uvicorn's arguments. Open streams are cut five seconds after a stop; a client then resumes elsewhere."""
    log = ("--log-config", "config/uvicorn.json", "--no-access-log")
    connections = ("--http", "config.connections:StreamConnection", "--timeout-graceful-shutdown", "5")
    return ("config.asgi:application", "--host", bind, "--port", str(port), *log, *connections)


def _module(name: str, *arguments: str) -> tuple[str, ...]:
    return (sys.executable, "-m", name, *arguments)
