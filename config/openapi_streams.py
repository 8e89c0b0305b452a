"""The routes of the stream process, which Django does not know: docs/api/streams.md says what they tell."""

from typing import Any, Final

from django.conf import settings

Json = dict[str, Any]
_SERVER: Final = "The stream process, perhaps on another host; `links.stream` of a game has its address."
_SECURITY: Final[list[Json]] = [{"token": []}, {"cookie": []}, {"ticket": []}]
_AFTER: Final = {
    "in": "query",
    "name": "after",
    "schema": {"type": "integer", "minimum": 0, "maximum": 2147483647},
    "description": "Every event after this version, and no position first.",
}
_LAST: Final = {
    "in": "header",
    "name": "Last-Event-ID",
    "schema": {"type": "string"},
    "description": "The last `id:` that came; an EventSource sends it by itself. Counts before `after`.",
}
_ID: Final = {"in": "path", "required": True, "schema": {"type": "string", "format": "uuid"}}


def stream_paths() -> Json:
    """Path → its description."""
    return {
        "/api/v1/games/{game_id}/stream/": _stream(
            "games_stream",
            "Follow a game",
            "Without a cursor first `view`, then each `event` with its version as `id:`. In the lobby `lobby`. "
            "Between them `presence` and `clock`; after the game `end`. At the head of a finished game 204.",
            [{**_ID, "name": "game_id"}, _AFTER, _LAST],
            "games",
        ),
        "/api/v1/tournaments/{tournament_id}/stream/": _stream(
            "tournaments_stream",
            "Follow a tournament",
            "How it stands, then each change, with the tournament's version as `id:`.",
            [{**_ID, "name": "tournament_id"}, _AFTER, _LAST],
            "tournaments",
        ),
        "/api/v1/players/me/stream/": _stream(
            "players_me_stream",
            "Follow oneself",
            "`state` in full on every connect, then what concerns the caller in any game or tournament.",
            [],
            "players",
        ),
    }


def _stream(operation: str, summary: str, words: str, parameters: list[Json], tag: str) -> Json:
    text = {"text/event-stream": {"schema": {"type": "string"}}}
    return {
        "get": {
            "servers": [{"url": settings.TAKI_STREAM_URL, "description": _SERVER}],
            "operationId": operation,
            "summary": summary,
            "description": words,
            "parameters": parameters,
            "tags": [tag],
            "security": _SECURITY,
            "responses": {
                "200": {"description": "Server-sent events (HTML Living Standard, 9.2).", "content": text},
                **({"204": {"description": "It is over, and nothing more will come."}} if _AFTER in parameters else {}),
                **{status: _problem(words) for status, words in _PROBLEMS.items()},
            },
        },
    }


_PROBLEMS: Final = {
    "401": "no valid token",
    "404": "nothing here that the caller may know of",
    "422": "invalid or refused",
    "429": "a limit is reached",
    "503": "not just now; see `Retry-After`",
}


def _problem(words: str) -> Json:
    content = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {"description": words, "content": content}
