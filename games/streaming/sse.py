"""Server-sent events as bytes."""

from typing import Final

from players.api.answers import json_bytes, now

HEARTBEAT: Final = b":\n\n"
NOW: Final = "\x00now"
"""Stands in a frame for the time at which it is sent, so that the rest is written once for everybody."""
_NOW_WRITTEN: Final = json_bytes(NOW)


def frame(event: str, data: object, *, version: int | None = None) -> bytes:
    """One event; ``version`` is its id. JSON has no line breaks of its own, so one `data:` line holds it."""
    identity = b"" if version is None else b"id: %d\n" % version
    return b"event: %s\n%sdata: %s\n\n" % (event.encode("ascii"), identity, json_bytes(data))


def retry(milliseconds: int) -> bytes:
    """After how long a client that lost the stream is to come again."""
    return b"retry: %d\n\n" % milliseconds


def stamped(frames: bytes) -> bytes:
    """The frames, ready to be sent."""
    return frames.replace(_NOW_WRITTEN, b'"%s"' % now().encode()) if _NOW_WRITTEN in frames else frames
