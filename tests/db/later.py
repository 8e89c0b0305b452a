"""Another time: the process lives later, or nobody has looked at the clocks for a while."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from unittest.mock import patch

from django.db import connection


@contextmanager
def later(seconds: float) -> Iterator[None]:
    """The whole process lives that much later."""
    shift = timedelta(seconds=seconds)

    class Later(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]  # the one way it is called
            return datetime.now(UTC) + shift

    import time

    nanoseconds = time.time_ns
    with (
        patch("games.services.sweep.datetime", Later),
        patch("games.selectors.datetime", Later),
        patch("time.time_ns", lambda: nanoseconds() + int(seconds * 1e9)),
    ):
        yield


def watched(*, ended_ago: float) -> None:
    """Sweeps have looked at the clocks until so many seconds ago, by the database's time."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO games_watch (began_at, last_at)"
            " SELECT at - interval '1 hour', at"
            " FROM (SELECT clock_timestamp() - make_interval(secs => %s) AS at) ended",
            (ended_ago,),
        )
