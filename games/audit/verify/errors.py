"""What a check may end with, other than that everything holds."""


class Forged(Exception):
    """The log is not what was committed to, or not what the rules make of it.

    ``version``: of the first event that is wrong; 0 when it is no single event. ``what``: a sentence; ``found`` and
    ``expected`` say it in the log's own words, empty where there is nothing to say.
    """

    def __init__(self, what: str, *, version: int = 0, found: str = "", expected: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.version = version
        self.found = found
        self.expected = expected

    def __str__(self) -> str:
        told = f"version {self.version}: {self.what}" if self.version else self.what
        if self.found:
            told += f"; found {self.found}"
        return f"{told}; expected {self.expected}" if self.expected else told


class Unreadable(Forged):
    """This is no log that can be judged: not JSON, cut off, of a later version, or something else altogether."""

    def __init__(self, what: str, *, line: int = 0) -> None:
        super().__init__(f"line {line}: {what}" if line else what)
        self.line = line


def shown(text: object, most: int = 200) -> str:
    """A value as a message may repeat it: ASCII and short, whatever somebody wrote into a file."""
    spelt = text if isinstance(text, str) and text.isascii() and text.isprintable() else ascii(text)
    return spelt if len(spelt) <= most else spelt[: most - 3] + "..."
