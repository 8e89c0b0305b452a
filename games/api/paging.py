"""Lists by cursor: the newest first, each page's links to the next and the previous."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import QuerySet

from games.models import Game
from players.api.answers import address
from players.api.fields import invalid

PAGE: Final = 20
MOST_IN_PAGE: Final = 100
_ID_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class Page:
    """Some games, and the cursors of the pages before and after; None where there is none."""

    games: tuple[Game, ...]
    previous: str | None
    next: str | None


def games_page(games: QuerySet[Game], *, cursor: str | None, limit: int) -> Page:
    """One page of the games by id, the newest first. ValidationError for a cursor that is none."""
    if cursor is None:
        found = tuple(games.order_by("-id")[: limit + 1])
        return _page(found[:limit], has_previous=False, has_next=len(found) > limit)
    back, game_id = _read(cursor)
    if back:
        found = tuple(games.filter(pk__gt=game_id).order_by("id")[: limit + 1])
        return _page(found[limit - 1 :: -1] if len(found) > limit else found[::-1], len(found) > limit, has_next=True)
    found = tuple(games.filter(pk__lt=game_id).order_by("-id")[: limit + 1])
    return _page(found[:limit], has_previous=True, has_next=len(found) > limit)


def link(path: str, asked: Mapping[str, object], cursor: str | None) -> str | None:
    """The address of the page of this cursor, with the same filters."""
    if cursor is None:
        return None
    kept = {name: value for name, value in asked.items() if name != "cursor" and value is not None}
    return address(f"{path}?{urlencode({**kept, 'cursor': cursor})}")


def cursor_after(game_id: UUID) -> str:
    """The cursor of the games that come after this one."""
    return _written(False, game_id)


def cursor_game(cursor: str) -> UUID:
    """The game that a list went on from, in the one direction that it has. ValidationError."""
    back, game_id = _read(cursor)
    if back:
        raise invalid("cursor", "bad_cursor")
    return game_id


def _page(games: tuple[Game, ...], has_previous: bool, has_next: bool) -> Page:
    if not games:
        return Page((), None, None)
    return Page(
        games,
        _written(True, games[0].pk) if has_previous else None,
        _written(False, games[-1].pk) if has_next else None,
    )


def _written(back: bool, game_id: UUID) -> str:
    return urlsafe_b64encode((b"<" if back else b">") + game_id.bytes).rstrip(b"=").decode()


def _read(cursor: str) -> tuple[bool, UUID]:
    try:
        data = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
    except ValueError:
        data = b""
    if len(data) != 1 + _ID_BYTES or data[:1] not in (b"<", b">"):
        raise invalid("cursor", "bad_cursor")
    return data[:1] == b"<", UUID(bytes=data[1:])
