"""`If-Match` on acts: carried out only on what the caller saw."""

from rest_framework.request import Request

from players.api.answers import tags
from players.api.errors import PreconditionFailed
from players.api.fields import invalid


def tags_wanted(request: Request) -> list[tuple[bool, str]] | None:
    """The tags that `If-Match` names, each with whether it is weak; None without one, or for `*`. ValidationError."""
    header = request.META.get("HTTP_IF_MATCH", "").strip()
    if not header or header == "*":
        return None
    named = tags(header)
    if named is None:
        raise invalid("If-Match", "bad_etag")
    return named


def if_match(request: Request) -> frozenset[str] | None:
    """The tags that `If-Match` names; None without one, or for `*`. A weak tag never matches. ValidationError."""
    named = tags_wanted(request)
    return None if named is None else frozenset(tag for weak, tag in named if not weak)


def require_match(wanted: frozenset[str], tag: str, version: int) -> None:
    """PreconditionFailed, with the present version, unless the present tag is among those wanted."""
    if tag not in wanted:
        raise PreconditionFailed(version)
