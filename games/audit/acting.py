"""Who is at work in this thread: set by a middleware, asked by what tells the audit log."""

import sys
from collections.abc import Callable
from contextvars import ContextVar
from pathlib import Path
from typing import Final
from uuid import UUID

acting: Final[ContextVar[Callable[[], UUID | None] | None]] = ContextVar("acting", default=None)
"""Finds the player whose request it is; None outside of one."""


def acting_player() -> UUID | None:
    """The player whose request is at work; None for a command, a task, or a request of nobody."""
    find = acting.get()
    return None if find is None else find()


def acting_command() -> str:
    """The management command that this process runs; empty when it runs none."""
    if acting.get() is not None or Path(sys.argv[0]).name != "manage.py":
        return ""
    return sys.argv[1] if len(sys.argv) > 1 else ""
