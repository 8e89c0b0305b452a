"""`python -m config.probe URL`: a container's health check. Exit code 0 when the page answers 200, else 1."""

import sys
from urllib.error import URLError
from urllib.request import urlopen


def answers(page: str) -> bool:
    """Whether the page answers 200 within eight seconds."""
    try:
        with urlopen(page, timeout=8) as answer:  # noqa: S310  (an address of our own)
            return bool(answer.status == 200)
    except (URLError, OSError):
        return False


if __name__ == "__main__":
    sys.exit(0 if answers(sys.argv[1]) else 1)
