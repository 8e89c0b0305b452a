"""The log: as the caller may know it, its chain's head, and all of it once the game is over."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final
from uuid import UUID

from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request

from games.api.answers import event_json, game_path, seat_at
from games.api.serializers import EventQuery
from games.api.shapes import EventListShape, EventShape, FullEventShape
from games.audit.export import export_lines
from games.rules.cards import Seat
from games.selectors import MOST_EVENTS, events_load, game_get
from players.api.answers import NDJSON, PRIVATE, address, answer, json_bytes, response
from players.api.door import Endpoint, caller
from players.api.fields import StrictSerializer
from players.api.schema import reading

PAGE: Final = 100


class WrittenByViews(BaseRenderer):
    """Lets a client ask for a media type; what it gets is written by the views."""

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Nothing comes this way."""
        raise NotImplementedError


class NdjsonRenderer(WrittenByViews):
    """One JSON object a line."""

    media_type = NDJSON
    format = "ndjson"


class EventsView(Endpoint):
    """The log as the caller may know it."""

    query: ClassVar[type[StrictSerializer]] = EventQuery
    renderer_classes = (JSONRenderer, NdjsonRenderer)

    @reading(
        "games_events", "The log", {(200, "application/json"): EventListShape, (200, NDJSON): EventShape}, EventQuery
    )
    def get(self, request: Request, game_id: UUID) -> HttpResponseBase:
        """The events after a version, ascending, redacted for the caller."""
        viewer = caller(request)
        game = game_get(game_id=game_id, viewer=viewer)
        seat = seat_at(game, viewer)
        after, limit = self.asked["after"], self.asked.get("limit")
        if request.accepted_renderer.media_type == NDJSON:
            return _lines(_seen(game_id, seat, after, limit))
        return response(answer(_page(game_id, seat, after, limit or PAGE)))


def _page(game_id: UUID, seat: Seat | None, after: int, limit: int) -> dict[str, object]:
    found = events_load(game_id=game_id, seat=seat, after=after, limit=min(limit + 1, MOST_EVENTS))
    events = found[:limit]
    path = f"{game_path(game_id)}events/"
    more = len(found) > limit or len(events) == MOST_EVENTS
    return {
        "next": address(f"{path}?after={events[-1].version}&limit={limit}") if more else None,
        "previous": address(f"{path}?after={max(0, after - limit)}&limit={limit}") if after else None,
        "results": [event_json(seen) for seen in events],
    }


def _seen(game_id: UUID, seat: Seat | None, after: int, limit: int | None) -> Iterator[dict[str, object]]:
    left = limit
    while left is None or left > 0:
        portion = MOST_EVENTS if left is None else min(left, MOST_EVENTS)
        events = events_load(game_id=game_id, seat=seat, after=after, limit=portion)
        yield from map(event_json, events)
        if len(events) < portion:
            return
        after = events[-1].version
        left = None if left is None else left - portion


class ExportView(Endpoint):
    """The whole truth, afterwards."""

    renderer_classes = (NdjsonRenderer,)

    @reading("games_export", "The full log", {(200, NDJSON): FullEventShape}, more=(409,))
    def get(self, request: Request, game_id: UUID) -> HttpResponseBase:
        """Every event in full, with schema, actor, time and hash, one a line; when the game is over."""
        game_get(game_id=game_id, viewer=caller(request))
        lines = (line.encode("ascii") + b"\n" for line in export_lines(game_id=game_id))
        return StreamingHttpResponse(lines, content_type=NDJSON, headers={"Cache-Control": PRIVATE})


def _lines(objects: Iterator[dict[str, object]]) -> StreamingHttpResponse:
    lines = (json_bytes(each) + b"\n" for each in objects)
    return StreamingHttpResponse(lines, content_type=NDJSON, headers={"Cache-Control": PRIVATE})


__all__ = ["EventsView", "ExportView"]
