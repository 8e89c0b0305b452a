"""Whether a worker consumes, told by the file that it touches (see `config.worker`).

`python -m config.heartbeat` is the worker's health check: exit code 0 when it consumed lately, else 1.
"""

import os
import sys
import time
from pathlib import Path

LATE_SECONDS = 15.0


def beats(file: Path, *, within_seconds: float = LATE_SECONDS) -> bool:
    """Whether a worker touched the file in the last seconds."""
    try:
        return time.time() - file.stat().st_mtime < within_seconds
    except FileNotFoundError:
        return False


if __name__ == "__main__":
    sys.exit(0 if beats(Path(os.environ["TAKI_HEARTBEAT"])) else 1)
