"""Signs of life of the worker and of beat: a file each that they touch while they do their work.

`python -m config.heartbeat worker` is a health check: exit code 0 when that one worked lately, else 1. Whoever
gave no sign for twelve seconds ends itself, so that whatever restarts ended processes (supervisord, a container's
restart policy) also restarts one that only hangs, and games stand still for less than twenty.
"""

import logging
import os
import sys
import threading
import time
from pathlib import Path

LATE_SECONDS = 10.0
GIVE_UP_SECONDS = 12.0

logger = logging.getLogger(__name__)


class Pulse:
    """One process's sign of life. Without a folder there is no file, and silence still ends the process."""

    def __init__(self, name: str, folder: Path | None) -> None:
        self.name = name
        self.file = None if folder is None else folder / name
        self.seen = time.monotonic()
        self.ending = False

    def beat(self) -> None:
        """Work is being done now."""
        self.seen = time.monotonic()
        if self.file is not None:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            self.file.touch()

    def end(self) -> None:
        """It is stopping and finishes its last work: silence is no fault any more."""
        self.ending = True

    def end_when_silent(self) -> None:
        """Start the thread that ends this process when it gives no sign of life."""
        self.seen = time.monotonic()
        threading.Thread(target=self._watch, name="pulse", daemon=True).start()

    def _watch(self) -> None:
        while self.ending or time.monotonic() - self.seen < GIVE_UP_SECONDS:
            time.sleep(1)
        logger.error("The %s did nothing for %d seconds and ends itself.", self.name, GIVE_UP_SECONDS)
        os._exit(1)


def beats(folder: Path, name: str) -> bool:
    """Whether that process gave a sign of life in the last seconds."""
    try:
        return time.time() - (folder / name).stat().st_mtime < LATE_SECONDS
    except FileNotFoundError:
        return False


if __name__ == "__main__":
    sys.exit(0 if beats(Path(os.environ["TAKI_HEARTBEATS"]), sys.argv[1]) else 1)
