"""Games that are over, as text and in bulk: the record of one, the exports of many."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final
from uuid import UUID

from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request

from games.api.logs import NdjsonRenderer, WrittenByViews
from games.api.paging import cursor_after, cursor_game, link
from games.api.shapes import FullEventShape
from games.audit.bulk import MOST_GAMES, Bulk, over
from games.audit.recording import record_tag, record_text
from games.audit.verify import Forged
from games.errors import WrongPhase
from games.models import Phase
from games.rules.ruleset import Mode
from games.selectors import game_get, game_list
from players.api.answers import NDJSON, PRIVATE, json_bytes, unchanged
from players.api.door import Endpoint, caller
from players.api.fields import Cursor, OneOf, QueryNumber, StrictSerializer, Text, Time
from players.api.schema import IF_NONE_MATCH, reading
from players.api.throttles import GAME_EXPORTS, RECORDS

TEXT: Final = "text/plain"
PATH: Final = "/api/v1/games/export/"
USUAL_GAMES: Final = 100
_OVER: Final = (Phase.FINISHED.value, Phase.ABORTED.value)


class TextRenderer(WrittenByViews):
    """Text for people."""

    media_type = TEXT
    format = "txt"
    charset = "utf-8"


class RecordView(Endpoint):
    """A game to be read."""

    renderer_classes = (TextRenderer,)
    limit = RECORDS

    @reading("games_record", "The record", {(200, TEXT): OpenApiTypes.STR}, IF_NONE_MATCH, more=(409,))
    def get(self, request: Request, game_id: UUID) -> HttpResponse:
        """The whole game as text that people read and `taki verify` checks; when the game is over."""
        game = game_get(game_id=game_id, viewer=caller(request))
        tag = record_tag(game=game)
        headers = {"Cache-Control": PRIVATE, "ETag": f'"{tag}"'}
        if_none_match = str(request.META.get("HTTP_IF_NONE_MATCH", ""))
        if game.phase in _OVER and if_none_match and unchanged(if_none_match, tag):
            return HttpResponse(status=304, headers=headers)
        try:
            text = record_text(game=game)
        except Forged:
            raise WrongPhase("frozen", game.phase) from None
        headers["Content-Disposition"] = f'inline; filename="taki-{game_id}.taki"'
        return HttpResponse(text.encode(), content_type=f"{TEXT}; charset=utf-8", headers=headers)


# `from` is a keyword of Python, so that the class cannot be written out.
GamesExportQuery = type(
    "GamesExportQuery",
    (StrictSerializer,),
    {
        "__doc__": "Which games.",
        "phase": OneOf(choices=_OVER, default=Phase.FINISHED.value),
        "mode": OneOf(choices=[mode.value for mode in Mode], required=False),
        "player": Text(most=24, required=False, help_text="The name of a player who sits there."),
        "from": Time(required=False, help_text="Ended then or later."),
        "to": Time(required=False, help_text="Ended before."),
        "limit": QueryNumber(least=1, most=MOST_GAMES, default=USUAL_GAMES),
        "cursor": Cursor(required=False),
    },
)


class GamesExportView(Endpoint):
    """Many games at once."""

    query: ClassVar[Any] = GamesExportQuery
    renderer_classes = (NdjsonRenderer,)
    limit = GAME_EXPORTS

    @reading("games_export_many", "Full logs of many games", {(200, NDJSON): FullEventShape}, GamesExportQuery)
    def get(self, request: Request) -> HttpResponseBase:
        """The exports of games that are over, one game's lines after the other's, the newest games first.

        The last line is no event but `{"games": N, "next": URL or null}`: without it the answer was cut off. `next`
        has the games after these: an answer holds at most `limit` games, and after 100,000 events it ends with the
        game that it is at.
        """
        asked = self.asked
        games = game_list(
            viewer=caller(request), phase=asked["phase"], mode=asked.get("mode"), player=asked.get("player")
        )
        games = over(games, since=asked.get("from"), until=asked.get("to"))
        if "cursor" in asked:
            games = games.filter(pk__lt=cursor_game(asked["cursor"]))
        ids = list(games.values_list("pk", flat=True)[: asked["limit"] + 1])
        lines = _lines(ids, asked["limit"], request.query_params.dict())
        return StreamingHttpResponse(lines, content_type=NDJSON, headers={"Cache-Control": PRIVATE})


def _lines(ids: Sequence[UUID], limit: int, asked: Mapping[str, str]) -> Iterator[bytes]:
    """The logs of so many of the games, then where to go on."""
    bulk = Bulk(ids[:limit])
    for line in bulk.lines():
        yield line.encode("ascii") + b"\n"
    more = bulk.last is not None and bulk.games < len(ids)
    following = link(PATH, asked, cursor_after(bulk.last)) if more and bulk.last else None
    yield json_bytes({"games": bulk.games, "next": following}) + b"\n"


__all__ = ["GamesExportView", "RecordView"]
