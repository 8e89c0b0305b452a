"""What is wrong with the text of a record, and where."""

from games.audit.verify.errors import Unreadable, shown


class RecordError(Unreadable):
    """The text is no record; ``line`` says where."""


class Where:
    """Says the line of what goes wrong within it: a ValueError becomes a RecordError."""

    def __init__(self, line: int) -> None:
        self.line = line

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, RecordError):
            return
        if isinstance(error, ValueError):
            raise RecordError(shown(str(error)), line=self.line) from None
